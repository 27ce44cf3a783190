// SPDX-License-Identifier: GPL-3.0-or-later
// Which connection slots of one QNetworkAccessManager are free. No two requests ever share a slot at a time.
//
// The pool that limits how many requests run is the engine's; this one never says wait. It hands out the slot used last
// whose connection may still be open, so that keep-alive works, else one whose connection is surely new.
#pragma once

#include "live/networkwatch.h"

#include <QHash>
#include <QString>
#include <QUrl>

#include <deque>
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
    [[nodiscard]] std::optional<ConnectionSlot> take(const QUrl &url, const SocketOptions &options);

    // `kept` says that the connection may be used again.
    void giveBack(ConnectionSlot slot, bool kept);

private:
    struct Origin {
        quint64 namesGiven = 0;
        std::vector<ConnectionSlot> kept;  // the back was used last
        std::deque<ConnectionSlot> closed; // the front has had the longest rest
    };

    // So many closed slots rest before one is used again: the library tears connections down in its own time.
    static constexpr size_t resting = 32;

    QHash<QString, Origin> m_origins;
};

} // namespace Waitscope
