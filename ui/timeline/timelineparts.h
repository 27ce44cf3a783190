// SPDX-License-Identifier: GPL-3.0-or-later
// What a timeline widget is made of, and when what of it is drawn anew.
#pragma once

#include "ui/timeline/laneheaders.h"
#include "ui/timeline/legend.h"
#include "ui/timeline/nowchip.h"
#include "ui/timeline/overlay.h"
#include "ui/timeline/picture.h"
#include "ui/timeline/pointerinput.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/timelineview.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QTimer>

namespace Waitscope {

struct TimelineView::Parts {
    explicit Parts(TimelineView &view);

    // Drawing.
    void applyStyle();
    void redraw();       // everything, at the next paint; until then nothing is computed, however many events come
    void freshen();      // the picture as it is now, for whoever asks before that paint
    void renew();        // only what differs, at once
    void renewOverlay(QRegion changed = {});
    void renewRuler();
    void schedule();     // the next moment at which a pixel or a digit differs; none while nothing moves
    void renewContent(); // from store and clock into the viewport
    void layoutChanged();
    bool noticeLayout(); // true: it had changed, and everything that depends on it follows
    void place();        // headers, ruler and legend in the margins around the rows
    void showLength();

    // Moving about.
    void toggle(LaneId lane);
    void fold(bool collapsed); // the selected row
    void step(std::optional<Instant> edge);
    void step(SpanId beside);
    void showRow(SpanId id);

    [[nodiscard]] bool isLive() const { return bool(nowFunction); }
    [[nodiscard]] Instant present() const;
    [[nodiscard]] double speed() const; // nominal seconds a real second
    [[nodiscard]] PictureView pictureView() const;
    [[nodiscard]] std::vector<OverlayShape> currentOverlay() const;
    [[nodiscard]] std::optional<SpanInfo> selected() const;
    [[nodiscard]] std::optional<size_t> selectedRow() const;
    [[nodiscard]] Instant stepFrom() const; // where steps through events go on from

    TimelineView &q;
    const TraceStore *store = nullptr;
    std::function<Instant()> nowFunction;
    bool simulated = false;
    Viewport viewport;
    Picture picture;
    std::vector<OverlayShape> overlay;
    PointerInput input;
    Ruler *ruler;
    LaneHeaders *headers;
    Legend *legend;
    QLabel *corner;
    NowChip *chip;
    QTimer nextChange;
    bool stale = true;
    quint64 placedLayout = 0; // the picture's count then
    double ratio = 0;
    QElapsedTimer sinceFresh; // since everything was last drawn anew
    quint64 paints = 0;
    quint64 generation = 1;
    std::optional<int> rulerColumn; // what the ruler shows of the present
    QString rulerText;
};

} // namespace Waitscope
