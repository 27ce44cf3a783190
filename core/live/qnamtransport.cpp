// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/qnamtransport.h"

#include "live/proxychoice.h"
#include "live/qnamexchange.h"
#include "live/qnamlane.h"

#include <utility>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// A request that cannot even be begun: says so from the event loop.
class StillbornExchange final : public QObject, public Exchange
{
public:
    StillbornExchange(RealClock &clock, WireEnd end, QString text, WireListener &listener)
    {
        WireFact fact;
        fact.kind = WireFact::Kind::End;
        fact.end = end;
        fact.text = std::move(text);
        fact.at = clock.nominalNow();
        QMetaObject::invokeMethod(
            this,
            [this, fact = std::move(fact), &listener]() mutable {
                if (!m_aborted)
                    listener.onFact(std::move(fact));
            },
            Qt::QueuedConnection);
    }

    void abort() override { m_aborted = true; }
    void resumeReading() override { }

private:
    bool m_aborted = false;
};

SocketOptions socketOptions(const WireOptions &options)
{
    SocketOptions socket;
    socket.keepalive = options.keepalive;
    socket.keepaliveIdleS = options.keepaliveIdleS;
    socket.keepaliveIntervalS = options.keepaliveIntervalS;
    socket.keepaliveCount = options.keepaliveCount;
    socket.ipv4Only = options.ipv4Only;
    return socket;
}

bool isHttpUrl(const QUrl &url)
{
    const bool known = url.scheme() == "http"_L1 || url.scheme() == "https"_L1;
    return url.isValid() && known && !url.host().isEmpty() && url.port(1) > 0;
}

} // namespace

QnamTransport::QnamTransport(RealClock &clock, const QnamOptions &options)
    : m_clock(clock)
    , m_tls(tlsConfiguration(options.caFile))
{
}

QnamTransport::~QnamTransport() = default;

std::unique_ptr<Exchange> QnamTransport::begin(const WireRequest &request, int, const WireOptions &options, WireListener &listener)
{
    if (!isHttpUrl(request.url))
        return std::make_unique<StillbornExchange>(m_clock, WireEnd::Failed, u"not an http URL"_s, listener);
    if (!m_tls && request.url.scheme() == "https"_L1)
        return std::make_unique<StillbornExchange>(m_clock, WireEnd::TlsFailed, m_tls.error().line(), listener);
    const Expected<QNetworkProxy> proxy = proxyFor(request.url, options.proxyUrl);
    if (!proxy)
        return std::make_unique<StillbornExchange>(m_clock, WireEnd::ProxyFailed, proxy.error().what, listener);
    const SocketOptions wanted = socketOptions(options);
    for (size_t i = 0;; ++i) {
        if (i == m_lanes.size())
            m_lanes.push_back(std::make_unique<QnamLane>(*proxy, m_tls.value_or(QSslConfiguration())));
        QnamLane &lane = *m_lanes[i];
        if (lane.proxy() != *proxy)
            continue;
        std::optional<ConnectionSlot> slot = lane.connections().take(request.url, wanted, options.newConnection ? SlotPool::Reuse::Nothing : SlotPool::Reuse::Kept);
        if (!slot)
            continue;
        lane.setOptions(wanted);
        auto exchange = std::make_unique<QnamExchange>(m_clock, lane, std::move(*slot), request, listener);
        exchange->start();
        return exchange;
    }
}

void QnamTransport::wokeUp(Duration slept)
{
    for (const std::unique_ptr<QnamLane> &lane : m_lanes)
        lane->wokeUp(slept);
}

} // namespace Waitscope
