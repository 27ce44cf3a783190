// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/legend.h"

#include "ui/style/glyphs.h"
#include "ui/style/words.h"
#include "ui/timeline/rowcomposer.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>

#include <functional>

namespace Waitscope {

// The context of translations.
class LegendWords
{
    Q_DECLARE_TR_FUNCTIONS(LegendWords)
};

namespace {

constexpr int margin = 6;
constexpr int sampleWidth = 22;
constexpr int sampleHeight = 12;
constexpr int gap = 5;
constexpr int between = 14;

using Sample = std::function<void(QPainter &, const QRect &)>;

// The very bars of the rows, so that legend and timeline cannot come to differ.
void drawBar(QPainter &painter, const QRect &rect, const Palette &palette, Layer layer, SpanClass variant, Outcome outcome,
             bool hatched)
{
    const double ratio = painter.device() ? painter.device()->devicePixelRatioF() : 1;
    const QSize size = rect.size() * ratio;
    QImage image(size, QImage::Format_RGB32);
    RowComposer composer;
    composer.setStyle(palette, ratio);
    composer.setHatched(hatched);
    composer.setGrid({}, size.width());
    Row row;
    row.layer = layer;
    row.depth = 1;
    RowGeometry geometry;
    geometry.spans.columns.resize(static_cast<size_t>(size.width()));
    Bar bar;
    bar.right = size.width();
    bar.variant = variant;
    bar.outcome = outcome;
    for (FoldedColumn &column : geometry.spans.columns)
        column.worst = static_cast<quint8>(severityOf(outcome));
    geometry.bars.push_back(bar);
    composer.compose(image, {0, 0, size.height(), size.height()}, row, geometry);
    painter.drawImage(QRectF(rect), image);
}

void drawSampleLine(QPainter &painter, const QRect &rect, const QColor &colour, Qt::PenStyle style)
{
    painter.setPen(QPen(colour, 1.5, style));
    painter.drawLine(QPointF(rect.center().x() + 0.5, rect.top() - 1), QPointF(rect.center().x() + 0.5, rect.bottom() + 2));
}

struct Item {
    Sample sample;
    QString text;
    int width = sampleWidth;
};

std::vector<Item> itemsOf(const Palette &palette)
{
    std::vector<Item> items;
    for (const Layer layer : allOf<Layer>()) {
        items.push_back({[&palette, layer](QPainter &p, const QRect &r) {
                             drawBar(p, r, palette, layer, SpanClass::Good, Outcome::Ok, false);
                         },
                         shownWord(layer)});
    }
    items.push_back({[&palette](QPainter &p, const QRect &r) {
                         drawBar(p, r, palette, Layer::Stream, SpanClass::Bad, Outcome::Error, false);
                     },
                     LegendWords::tr("failed")});
    items.push_back({[&palette](QPainter &p, const QRect &r) {
                         drawBar(p, r, palette, Layer::Stream, SpanClass::Backoff, Outcome::Ok, false);
                     },
                     LegendWords::tr("backoff")});
    items.push_back({[&palette](QPainter &p, const QRect &r) {
                         drawBar(p, r, palette, Layer::Stream, SpanClass::Good, Outcome::Ok, true);
                     },
                     LegendWords::tr("simulated")});
    items.push_back({[&palette](QPainter &p, const QRect &r) {
                         p.fillRect(QRect(r.left(), r.center().y() - 1, r.width(), 3), palette.timer);
                         p.fillRect(QRect(r.right() - 1, r.center().y() - 2, 2, 5), palette.timer);
                     },
                     LegendWords::tr("armed timer, until it fires")});
    items.push_back({[&palette](QPainter &p, const QRect &r) { drawFiring(p, r, palette.timer); }, LegendWords::tr("fired"),
                     sampleHeight});
    items.push_back({[&palette](QPainter &p, const QRect &r) { drawSampleLine(p, r, palette.deadline, Qt::DashLine); },
                     shownWord(TimerKind::Deadline), 6});
    items.push_back({[&palette](QPainter &p, const QRect &r) { drawSampleLine(p, r, palette.watchdog, Qt::DashDotLine); },
                     shownWord(TimerKind::Watchdog), 6});
    items.push_back({[&palette](QPainter &p, const QRect &r) { drawSampleLine(p, r, palette.now, Qt::SolidLine); },
                     LegendWords::tr("now"), 6});
    for (const Outcome outcome : allOf<Outcome>()) {
        items.push_back({[&palette, outcome](QPainter &p, const QRect &r) {
                             drawOutcome(p, r, outcome, palette.outcome(outcome));
                         },
                         shownWord(outcome), sampleHeight});
    }
    const std::pair<MarkKind, QString> marks[] = {{MarkKind::AlarmEntered, LegendWords::tr("alarm entered")},
                                                  {MarkKind::AlarmSwallowed, LegendWords::tr("alarm swallowed")},
                                                  {MarkKind::Unprotected, LegendWords::tr("unprotected")},
                                                  {MarkKind::Committed, LegendWords::tr("first content")}};
    for (const auto &[mark, text] : marks) {
        items.push_back({[&palette, kind = mark](QPainter &p, const QRect &r) {
                             drawMark(p, r, kind, markColour(palette, kind));
                         },
                         text, sampleHeight});
    }
    return items;
}

} // namespace

Legend::Legend(QWidget *parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

int Legend::draw(QPainter *painter, const QRect &rect, const Palette &palette, const QFont &font)
{
    const QFontMetrics metrics(font);
    const int line = std::max(metrics.height(), sampleHeight) + 4;
    int x = rect.left() + margin;
    int y = rect.top() + 3;
    if (painter) {
        painter->fillRect(rect, palette.panel);
        painter->setFont(font);
    }
    for (const Item &item : itemsOf(palette)) {
        const int width = item.width + gap + metrics.horizontalAdvance(item.text);
        if (x + width > rect.right() - margin && x > rect.left() + margin) {
            x = rect.left() + margin;
            y += line;
        }
        if (painter) {
            item.sample(*painter, QRect(x, y + (line - sampleHeight) / 2, item.width, sampleHeight));
            painter->setPen(palette.dimText);
            painter->drawText(QRect(x + item.width + gap, y, width, line), Qt::AlignLeft | Qt::AlignVCenter, item.text);
        }
        x += width + between;
    }
    return y + line + 3 - rect.top();
}

int Legend::heightForWidth(int width) const
{
    return draw(nullptr, QRect(0, 0, width, 0), paletteOf(schemeOf(palette())), font());
}

QSize Legend::sizeHint() const
{
    const int wide = 900;
    return QSize(wide, heightForWidth(wide));
}

void Legend::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    draw(&painter, rect(), paletteOf(schemeOf(palette())), font());
}

} // namespace Waitscope
