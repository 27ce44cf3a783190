// SPDX-License-Identifier: GPL-3.0-or-later
// Which connection slots of one QNetworkAccessManager are free. No two requests ever share a slot at a time.
//
// The pool that limits how many requests run is the engine's; this one never says wait. It hands out the slot used last
// whose connection may still be open, so that keep-alive works, else one whose connection is surely new.
#pragma once

#include "live/monotonic.h"
#include "live/networkwatch.h"

#include <QHash>
#include <QString>
#include <QUrl>

#include <deque>
#include <utility>
#include <memory>
#include <optional>
#include <vector>

namespace Waitscope {

struct ConnectionSlot {
    QString origin;                        // scheme, host, port
    QString name;                          // the peer verify name
    SocketOptions options;                 // what its connection was made with
    std::shared_ptr<WatchedSocket> socket; // its connection, where the hooks saw it
    bool kept = false;                     // its last reply was complete: the connection may be open still
};

class SlotPool
{
public:
    // nullopt when the origin has no more names: take a slot of another manager.
    // Times are CLOCK_MONOTONIC nanoseconds.
    enum class Reuse : bool { Kept, Nothing };
    [[nodiscard]] std::optional<ConnectionSlot> take(const QUrl &url, const SocketOptions &options, Reuse reuse = Reuse::Kept,
                                                     qint64 nowNs = monotonicNs());

    // `kept` says that the connection may be used again.
    void giveBack(ConnectionSlot slot, bool kept, qint64 nowNs = monotonicNs());

    // Kept connections that have been silent for so long are not used again.
    void dropKept(Duration silence, qint64 nowNs = monotonicNs());

private:
    struct Origin {
        quint64 namesGiven = 0;
        std::vector<ConnectionSlot> kept;  // the back was used last
        std::deque<std::pair<ConnectionSlot, qint64>> closed; // with the time it was given back; the front rests longest
    };

    // A closed slot rests before it is used again, unless the origin has no other name left: the library goes on with a connect
    // that was given up until it forgets the connection (requestheaders.cpp says when), and a request that comes earlier
    // would wait behind it.
public:
    static constexpr qint64 restNs = 10'000'000'000;

private:
    QHash<QString, Origin> m_origins;
};

} // namespace Waitscope
