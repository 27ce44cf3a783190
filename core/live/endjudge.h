// SPDX-License-Identifier: GPL-3.0-or-later
// How an exchange ended, from everything the network library and the interposed calls let us know.
//
// The library's own error decides little: it is the same for a peer that never answered and one that answered nonsense, and
// "no error" for some bodies that were cut off. Where the raw bytes could be followed they have the last word.
#pragma once

#include "engine/ports/transport.h"
#include "live/watchedsocket.h"

#include <QNetworkReply>

#include <memory>
#include <optional>

namespace Waitscope {

struct EndEvidence {
    EndEvidence() = default;

    QNetworkReply::NetworkError error = QNetworkReply::NoError;
    QString errorText;          // the library's; never used where it repeats the URL
    int status = 0;             // of complete headers; 0 = none came
    QString reason;             // of the status line
    bool https = false;
    bool proxied = false;
    bool head = false;          // a HEAD request: no body follows whatever its length says
    bool reused = false;        // no connection was made for it
    bool answeredLate = false;  // more time passed since sending than a dead connection needs to show
    bool encrypted = false;     // the TLS handshake was completed
    bool sent = false;          // the first request byte was handed over
    bool compressed = false;    // the body's encoding is another than identity
    qint64 received = 0;
    std::optional<qint64> expected;
    std::optional<int> lookup;  // getaddrinfo's failure, where it was seen
    // The connection as the hooks saw it, and how many responses it had brought before this one. Null without hooks.
    std::shared_ptr<const WatchedSocket> socket;
    quint32 responsesBefore = 0;
};

struct EndVerdict {
    WireEnd end = WireEnd::Complete;
    QString text; // what the library or the kernel said, or the bytes that were no HTTP; empty where it adds nothing
};

[[nodiscard]] EndVerdict judgeEnd(const EndEvidence &evidence);

} // namespace Waitscope
