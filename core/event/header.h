// SPDX-License-Identifier: GPL-3.0-or-later
// The first line of a recording, and what a store knows of the run as a whole.
#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <vector>

namespace Waitscope {

enum class ClockKind : quint8 { Real, Scaled, Virtual };

// A policy as events and recordings show it: layers above `policy` need no types of it.
struct ShownSetting {
    QString name;
    QString value;
    QString origin; // "default", "profile hardened", "environment", "command line", "window", …
};

struct TraceHeader {
    int majorVersion = 1; // of the format; a newer major is refused, a newer minor is read
    int minorVersion = 0;
    ClockKind clock = ClockKind::Virtual;
    double scale = 1.0;   // nominal seconds a real second
    QDateTime startUtc;   // the only wall-clock time; invalid for a simulation (its trace must be byte-equal)
    QString title;        // what was run
    std::vector<ShownSetting> policy;
    quint64 seed = 0;
    QString programVersion;
    QStringList redactions; // what was taken out: "header authorization", "environment key"
};

} // namespace Waitscope
