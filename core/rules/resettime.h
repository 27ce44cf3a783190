// SPDX-License-Identifier: GPL-3.0-or-later
// When the words or the body of a failure say that the same call may go again; a number survives new wordings.
#pragma once

#include <QDateTime>
#include <QStringView>

#include <optional>

namespace Waitscope {

struct ResetTime {
    std::optional<double> inSeconds; // counted from the answer: "resets_in_seconds": 201600, "try again in 1m2s"
    QDateTime at;                    // a moment with its zone written, as UTC; invalid = none
    QString wallClock;               // a moment as written whose zone nobody wrote: the provider's own
    bool structured = false;         // a field of the body, not a sentence

    // Seconds to wait at `nowUtc`; nullopt where only a wall clock is known, or the moment has passed.
    [[nodiscard]] std::optional<double> secondsFrom(const QDateTime &nowUtc) const;
};

// nullopt: no field and no sentence says so. A field goes before a sentence. English and Chinese.
[[nodiscard]] std::optional<ResetTime> resetTimeIn(QStringView text);

} // namespace Waitscope
