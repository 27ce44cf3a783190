// SPDX-License-Identifier: GPL-3.0-or-later
// The live transport: requests over QNetworkAccessManager, used so that it neither queues, nor re-sends, nor decides.
//
// Lives in the engine's thread with the clock and everything it makes. Destroying it ends its exchanges without further
// facts. What it can know and what not is in qnamexchange.h, endjudge.h and networkwatch.h.
#pragma once

#include "engine/ports/transport.h"
#include "live/realclock.h"
#include "live/tlsoptions.h"

#include <memory>
#include <vector>

namespace Waitscope {

class QnamLane;

struct QnamOptions {
    QnamOptions() = default;
    QString caFile; // trusted instead of the system's authorities; empty = the system's
};

class QnamTransport final : public Transport
{
public:
    // `clock` outlives the transport. A `caFile` that tlsConfiguration() refuses makes every https request end as
    // TlsFailed with its problem; ask that function first to tell the person at once.
    explicit QnamTransport(RealClock &clock, const QnamOptions &options = {});
    ~QnamTransport() override;

    [[nodiscard]] std::unique_ptr<Exchange> begin(const WireRequest &request, int, const WireOptions &options,
                                                  WireListener &listener) override;

    // The machine has slept so long: connections that keepalive would have found dead meanwhile are taken for dead, now.
    // Requests on them end as LostInSleep, kept ones are not used again.
    void wokeUp(Duration slept);

private:
    RealClock &m_clock;
    const Expected<QSslConfiguration> m_tls;
    std::vector<std::unique_ptr<QnamLane>> m_lanes; // one for each proxy; more where an origin runs out of slot names
};

} // namespace Waitscope
