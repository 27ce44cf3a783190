// SPDX-License-Identifier: GPL-3.0-or-later
// One QNetworkAccessManager with its thread, its connection slots and the watch over it. All its requests take one proxy.
//
// Brings what the watch sees to the exchange it belongs to. Lives in the engine's thread.
#pragma once

#include "live/networkwatch.h"
#include "live/slotpool.h"

#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QSslConfiguration>

#include <vector>

namespace Waitscope {

class QnamExchange;

class QnamLane : public QObject
{
    Q_OBJECT

public:
    QnamLane(const QNetworkProxy &proxy, const QSslConfiguration &tls);
    ~QnamLane() override;

    [[nodiscard]] QNetworkAccessManager &manager() noexcept { return m_manager; }
    [[nodiscard]] const QSslConfiguration &tls() const noexcept { return m_tls; }
    [[nodiscard]] QNetworkProxy proxy() const { return m_manager.proxy(); }
    [[nodiscard]] bool isProxied() const { return proxy().type() != QNetworkProxy::NoProxy; }
    [[nodiscard]] SlotPool &connections() noexcept { return m_slots; }
    void setOptions(const SocketOptions &options);

    // Whether connections of this lane are seen by the hooks; otherwise phases are told as the library's signals allow.
    [[nodiscard]] bool isWatched() const noexcept { return m_watch.isRegistered(); }
    // Whether they can be expected to be, before the thread has registered itself.
    [[nodiscard]] bool expectsWatching() const noexcept { return m_expectsWatching; }

    void join(QnamExchange &exchange, const QByteArray &lookupName);
    void leave(QnamExchange &exchange, const QByteArray &lookupName);
    // The library announced a connection for it: the next socket that starts is its own.
    void announce(QnamExchange &exchange);
    // When the look-up of a name that goes on right now began.
    [[nodiscard]] bool isLookingUp(const QByteArray &name) const { return m_lookups.value(name) > 0; }

    void wokeUp(Duration slept); // see QnamTransport

    // Requests that nobody waits for any more and that are read to their end for the sake of their connection.
    [[nodiscard]] bool mayLinger() const noexcept { return m_lingering < mostLingering; }
    void lingerBegan() noexcept { ++m_lingering; }
    void lingerEnded() noexcept { --m_lingering; }

private:
    static constexpr int mostLingering = 256;

    struct Announcement {
        QnamExchange *exchange;
        qint64 heardNs;
    };

    void registerThread();
    void onLookupBegan(const QByteArray &name, qint64 atNs);
    void onLookupEnded(const QByteArray &name, qint64 atNs, int result);
    void onSocketStarted(const std::shared_ptr<WatchedSocket> &socket);
    void onSocketEnded(const std::shared_ptr<WatchedSocket> &socket);
    void onSocketBroke(const std::shared_ptr<WatchedSocket> &socket);
    [[nodiscard]] QnamExchange *userOf(const WatchedSocket &socket) const;
    [[nodiscard]] QnamExchange *ownerOf(const WatchedSocket &socket);

    const QSslConfiguration m_tls;
    NetworkWatch m_watch;
    SlotPool m_slots;
    std::vector<QnamExchange *> m_exchanges; // in order of their beginning
    std::vector<Announcement> m_announced;   // without a socket yet
    QHash<QByteArray, int> m_lookups;        // going on now
    bool m_expectsWatching;
    int m_lingering = 0;
    QNetworkAccessManager m_manager;         // last: its thread ends before anything it reports to
};

} // namespace Waitscope
