// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/labels.h"

#include "ui/style/format.h"
#include "ui/style/words.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace Waitscope {

using namespace Qt::StringLiterals;

// The context of translations.
class BarLabels
{
    Q_DECLARE_TR_FUNCTIONS(BarLabels)
};

namespace {

constexpr size_t mostSpans = 50000;
constexpr size_t mostTexts = 20000;
constexpr qsizetype mostImageBytes = 48 << 20;
constexpr qsizetype longestText = 120;

QString counted(const SpanInfo &span)
{
    return span.maxAttempts > 0 ? u"%1/%2"_s.arg(span.attempt).arg(span.maxAttempts) : QString::number(span.attempt);
}

QString bounded(QString text)
{
    text.replace(u'\n', u' ');
    if (text.size() > longestText)
        text = text.left(longestText - 1) + u'…';
    return text;
}

} // namespace

QStringList labelTexts(const SpanInfo &span)
{
    const QString name = shownName(span);
    QStringList texts;
    const bool failed = !span.isOpen() && span.outcome != Outcome::Ok;
    const QString length = span.isOpen() ? QString() : shownDuration(span.end - span.begin);
    switch (span.kind) {
    case SpanKind::Task:
    case SpanKind::Work:
    case SpanKind::Round:
    case SpanKind::Exec:
    case SpanKind::Orphan:
    case SpanKind::ExecAttempt:
    case SpanKind::SessionRun:
    case SpanKind::Request:
        if (failed)
            texts << u"%1 · %2 · %3"_s.arg(name, shownEnd(span), length) << u"%1 · %2"_s.arg(name, shownEnd(span));
        else if (!length.isEmpty())
            texts << u"%1 · %2"_s.arg(name, length);
        texts << name;
        if (span.attempt > 0)
            texts << counted(span);
        break;
    case SpanKind::Phase:
        if (failed)
            texts << u"%1 · %2 · %3"_s.arg(name, shownWord(span.outcome), length);
        if (!length.isEmpty())
            texts << u"%1 · %2"_s.arg(name, length);
        texts << name;
        break;
    case SpanKind::Backoff:
        if (!length.isEmpty())
            texts << BarLabels::tr("backoff %1").arg(length) << length;
        else
            texts << BarLabels::tr("backoff");
        break;
    }
    for (QString &text : texts)
        text = bounded(text);
    return texts;
}

void Labels::setStyle(const QFont &font, double pixelRatio)
{
    if (font == m_font && pixelRatio == m_pixelRatio && !m_texts.empty())
        return;
    m_font = font;
    m_pixelRatio = pixelRatio;
    m_texts.clear();
    m_ids.clear();
    m_images.clear();
    m_imageBytes = 0;
    m_spans.clear();
}

void Labels::forgetSpans()
{
    m_spans.clear();
}

bool Labels::trim()
{
    if (m_imageBytes > mostImageBytes) {
        m_images.clear();
        m_imageBytes = 0;
    }
    if (m_spans.size() > mostSpans)
        m_spans.clear();
    if (m_texts.size() <= mostTexts)
        return false;
    m_spans.clear();
    m_texts.clear();
    m_ids.clear();
    m_images.clear();
    m_imageBytes = 0;
    return true;
}

const std::vector<int> &Labels::textsOf(const TraceStore &store, SpanId id, bool ended)
{
    const quint64 key = id.value << 1 | (ended ? 1 : 0);
    if (const auto found = m_spans.find(key); found != m_spans.end())
        return found->second;
    std::vector<int> ids;
    if (const std::optional<SpanInfo> span = store.span(id)) {
        for (const QString &text : labelTexts(*span))
            ids.push_back(textId(text));
    }
    return m_spans.emplace(key, std::move(ids)).first->second;
}

int Labels::textId(const QString &text)
{
    if (const auto found = m_ids.constFind(text); found != m_ids.cend())
        return *found;
    const int id = static_cast<int>(m_texts.size());
    const double width = QFontMetricsF(m_font).horizontalAdvance(text);
    m_texts.push_back({text, static_cast<int>(std::ceil(width * m_pixelRatio)) + 1});
    m_ids.insert(text, id);
    return id;
}

int Labels::fitting(const std::vector<int> &texts, int room) const
{
    for (const int id : texts) {
        if (text(id).width <= room)
            return id;
    }
    return -1;
}

const QImage &Labels::image(int textId, const QColor &ink)
{
    const quint64 key = static_cast<quint64>(textId) << 32 | ink.rgba();
    if (const auto found = m_images.find(key); found != m_images.end())
        return found->second;
    const QFontMetricsF metrics(m_font);
    const int height = static_cast<int>(std::ceil(metrics.height() * m_pixelRatio));
    QImage image(text(textId).width, height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.scale(m_pixelRatio, m_pixelRatio);
    painter.setFont(m_font);
    painter.setPen(ink);
    painter.drawText(QPointF(0, metrics.ascent()), text(textId).text);
    painter.end();
    m_imageBytes += image.sizeInBytes();
    return m_images.emplace(key, std::move(image)).first->second;
}

} // namespace Waitscope
