// SPDX-License-Identifier: GPL-3.0-or-later
// Port: one HTTP request on the wire. A transport arms no timer and makes no decision; it reports facts and obeys abort.
#pragma once

#include "base/time.h"
#include "base/vocabulary.h"

#include <QByteArray>
#include <QString>
#include <QUrl>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace Waitscope {

struct WireHeader {
    QByteArray name;
    QByteArray value;
};

struct WireRequest {
    WireRequest() = default;
    QUrl url;
    QByteArray method = "POST";
    std::vector<WireHeader> headers;
    QByteArray body;
};

// A transport reads no more of the body of an error than this, and then calls it complete.
inline constexpr qint64 longestErrorBody = 64 * 1024;

// How an exchange ended, as far as the wire can tell. RST and FIN cannot always be told apart.
enum class WireEnd : quint8 {
    Complete,          // the whole message by its own length or chunk end, or the peer closed where no length was given
    Refused,           // connection refused
    NameNotFound,      // dns said no such name
    DnsFailed,         // dns answered with an error or did not answer
    Unreachable,       // no route, host or network unreachable
    ProxyFailed,       // the proxy refused, closed or answered CONNECT with an error
    TlsFailed,         // handshake failed or the certificate was rejected; text says which
    ClosedInTls,       // the peer closed within the handshake
    ClosedBeforeStatus,// closed before the first header byte
    ClosedInHeaders,   // closed inside status line or headers
    ResetBeforeHeaders,
    BadStatusLine,     // what came was not HTTP
    CutBody,           // closed before the length or the last chunk
    ResetInBody,
    BadChunk,
    ConnectionTimeout, // the kernel gave up (keepalive, retransmits)
    LostInSleep,       // the machine slept for longer than a silent connection lives; text says how long
    StaleConnection,   // a reused connection was dead; nothing reached the server's application
    Interim103,        // an interim answer ended the reply: a limit of the network library, shown as such
    Undecodable,       // a compressed body although identity was asked for, or a broken one
    Aborted,           // our own abort
    Failed,            // anything else; text says what
};

[[nodiscard]] QLatin1StringView wordOf(WireEnd);
template<>
std::span<const WireEnd> allOf<WireEnd>();

struct WireFact {
    enum class Kind : quint8 {
        PhaseBegan, // phase; an earlier phase ends at the same moment
        Trying,     // text = an address of the host that is connected to from now on
        AddressFailed, // text = the address; and why: "[2001:db8::1]:443: Network is unreachable"
        Connected,  // value = local port, text = the address where it is known
        SendBegan,  // first byte handed over
        Progress,   // value = request bytes handed to the kernel so far, of `total`
        Sent,       // the whole request was handed over (the wait phase begins with it)
        Headers,    // status and headers are complete
        Bytes,      // a piece of the body
        ResendRefused, // the network library wanted to re-send and was refused
        End,        // the last fact; none follows
    };

    Kind kind = Kind::Bytes;
    Instant at;
    Phase phase = Phase::None;
    qint64 value = 0;
    qint64 total = 0;
    int status = 0;
    bool reused = false;            // SendBegan / Sent: no connection was made for it
    std::vector<WireHeader> headers;
    QByteArray bytes;
    WireEnd end = WireEnd::Complete;
    QString text;                   // End: what the library or kernel said; redacted of nothing, so never a header value
    std::optional<qint64> expectedBytes; // End: Content-Length, when given
    qint64 receivedBytes = 0;            // End
};

// What a transport tells its facts to. Called in the engine's thread; must only store and post.
class WireListener
{
public:
    WireListener() = default;
    virtual ~WireListener() = default;
    Q_DISABLE_COPY_MOVE(WireListener)

    virtual void onFact(WireFact &&fact) = 0;
};

// One request in flight. Destroying it aborts what still runs, without further facts.
class Exchange
{
public:
    Exchange() = default;
    virtual ~Exchange() = default;
    Q_DISABLE_COPY_MOVE(Exchange)

    // Ends the request now. No fact is reported from inside this call nor after it.
    virtual void abort() = 0;
    // Flow control: the listener has consumed what it was given up to here. A transport stops reading from the wire
    // while more than its buffer is unread.
    virtual void resumeReading() = 0;
    // Instead of destroying `self`, which is this: its user has all it wants, while the message may not be complete. A
    // transport may read on for a moment so that the connection can be used again. No fact is reported any more.
    virtual void retire(std::unique_ptr<Exchange> self) { self.reset(); }
};

// Tuning that belongs to the connection and comes from the policy.
struct WireOptions {
    WireOptions() = default;
    bool keepalive = true;
    int keepaliveIdleS = 30;
    int keepaliveIntervalS = 10;
    int keepaliveCount = 3;
    bool ipv4Only = false;
    QString proxyUrl; // empty = the system's
    bool newConnection = false; // never one that was kept from an earlier request
};

class Transport
{
public:
    Transport() = default;
    virtual ~Transport() = default;
    Q_DISABLE_COPY_MOVE(Transport)

    // Starts the request that is number `number` of its exec (from 1; scripts are picked by it). The first fact may be reported before this returns only by posting it.
    // `listener` outlives the exchange.
    [[nodiscard]] virtual std::unique_ptr<Exchange> begin(const WireRequest &request, int number, const WireOptions &options,
                                                          WireListener &listener) = 0;
};

} // namespace Waitscope
