// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a timeline as an image that is kept: brought up to date where something changed, and hit by the same geometry.
#pragma once

#include "ui/style/palette.h"
#include "ui/timeline/rowcomposer.h"
#include "ui/timeline/rowgeometry.h"
#include "ui/timeline/timeticks.h"

#include <QFont>
#include <QRegion>

#include <map>
#include <unordered_map>

class QPainter;

namespace Waitscope {

// What is looked at.
struct PictureView {
    TimeScale scale; // logical pixels; its width is the picture's
    Instant now;
    bool frozen = false;
    int scroll = 0;  // logical pixels above the picture's top
    int height = 0;
};

struct ShownBar {
    SpanId id;
    QRect rect; // logical pixels, from the picture's corner
};

class Picture
{
public:
    // Distance of grid lines that carry a label in the ruler.
    static constexpr double tickRoom = 96;

    void setStyle(const Palette &palette, const QFont &font, double ratio);
    void setHatched(bool hatched);
    void setStore(const TraceStore *store); // forgets everything
    [[nodiscard]] const TraceStore *store() const noexcept { return m_store; }

    // Rows follow the store's lanes; true when they changed.
    bool updateLayout();
    // How often it has changed, by whomever it was brought up to date.
    [[nodiscard]] quint64 layouts() const noexcept { return m_layouts; }
    [[nodiscard]] RowLayout &layout() noexcept { return m_layout; }
    [[nodiscard]] const RowLayout &layout() const noexcept { return m_layout; }

    // Draws anew what differs from what was drawn; the region is in logical pixels.
    // Not more than so many new labels: isUnfinished() tells that another refresh brings more.
    QRegion refresh(const PictureView &view, int newLabels = Labels::perFrame);
    [[nodiscard]] bool isUnfinished() const noexcept { return m_labels.isUnfinished(); }
    void invalidate() { m_allStale = true; }

    void draw(QPainter &painter, const QRect &exposed) const;
    // The same rows as shapes and text, without the image; `painter` stands at the picture's corner.
    void drawVector(QPainter &painter);

    [[nodiscard]] const PictureView &view() const noexcept { return m_view; }
    [[nodiscard]] const QFont &labelFont() const { return m_labels.font(); }
    [[nodiscard]] const Palette &palette() const noexcept { return *m_palette; }
    [[nodiscard]] const TimeTicks &ticks() const noexcept { return m_ticks; }
    [[nodiscard]] const TimerShapes &armed() const noexcept { return m_armed; }
    [[nodiscard]] std::vector<TimerLine> firedLines() const;
    // Rows in view: [first, last).
    [[nodiscard]] std::pair<size_t, size_t> visibleRows() const;
    // Whether something drawn follows the time: open bars or countdowns in view.
    [[nodiscard]] bool followsTime() const;

    [[nodiscard]] SpanId spanAt(QPointF at) const;          // within 3 pixels
    [[nodiscard]] std::optional<TimerId> timerAt(QPointF at) const;
    [[nodiscard]] std::vector<ShownBar> shownBars(size_t most, bool labelledOnly) const; // row by row
    [[nodiscard]] QRect rectOf(SpanId id) const; // cut to the picture; empty when its row or time is out of view
    [[nodiscard]] quint64 rowsDrawn() const noexcept { return m_rowsDrawn; }

private:
    struct Strip {
        const Row *row = nullptr;
        RowGeometry *geometry = nullptr;
    };
    [[nodiscard]] RowContext contextOf(const PictureView &view) const;
    [[nodiscard]] std::span<const TimerBar> armedIn(LaneId lane) const;
    void resize(const PictureView &view);
    void compose(std::vector<Strip> &strips);
    void decorate(QPainter &painter, const Row &row, RowGeometry &geometry);
    [[nodiscard]] const QImage &signImage(const Sign &sign, const QColor &ink);
    [[nodiscard]] QRect timerRect(const Row &row, const RowBox &box, const TimerRect &timer) const;
    [[nodiscard]] QRect signRect(const Row &row, const RowBox &box, const Sign &sign) const;
    void drawVectorFailures(QPainter &painter, const RowBox &box, const RowGeometry &geometry);
    void drawVectorRow(QPainter &painter, const Row &row, const RowGeometry &geometry, bool columns);

    const TraceStore *m_store = nullptr;
    const Palette *m_palette = &paletteOf(Scheme::Light);
    QFont m_font;
    double m_ratio = 1;
    RowLayout m_layout;
    RowComposer m_composer;
    Labels m_labels;
    std::map<std::tuple<SignKind, int, QRgb>, QImage> m_signs;

    PictureView m_view;
    TimeTicks m_ticks;
    QImage m_image;
    bool m_allStale = true;
    bool m_layoutStale = true;
    quint64 m_layouts = 0;
    quint64 m_made = 0; // counts views that have nothing in common with the one before
    bool m_armedStale = true;
    quint64 m_revision = 0;
    TimerShapes m_armed;
    std::unordered_map<LaneId, RowGeometry> m_rows; // of rows in view
    RowGeometry m_scratch;
    quint64 m_rowsDrawn = 0;
};

} // namespace Waitscope
