// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/labels.h"

#include "ui/style/format.h"
#include "ui/style/words.h"

#include <QCoreApplication>
#include <QPainter>

#include <cmath>
#include <utility>

namespace Waitscope {

using namespace Qt::StringLiterals;

// The context of translations.
class BarLabels
{
    Q_DECLARE_TR_FUNCTIONS(BarLabels)
};

namespace {

// A few screens full each: forgetting more at once would itself be a late frame.
constexpr size_t mostSpans = 8000;
constexpr double mostImageBytes = 16 << 20; // at one device pixel a logical one
constexpr double narrowest = 2;             // pixels a character, less than any text has on average
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
        if (!span.label.isEmpty() && span.attempt > 0) {
            SpanInfo unnamed = span;
            unnamed.label.clear();
            texts << shownName(unnamed);
        }
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

Labels::Labels()
    : m_metrics(m_font)
{
}

bool Labels::setStyle(const QFont &font, double pixelRatio)
{
    if (font == m_font && pixelRatio == m_pixelRatio)
        return false;
    m_font = font;
    m_metrics = QFontMetricsF(font);
    m_pixelRatio = pixelRatio;
    m_images.clear();
    m_oldImages.clear();
    m_imageBytes = 0;
    forgetSpans();
    return true;
}

void Labels::forgetSpans()
{
    m_spans.clear();
    m_oldSpans.clear();
}

void Labels::beginFrame(int newOnes)
{
    m_newOnes = newOnes;
    m_unfinished = false;
    if (m_spans.size() > mostSpans)
        m_oldSpans = std::exchange(m_spans, {});
    if (static_cast<double>(m_imageBytes) > mostImageBytes * m_pixelRatio * m_pixelRatio) {
        m_oldImages = std::exchange(m_images, {});
        m_imageBytes = 0;
    }
}

bool Labels::mayMake()
{
    if (m_newOnes == withoutLimit)
        return true;
    if (m_newOnes > 0) {
        --m_newOnes;
        return true;
    }
    m_unfinished = true;
    return false;
}

Labels::Choice *Labels::choiceOf(const TraceStore &store, SpanId id, bool ended)
{
    const quint64 key = id.value << 1 | (ended ? 1 : 0);
    if (const auto found = m_spans.find(key); found != m_spans.end())
        return &found->second;
    if (auto old = m_oldSpans.extract(key))
        return &m_spans.insert(std::move(old)).position->second;
    if (!mayMake())
        return nullptr;
    Choice choice;
    if (const std::optional<SpanInfo> span = store.span(id)) {
        for (QString &text : labelTexts(*span))
            choice.texts[static_cast<size_t>(choice.count++)] = std::move(text);
    }
    return &m_spans.emplace(key, std::move(choice)).first->second;
}

Labels::Fitting Labels::fitting(const TraceStore &store, SpanId id, bool ended, int room)
{
    Choice *choice = choiceOf(store, id, ended);
    if (!choice)
        return {{}, 0, true};
    for (size_t i = 0; i < static_cast<size_t>(choice->count); ++i) {
        const QString &text = choice->texts[i];
        // Measuring costs more than anything else here; no text is as narrow as this.
        if (static_cast<double>(text.size()) * narrowest * m_pixelRatio > room)
            continue;
        int &width = choice->widths[i];
        if (width == 0)
            width = static_cast<int>(std::ceil(m_metrics.horizontalAdvance(text) * m_pixelRatio)) + 1;
        if (width <= room)
            return {text, width, false};
    }
    return {};
}

const QImage *Labels::image(const QString &text, int width, const QColor &ink)
{
    const ImageKey key{text, ink.rgba()};
    if (const auto found = m_images.constFind(key); found != m_images.cend())
        return &*found;
    QImage image = m_oldImages.take(key);
    if (image.isNull()) {
        if (!mayMake())
            return nullptr;
        const int height = static_cast<int>(std::ceil(m_metrics.height() * m_pixelRatio));
        image = QImage(width, height, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        painter.scale(m_pixelRatio, m_pixelRatio);
        painter.setFont(m_font);
        painter.setPen(ink);
        painter.drawText(QPointF(0, m_metrics.ascent()), text);
    }
    m_imageBytes += image.sizeInBytes();
    return &*m_images.insert(key, image);
}

} // namespace Waitscope
