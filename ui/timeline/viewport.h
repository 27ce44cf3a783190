// SPDX-License-Identifier: GPL-3.0-or-later
// The one owner of what a timeline shows: visible range, follow mode, pause, selection, measured range, bookmarks.
#pragma once

#include "trace/spaninfo.h"
#include "ui/timeline/timescale.h"

#include <QObject>

#include <optional>
#include <vector>

namespace Waitscope {

struct TimeRange {
    Instant from;
    Instant to;
    [[nodiscard]] Duration length() const noexcept { return to - from; }
    friend bool operator==(TimeRange, TimeRange) noexcept = default;
};

class Viewport final : public QObject
{
    Q_OBJECT
public:
    // Where the now line rests in follow mode, as a share of the width.
    static constexpr double nowPlace = 0.88;

    explicit Viewport(QObject *parent = nullptr);

    [[nodiscard]] const TimeScale &scale() const noexcept { return m_scale; }
    [[nodiscard]] TimeRange visible() const noexcept { return {m_scale.from(), m_scale.to()}; }
    void setWidth(int pixels); // keeps the zoom, and the range until it was first shown
    void setVisible(TimeRange range); // stops following

    // What there is to see; the present moves with it. Following moves the visible range.
    void setContent(TimeRange content, Instant now);
    [[nodiscard]] TimeRange content() const noexcept { return m_content; }
    // The present as shown: stands still while paused.
    [[nodiscard]] Instant now() const noexcept { return m_now; }

    void zoomAt(double x, double factor); // keeps following: then the now line is what stays
    void panBy(double pixels);            // stops following
    // Everything; keeps following. Until somebody chooses another range, what is added is in view too.
    void fit();
    [[nodiscard]] bool isWhole() const noexcept { return m_whole; }
    void goToStart();                     // keeps the zoom, stops following
    void setFollowing(bool on);           // on: jumps to now and stays there
    [[nodiscard]] bool isFollowing() const noexcept { return m_following; }
    // Following the whole makes room ahead up to this length; from there on it scrolls.
    void setLongestWhole(Duration length);
    // Stands still; the engine and the store go on. Following goes on where it is when the pause ends.
    void setPaused(bool on);
    [[nodiscard]] bool isPaused() const noexcept { return m_paused; }
    // Moves as little as needed so that the moment (or the whole range, as far as it fits) is in view; stops following if it moves.
    void reveal(Instant t);
    void reveal(TimeRange range);

    void select(SpanId id); // none = nothing
    [[nodiscard]] SpanId selection() const noexcept { return m_selection; }
    // Where `.` and `,` go on from: the cursor they left, else the selected span's begin. Owned here so that all views agree.
    void setCursor(std::optional<Instant> t);
    [[nodiscard]] std::optional<Instant> cursor() const noexcept { return m_cursor; }

    void setMeasure(std::optional<TimeRange> range);
    [[nodiscard]] std::optional<TimeRange> measure() const noexcept { return m_measure; }

    void toggleBookmark(Instant t); // takes away one that is within 3 pixels
    void setBookmarks(std::vector<Instant> bookmarks);
    [[nodiscard]] const std::vector<Instant> &bookmarks() const noexcept { return m_bookmarks; } // in time order

Q_SIGNALS:
    void visibleRangeChanged();
    void nowChanged();
    void followChanged(bool following);
    void pausedChanged(bool paused);
    void selectionChanged(SpanId id);
    void cursorChanged();
    void measureChanged();
    void bookmarksChanged();

private:
    void setScale(const TimeScale &scale);
    void chooseRange(); // somebody's own: no longer the whole, nor the present
    void makeRoom();
    void followNow();

    TimeScale m_scale;
    TimeRange m_content{};
    Instant m_now{};
    Instant m_latestNow{}; // goes on while m_now stands still
    bool m_following = false;
    bool m_paused = false;
    bool m_whole = false;      // shows everything
    Duration m_longestWhole = std::chrono::minutes(5);
    bool m_fitPending = false; // a range was asked for before there was a width
    std::optional<TimeRange> m_wanted;
    SpanId m_selection;
    std::optional<Instant> m_cursor;
    std::optional<TimeRange> m_measure;
    std::vector<Instant> m_bookmarks;
};

} // namespace Waitscope
