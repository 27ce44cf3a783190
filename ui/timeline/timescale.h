// SPDX-License-Identifier: GPL-3.0-or-later
// Pure functions between time and pixels: a moment at the left edge and so many nanoseconds a pixel.
#pragma once

#include "base/time.h"

#include <optional>

namespace Waitscope {

class TimeScale
{
public:
    // Limits of arithmetic in ns a pixel, far beyond what a person zooms to; a device pixel may be a part of ours.
    static constexpr double finest = 0.01;
    static constexpr double coarsest = 1e15;

    TimeScale() = default;
    // `nsPerPixel` is brought between finest and coarsest.
    TimeScale(Instant from, double nsPerPixel, int width);
    // So that [from, to) fills the width.
    [[nodiscard]] static TimeScale fitting(Instant from, Instant to, int width);

    [[nodiscard]] Instant from() const noexcept { return m_from; }
    [[nodiscard]] Instant to() const noexcept { return timeAt(m_width); }
    [[nodiscard]] double nsPerPixel() const noexcept { return m_nsPerPixel; }
    [[nodiscard]] int width() const noexcept { return m_width; }

    // Pixels from the left edge, in doubles: far outside the range they are large, never wrapped.
    [[nodiscard]] double xOf(Instant t) const noexcept;
    [[nodiscard]] Instant timeAt(double x) const noexcept;
    [[nodiscard]] double pixels(Duration d) const noexcept { return static_cast<double>(d.count()) / m_nsPerPixel; }
    [[nodiscard]] Duration length(double pixels) const noexcept;

    // factor > 1 shows more detail. The moment under x stays there, up to the limits.
    [[nodiscard]] TimeScale zoomedAt(double x, double factor) const;
    [[nodiscard]] TimeScale pannedBy(double pixels) const; // positive: later times come into view
    [[nodiscard]] TimeScale movedTo(Instant from) const { return {from, m_nsPerPixel, m_width}; }
    [[nodiscard]] TimeScale resizedTo(int width) const { return {m_from, m_nsPerPixel, width}; }

    // How long a line that stands at `now` keeps its pixel when a pixel is 1/`density` of ours; none where that pixel is
    // out of view and stays so (the past of the range).
    [[nodiscard]] std::optional<Duration> untilPixelChanges(Instant now, double density = 1.0) const;

    friend bool operator==(const TimeScale &, const TimeScale &) noexcept = default;

private:
    Instant m_from{};
    double m_nsPerPixel = 1e8;
    int m_width = 0;
};

} // namespace Waitscope
