// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/qnamlane.h"

#include "live/libchooks.h"
#include "live/monotonic.h"
#include "live/qnamexchange.h"

#include <QNetworkReply>

#include <algorithm>

namespace Waitscope {

QnamLane::QnamLane(const QNetworkProxy &proxy, const QSslConfiguration &tls)
    : m_tls(tls)
    , m_expectsWatching(interpositionWorks())
{
    m_manager.setProxy(QNetworkProxy::NoProxy);
    m_manager.setAutoDeleteReplies(false);
    connect(&m_watch, &NetworkWatch::lookupBegan, this, &QnamLane::onLookupBegan);
    connect(&m_watch, &NetworkWatch::lookupEnded, this, &QnamLane::onLookupEnded);
    connect(&m_watch, &NetworkWatch::socketStarted, this, &QnamLane::onSocketStarted);
    connect(&m_watch, &NetworkWatch::socketEnded, this, &QnamLane::onSocketEnded);
    connect(&m_watch, &NetworkWatch::socketBroke, this, &QnamLane::onSocketBroke);
    if (m_expectsWatching)
        registerThread();
    m_manager.setProxy(proxy);
}

QnamLane::~QnamLane()
{
    const std::vector<QnamExchange *> orphans = std::exchange(m_exchanges, {});
    for (QnamExchange *exchange : orphans)
        exchange->loseLane();
}

void QnamLane::registerThread()
{
    // A request without a body is handed to the manager's thread at once, ahead of all that follow.
    QNetworkReply *reply = m_manager.get(QNetworkRequest(m_watch.registrationUrl()));
    connect(reply, &QNetworkReply::finished, this, [this, reply] {
        m_expectsWatching = m_watch.isRegistered();
        reply->deleteLater();
    });
}

void QnamLane::setOptions(const SocketOptions &options)
{
    m_watch.setOptions(options);
}

void QnamLane::join(QnamExchange &exchange, const QByteArray &lookupName)
{
    m_exchanges.push_back(&exchange);
    if (!lookupName.isEmpty())
        m_watch.watchName(lookupName);
}

void QnamLane::leave(QnamExchange &exchange, const QByteArray &lookupName)
{
    std::erase(m_exchanges, &exchange);
    std::erase_if(m_announced, [&exchange](const Announcement &a) { return a.exchange == &exchange; });
    if (!lookupName.isEmpty())
        m_watch.unwatchName(lookupName);
}

void QnamLane::announce(QnamExchange &exchange)
{
    m_announced.push_back({&exchange, monotonicNs()});
}

void QnamLane::onLookupBegan(const QByteArray &name, qint64 atNs)
{
    ++m_lookups[name];
    const std::vector<QnamExchange *> told = m_exchanges; // hearing it may end one
    for (QnamExchange *exchange : told) {
        if (std::ranges::find(m_exchanges, exchange) != m_exchanges.end())
            exchange->lookupBegan(name, atNs);
    }
}

void QnamLane::onLookupEnded(const QByteArray &name, qint64 atNs, int result)
{
    if (--m_lookups[name] <= 0)
        m_lookups.remove(name);
    const std::vector<QnamExchange *> told = m_exchanges;
    for (QnamExchange *exchange : told) {
        if (std::ranges::find(m_exchanges, exchange) != m_exchanges.end())
            exchange->lookupEnded(name, atNs, result);
    }
}

QnamExchange *QnamLane::ownerOf(const WatchedSocket &socket)
{
    // An announcement heard after the connect() came right before this: the usual case.
    auto found = m_announced.end();
    if (!m_announced.empty() && m_announced.back().heardNs >= socket.beganNs)
        found = std::prev(m_announced.end());
    else // a look-up lay between the two; those go on in the order they were announced
        found = std::ranges::find_if(m_announced, [&socket](const Announcement &a) {
            return a.exchange->connectPort() == socket.peerPort;
        });
    if (found != m_announced.end()) {
        QnamExchange *owner = found->exchange;
        m_announced.erase(found);
        return owner;
    }
    // A further address of a host whose first one failed: of the exchange that has waited longest for it.
    const auto retrying = std::ranges::find_if(m_exchanges, [&socket](const QnamExchange *exchange) {
        return exchange->isConnecting() && exchange->connectPort() == socket.peerPort;
    });
    return retrying == m_exchanges.end() ? nullptr : *retrying;
}

QnamExchange *QnamLane::userOf(const WatchedSocket &socket) const
{
    const auto user = std::ranges::find_if(m_exchanges,
                                           [&socket](const QnamExchange *exchange) { return exchange->uses(socket); });
    return user == m_exchanges.end() ? nullptr : *user;
}

void QnamLane::onSocketStarted(const std::shared_ptr<WatchedSocket> &socket)
{
    if (QnamExchange *owner = ownerOf(*socket))
        owner->socketStarted(socket);
}

void QnamLane::onSocketEnded(const std::shared_ptr<WatchedSocket> &socket)
{
    if (QnamExchange *user = userOf(*socket))
        user->socketEnded(socket);
}

void QnamLane::onSocketBroke(const std::shared_ptr<WatchedSocket> &socket)
{
    if (QnamExchange *user = userOf(*socket))
        user->socketBroke(*socket);
}

void QnamLane::wokeUp(Duration slept)
{
    m_slots.dropKept(slept);
    const std::vector<QnamExchange *> told = m_exchanges; // ending one may end others
    for (QnamExchange *exchange : told) {
        if (std::ranges::find(m_exchanges, exchange) != m_exchanges.end())
            exchange->wokeUp(slept);
    }
}

} // namespace Waitscope
