// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/viewport.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace Waitscope {

using namespace std::chrono_literals;

namespace {

constexpr double finestZoom = 10;   // ns a pixel: nothing in a call happens faster
constexpr double edge = 12;         // pixels between what is revealed or fitted and the edge
constexpr double sameBookmark = 3;  // pixels
constexpr double roomStep = 1.5;
constexpr Duration firstRoom = 15s; // of a run that has just begun; it grows from there

} // namespace

Viewport::Viewport(QObject *parent)
    : QObject(parent)
{
}

void Viewport::setWidth(int pixels)
{
    if (pixels == m_scale.width())
        return;
    const bool first = m_scale.width() == 0;
    const TimeScale resized = m_scale.resizedTo(pixels);
    if (first && pixels > 0 && m_wanted) {
        setScale(TimeScale::fitting(m_wanted->from, m_wanted->to, pixels));
        m_wanted.reset();
        return;
    }
    setScale(resized);
    if (first && pixels > 0 && m_fitPending)
        fit();
    else if (m_following)
        followNow();
}

void Viewport::setVisible(TimeRange range)
{
    chooseRange();
    if (m_scale.width() == 0) {
        m_wanted = range;
        return;
    }
    setScale(TimeScale::fitting(range.from, range.to, m_scale.width()));
}

void Viewport::setContent(TimeRange content, Instant now)
{
    const bool same = m_content == content && m_now == now;
    m_content = content;
    m_latestNow = now;
    if (m_paused || same)
        return;
    const bool moved = m_now != now;
    m_now = now;
    if (m_following)
        followNow();
    else if (m_whole && m_scale.width() > 0 && m_scale.xOf(m_now) > m_scale.width() - edge)
        makeRoom();
    if (moved)
        Q_EMIT nowChanged();
}

void Viewport::zoomAt(double x, double factor)
{
    m_whole = false;
    if (m_following) {
        const double line = m_scale.xOf(m_now);
        if (line >= 0 && line <= m_scale.width())
            x = line;
    }
    // Zooming out ends where all there is takes a small part of the width.
    const double content = std::max(toSeconds(std::max(m_content.length(), Duration(1min))), 1.0) * 1e9;
    const double coarsest = std::max(content * 16 / std::max(1, m_scale.width()), m_scale.nsPerPixel());
    const double wanted = std::clamp(m_scale.nsPerPixel() / factor, finestZoom, coarsest);
    setScale(m_scale.zoomedAt(x, m_scale.nsPerPixel() / wanted));
}

void Viewport::panBy(double pixels)
{
    chooseRange();
    TimeScale panned = m_scale.pannedBy(pixels);
    // One screen of emptiness on either side and no more; a view that is further out already may come back.
    const Duration screen = m_scale.length(m_scale.width());
    const Instant earliest = std::min(after(m_content.from, -screen), m_scale.from());
    const Instant latest = std::max(std::max(m_content.to, m_now), m_scale.from());
    panned = panned.movedTo(std::clamp(panned.from(), earliest, latest));
    setScale(panned);
}

void Viewport::fit()
{
    m_whole = true;
    if (m_scale.width() == 0) {
        m_fitPending = true;
        return;
    }
    m_fitPending = false;
    const Instant end = std::max(m_content.to, m_now);
    const bool begins = m_following || end <= m_content.from;
    const Duration length = std::max<Duration>(end - m_content.from, begins ? firstRoom : Duration(1ms));
    const double room = m_following ? m_scale.width() * nowPlace : m_scale.width() - 2 * edge;
    const TimeScale fitted(m_content.from, std::max(static_cast<double>(length.count()) / std::max(room, 1.0), finestZoom),
                           m_scale.width());
    setScale(fitted.pannedBy(-edge));
}

void Viewport::goToStart()
{
    chooseRange();
    setScale(m_scale.movedTo(m_content.from).pannedBy(-edge));
}

void Viewport::setFollowing(bool on)
{
    if (!on) {
        chooseRange();
        return;
    }
    if (!m_following) {
        m_following = true;
        Q_EMIT followChanged(true);
    }
    followNow();
}

void Viewport::setLongestWhole(Duration length)
{
    m_longestWhole = length;
}

void Viewport::setPaused(bool on)
{
    if (m_paused == on)
        return;
    m_paused = on;
    Q_EMIT pausedChanged(on);
    if (!on)
        setContent(m_content, m_latestNow);
}

void Viewport::reveal(Instant t)
{
    reveal(TimeRange{t, t});
}

void Viewport::reveal(TimeRange range)
{
    if (m_scale.width() == 0)
        return;
    const double left = m_scale.xOf(range.from);
    const double right = m_scale.xOf(range.to);
    const double width = m_scale.width();
    const bool fits = right - left <= width - 2 * edge;
    const bool inView = fits ? left >= 0 && right <= width : left < width - edge && right > edge;
    if (inView)
        return;
    chooseRange();
    // What was before the view comes to its left edge, what was behind it to its right one; what is too long shows its begin.
    const double by = !fits || left < 0 ? left - edge : right + edge - width;
    setScale(m_scale.pannedBy(by));
}

void Viewport::select(SpanId id)
{
    if (m_selection == id)
        return;
    m_selection = id;
    Q_EMIT selectionChanged(id);
}

void Viewport::setCursor(std::optional<Instant> t)
{
    if (m_cursor == t)
        return;
    m_cursor = t;
    Q_EMIT cursorChanged();
}

void Viewport::setMeasure(std::optional<TimeRange> range)
{
    if (range && range->to < range->from)
        std::swap(range->from, range->to);
    if (m_measure == range)
        return;
    m_measure = range;
    Q_EMIT measureChanged();
}

void Viewport::toggleBookmark(Instant t)
{
    const auto near = std::find_if(m_bookmarks.begin(), m_bookmarks.end(), [&](Instant other) {
        return std::abs(m_scale.xOf(other) - m_scale.xOf(t)) <= sameBookmark;
    });
    if (near != m_bookmarks.end())
        m_bookmarks.erase(near);
    else
        m_bookmarks.insert(std::upper_bound(m_bookmarks.begin(), m_bookmarks.end(), t), t);
    Q_EMIT bookmarksChanged();
}

void Viewport::setBookmarks(std::vector<Instant> bookmarks)
{
    std::sort(bookmarks.begin(), bookmarks.end());
    if (m_bookmarks == bookmarks)
        return;
    m_bookmarks = std::move(bookmarks);
    Q_EMIT bookmarksChanged();
}

void Viewport::setScale(const TimeScale &scale)
{
    if (m_scale == scale)
        return;
    m_scale = scale;
    Q_EMIT visibleRangeChanged();
}

void Viewport::chooseRange()
{
    m_whole = false;
    if (!m_following)
        return;
    m_following = false;
    Q_EMIT followChanged(false);
}

// In few steps: each changes the whole picture.
void Viewport::makeRoom()
{
    const double width = m_scale.width();
    const double coarsest = m_following ? static_cast<double>(m_longestWhole.count()) / width
                                        : std::numeric_limits<double>::infinity();
    double zoom = m_scale.nsPerPixel();
    const auto place = [&] { return edge + static_cast<double>((m_now - m_content.from).count()) / zoom; };
    while (place() > std::floor(width * nowPlace) && zoom < coarsest)
        zoom = std::min(zoom * roomStep, coarsest);
    m_whole = zoom < coarsest;
    setScale(TimeScale(m_content.from, zoom, m_scale.width()).pannedBy(-edge));
}

// Moves only when the now line would leave its place, and then by whole pixels, so that columns keep their times.
void Viewport::followNow()
{
    if (m_scale.width() == 0)
        return;
    const double place = std::floor(m_scale.width() * nowPlace);
    if (m_whole && m_scale.xOf(m_now) > place)
        makeRoom();
    const double x = m_scale.xOf(m_now);
    if (x >= 0 && x <= place)
        return;
    double by = std::ceil(x - place);
    // A run that has just begun starts at the left edge and grows, rather than at the right edge and scrolls.
    if (x < 0)
        by = std::max(by, std::floor(std::min(m_scale.xOf(m_content.from), x) - edge));
    setScale(m_scale.pannedBy(by));
}

} // namespace Waitscope
