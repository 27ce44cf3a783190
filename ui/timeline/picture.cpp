// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/picture.h"

#include "ui/style/glyphs.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace Waitscope {

namespace {

constexpr quint32 compactFrom = 96; // lanes; more than a screen or two of comfortable rows
constexpr int mostLabels = 1500;    // drawn in one frame
constexpr double near = 3;          // pixels by which a pointer may miss
constexpr double signSide = 11;
constexpr double compactSign = 8;

int device(double logical, double ratio)
{
    return static_cast<int>(std::lround(logical * ratio));
}

} // namespace

void Picture::setStyle(const Palette &palette, const QFont &font, double ratio)
{
    m_palette = &palette;
    m_font = font;
    m_ratio = ratio;
    m_composer.setStyle(palette, ratio);
    m_signs.clear();
    updateLayout();
    invalidate();
}

void Picture::setHatched(bool hatched)
{
    m_composer.setHatched(hatched);
    invalidate();
}

void Picture::setStore(const TraceStore *store)
{
    m_store = store;
    m_labels.forgetSpans();
    m_rows.clear();
    m_armedStale = true;
    m_revision = 0;
    updateLayout();
    invalidate();
}

bool Picture::updateLayout()
{
    const bool compact = m_store && m_store->laneCount() > compactFrom;
    QFont font = m_font;
    if (compact)
        font.setPixelSize(9);
    if (m_labels.setStyle(font, m_ratio))
        invalidate();
    const bool changed = m_layout.update(m_store, compact ? RowMetrics::narrow()
                                                          : RowMetrics::comfortable(QFontMetrics(m_font)));
    m_layoutStale = m_layoutStale || changed;
    m_layouts += changed ? 1 : 0;
    return changed;
}

RowContext Picture::contextOf(const PictureView &view) const
{
    RowContext context;
    context.store = m_store;
    context.device = TimeScale(view.scale.from(), view.scale.nsPerPixel() / m_ratio, device(view.scale.width(), m_ratio));
    context.to = context.device.to();
    context.now = view.now;
    context.compact = m_layout.metrics().compact;
    context.frozen = view.frozen;
    context.ratio = m_ratio;
    context.sign = device(m_layout.metrics().compact ? compactSign : signSide, m_ratio);
    return context;
}

std::span<const TimerBar> Picture::armedIn(LaneId lane) const
{
    const auto less = [](const TimerBar &bar, LaneId id) { return bar.lane < id; };
    const auto first = std::lower_bound(m_armed.bars.begin(), m_armed.bars.end(), lane, less);
    auto last = first;
    while (last != m_armed.bars.end() && last->lane == lane)
        ++last;
    return {first, last};
}

void Picture::resize(const PictureView &view)
{
    const QSize size(device(view.scale.width(), m_ratio), device(view.height, m_ratio));
    if (m_image.size() != size)
        m_image = QImage(size, QImage::Format_RGB32);
    m_image.setDevicePixelRatio(m_ratio);
    m_ticks = ticksOf(view.scale, tickRoom);
    std::vector<int> grid;
    for (const Instant at : m_ticks.major)
        grid.push_back(static_cast<int>(std::floor(view.scale.xOf(at) * m_ratio)));
    m_composer.setGrid(grid, size.width());
}

QRegion Picture::refresh(const PictureView &view, int newLabels)
{
    m_labels.beginFrame(newLabels);
    updateLayout();
    const bool layoutChanged = std::exchange(m_layoutStale, false);
    const bool restart = m_allStale || view.scale != m_view.scale || view.height != m_view.height
        || view.frozen != m_view.frozen;
    const bool everything = restart || layoutChanged || view.scroll != m_view.scroll;
    const int before = static_cast<int>(std::floor(m_view.scale.xOf(m_view.now) * m_ratio));
    const int after = static_cast<int>(std::floor(view.scale.xOf(view.now) * m_ratio));
    const quint64 revision = m_store ? m_store->revision() : 0;
    const bool grown = revision != m_revision;
    m_view = view;
    m_allStale = false;
    m_revision = revision;
    if (restart) {
        ++m_made;
        resize(view);
    }
    if (view.scale.width() <= 0 || view.height <= 0)
        return {};
    if (grown || std::exchange(m_armedStale, false))
        m_armed = m_store ? armedShapes(*m_store) : TimerShapes();

    QRegion changed;
    std::vector<Strip> strips;
    int labelBudget = mostLabels;
    const RowContext context = contextOf(view);
    const auto [first, last] = visibleRows();
    for (size_t i = first; i < last; ++i) {
        const Row &row = m_layout.rows()[i];
        RowGeometry &drawn = m_rows[row.lane]; // its arrays are used again from frame to frame
        if (drawn.made == m_made) {
            const bool moving = drawn.moves;
            const bool waiting = drawn.unfinished;
            const bool stale = waiting || drawn.stamp != m_store->stamp(row.lane) || (before != after && moving)
                || (grown && (moving || !armedIn(row.lane).empty()));
            if (stale) {
                m_scratch.compute(context, row, armedIn(row.lane), m_labels, labelBudget);
                m_scratch.made = m_made;
                const auto range = waiting ? std::pair(0, context.device.width()) : m_scratch.changedFrom(drawn, context.sign);
                std::swap(drawn, m_scratch);
                if (range && !everything) {
                    const int left = static_cast<int>(std::floor(range->first / m_ratio));
                    const int right = static_cast<int>(std::ceil(range->second / m_ratio));
                    changed += QRect(left, row.top - view.scroll, right - left, row.height);
                    strips.push_back({&row, &drawn});
                }
            }
            if (everything)
                strips.push_back({&row, &drawn});
        } else {
            drawn.compute(context, row, armedIn(row.lane), m_labels, labelBudget);
            drawn.made = m_made;
            changed += QRect(0, row.top - view.scroll, view.scale.width(), row.height);
            strips.push_back({&row, &drawn});
        }
    }
    // Rows scrolled out of view would grow stale unseen.
    if (m_rows.size() > last - first) {
        std::erase_if(m_rows, [&, range = std::pair(first, last)](const auto &entry) {
            const std::optional<size_t> row = m_layout.rowOf(entry.first);
            return !row || *row < range.first || *row >= range.second;
        });
    }
    if (everything) {
        m_composer.fillGround(m_image, std::max(0, device(m_layout.height() - view.scroll, m_ratio)), m_image.height());
        changed = QRect(0, 0, view.scale.width(), view.height);
    }
    compose(strips);
    return changed;
}

void Picture::compose(std::vector<Strip> &strips)
{
    if (strips.empty())
        return;
    for (const Strip &strip : strips)
        m_composer.compose(m_image, boxOf(*strip.row, m_layout.metrics(), m_view.scroll, m_ratio), *strip.row, *strip.geometry);
    m_rowsDrawn += strips.size();
    // Device pixels throughout: images of labels and signs are made for them.
    m_image.setDevicePixelRatio(1);
    {
        QPainter painter(&m_image);
        for (const Strip &strip : strips)
            decorate(painter, *strip.row, *strip.geometry);
    }
    m_image.setDevicePixelRatio(m_ratio);
}

void Picture::decorate(QPainter &painter, const Row &row, RowGeometry &geometry)
{
    const RowBox box = boxOf(row, m_layout.metrics(), m_view.scroll, m_ratio);
    const int middle = (box.barTop + box.barBottom) / 2;
    for (const BarLabel &label : geometry.labels) {
        const Bar &bar = geometry.bars[label.bar];
        const BarColours &colours = m_palette->bar(row.layer, bar.variant);
        const QImage *image = m_labels.image(label.text, label.width, colours.text);
        if (!image) {
            geometry.unfinished = true;
            continue;
        }
        const QPoint at(label.x, middle - image->height() / 2);
        if (bar.variant == SpanClass::Backoff) {
            // Words are not read between dots.
            const int stroke = std::max(1, device(1, m_ratio));
            painter.fillRect(QRect(at.x() - stroke, box.barTop + stroke, image->width() + 2 * stroke,
                                   box.barBottom - box.barTop - 2 * stroke),
                             colours.fill);
        }
        painter.drawImage(at, *image);
    }
    for (const TimerRect &timer : geometry.timers) {
        const QRect rect = timerRect(row, box, timer);
        painter.fillRect(rect, m_palette->timer);
        // Its end is the firing: a small wall, unless that is out of view.
        if (!timer.beyond)
            painter.fillRect(QRect(rect.right() - device(1, m_ratio), rect.top() - device(1, m_ratio), device(2, m_ratio),
                                   rect.height() + device(1, m_ratio)),
                             m_palette->timer);
    }
    for (const Sign &sign : geometry.signs) {
        const QRect rect = signRect(row, box, sign);
        switch (sign.kind) {
        case SignKind::Outcome:
            painter.drawImage(rect.topLeft(), signImage(sign, m_palette->bar(row.layer, sign.variant).text));
            break;
        case SignKind::Firing:
            painter.drawImage(rect.topLeft(), signImage(sign, m_layout.metrics().compact ? m_palette->bar(row.layer, sign.variant).text
                                                                               : m_palette->timer));
            break;
        case SignKind::Mark: {
            const int stroke = std::max(1, device(1, m_ratio));
            if (row.timerSlots > 1) {
                painter.drawImage(rect.topLeft(), signImage(sign, markColour(*m_palette, sign.mark)));
                break;
            }
            const QRect plate = rect.adjusted(-2 * stroke, -stroke, 2 * stroke, stroke);
            painter.fillRect(plate, markColour(*m_palette, sign.mark));
            painter.fillRect(plate.adjusted(stroke, stroke, -stroke, -stroke), m_palette->base);
            painter.drawImage(rect.topLeft(), signImage(sign, markColour(*m_palette, sign.mark)));
            break;
        }
        }
    }
}

const QImage &Picture::signImage(const Sign &sign, const QColor &ink)
{
    const int shape = sign.kind == SignKind::Outcome ? static_cast<int>(sign.outcome)
        : sign.kind == SignKind::Mark                ? static_cast<int>(sign.mark)
                                                     : 0;
    QImage &image = m_signs[{sign.kind, shape, ink.rgba()}];
    const int side = contextOf(m_view).sign;
    if (image.width() == side)
        return image;
    image = QImage(side, side, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    const QRectF box(0, 0, side, side);
    switch (sign.kind) {
    case SignKind::Outcome:
        drawOutcome(painter, box, sign.outcome, ink);
        break;
    case SignKind::Firing:
        drawFiring(painter, box, ink);
        break;
    case SignKind::Mark:
        drawMark(painter, box, sign.mark, ink);
        break;
    }
    return image;
}

QRect Picture::timerRect(const Row &row, const RowBox &box, const TimerRect &timer) const
{
    const int height = std::max(1, device(m_layout.metrics().compact ? 2 : 3, m_ratio));
    if (timer.slot < row.timerSlots) {
        const int top = box.barBottom + device(1 + timer.slot * m_layout.metrics().timer, m_ratio);
        return QRect(timer.left, top, timer.right - timer.left, height);
    }
    // No room of its own: over the foot of the bars, only the one that fires first to be seen.
    return QRect(timer.left, box.barBottom - height, timer.right - timer.left, height);
}

QRect Picture::signRect(const Row &row, const RowBox &box, const Sign &sign) const
{
    const int side = contextOf(m_view).sign;
    // Requests have room below their bars; elsewhere signs stand over them.
    const bool below = sign.kind != SignKind::Outcome && row.timerSlots > 1;
    const int top = below ? box.barBottom + device(1, m_ratio) : (box.barTop + box.barBottom - side) / 2;
    return QRect(sign.x, top, side, side);
}

void Picture::draw(QPainter &painter, const QRect &exposed) const
{
    if (m_image.isNull())
        return;
    const QRectF source(exposed.x() * m_ratio, exposed.y() * m_ratio, exposed.width() * m_ratio, exposed.height() * m_ratio);
    painter.drawImage(QRectF(exposed), m_image, source);
}

std::vector<TimerLine> Picture::firedLines() const
{
    std::vector<TimerLine> lines;
    for (const auto &[lane, geometry] : m_rows)
        lines.insert(lines.end(), geometry.firedLines.begin(), geometry.firedLines.end());
    std::sort(lines.begin(), lines.end(), [](const TimerLine &a, const TimerLine &b) { return a.id < b.id; });
    return lines;
}

std::pair<size_t, size_t> Picture::visibleRows() const
{
    if (m_layout.rows().empty() || m_view.height <= 0)
        return {0, 0};
    const std::optional<size_t> first = m_layout.rowAt(std::max(0, m_view.scroll));
    if (!first)
        return {0, 0};
    const std::optional<size_t> last = m_layout.rowAt(m_view.scroll + m_view.height - 1);
    return {*first, last ? *last + 1 : m_layout.rows().size()};
}

bool Picture::followsTime() const
{
    return std::any_of(m_rows.begin(), m_rows.end(),
                       [](const auto &row) { return row.second.moves; });
}

SpanId Picture::spanAt(QPointF at) const
{
    const std::optional<size_t> index = m_layout.rowAt(static_cast<int>(std::floor(at.y())) + m_view.scroll);
    if (!m_store || !index)
        return {};
    const LaneId lane = m_layout.rows()[*index].lane;
    const SpanId found = nearestSpan(*m_store, lane, m_view.scale.timeAt(at.x()), m_view.now);
    const std::optional<SpanInfo> span = m_store->span(found);
    if (!span || (m_view.frozen && span->begin > m_view.now))
        return {};
    const double left = m_view.scale.xOf(span->begin);
    const double right = m_view.scale.xOf(span->isOpen() ? std::max(m_view.now, span->begin) : span->end);
    return at.x() >= left - near && at.x() <= right + near ? found : SpanId{};
}

std::optional<TimerId> Picture::timerAt(QPointF at) const
{
    const std::optional<size_t> index = m_layout.rowAt(static_cast<int>(std::floor(at.y())) + m_view.scroll);
    if (!index)
        return std::nullopt;
    const Row &row = m_layout.rows()[*index];
    const auto known = m_rows.find(row.lane);
    if (known == m_rows.end())
        return std::nullopt;
    const RowBox box = boxOf(row, m_layout.metrics(), m_view.scroll, m_ratio);
    const QPoint point(device(at.x(), m_ratio), device(at.y(), m_ratio));
    for (const TimerRect &timer : known->second.timers) {
        if (timerRect(row, box, timer).adjusted(-2, -1, 2, 1).contains(point))
            return timer.id;
    }
    return std::nullopt;
}

std::vector<ShownBar> Picture::shownBars(size_t most, bool labelledOnly) const
{
    std::vector<ShownBar> shown;
    const auto [first, last] = visibleRows();
    for (size_t i = first; i < last; ++i) {
        const Row &row = m_layout.rows()[i];
        const auto known = m_rows.find(row.lane);
        if (known == m_rows.end())
            continue;
        const RowMetrics &metrics = m_layout.metrics();
        const RowGeometry &geometry = known->second;
        const size_t count = labelledOnly ? geometry.labels.size() : geometry.bars.size();
        for (size_t at = 0; at < count; ++at) {
            if (shown.size() >= most)
                return shown;
            const Bar &bar = geometry.bars[labelledOnly ? geometry.labels[at].bar : at];
            const int left = static_cast<int>(std::floor(bar.left / m_ratio));
            const int right = static_cast<int>(std::ceil(bar.right / m_ratio));
            shown.push_back({bar.id, QRect(left, row.top + metrics.above - m_view.scroll, right - left, metrics.bar)});
        }
    }
    return shown;
}

QRect Picture::rectOf(SpanId id) const
{
    if (!m_store)
        return {};
    const std::optional<SpanInfo> span = m_store->span(id);
    if (!span || (m_view.frozen && span->begin > m_view.now))
        return {};
    const std::optional<size_t> index = m_layout.rowOf(span->lane);
    if (!index)
        return {};
    const Row &row = m_layout.rows()[*index];
    const double width = m_view.scale.width();
    const Instant end = span->isOpen() || (m_view.frozen && span->end > m_view.now) ? std::max(m_view.now, span->begin)
                                                                                    : span->end;
    const double left = m_view.scale.xOf(span->begin);
    const double right = m_view.scale.xOf(end);
    if (right < 0 || left > width)
        return {};
    // Cut a little outside the picture, so that a frame around it shows no edge where there is none.
    const int from = static_cast<int>(std::lround(std::max(left, -4.0)));
    const int to = static_cast<int>(std::lround(std::min(right, width + 4)));
    return QRect(from, row.top + m_layout.metrics().above - m_view.scroll, std::max(1, to - from), m_layout.metrics().bar);
}

} // namespace Waitscope
