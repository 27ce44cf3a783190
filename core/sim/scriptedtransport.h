// SPDX-License-Identifier: GPL-3.0-or-later
// A transport that plays fault scripts on the virtual clock: the wire of simulations, without latency of its own.
#pragma once

#include "engine/ports/clock.h"
#include "engine/ports/transport.h"
#include "fault/scriptplayer.h"

#include <QDateTime>

#include <deque>
#include <functional>
#include <vector>

namespace Waitscope {

// The first path segment of a request's URL names its scenario, as on the fault server; a run of one scenario takes it for
// every request. Scripts are used in order within one exec. What a script sends without any wait goes out at 64 KiB a
// millisecond, so that no script can send for ever within one instant.
class ScriptedTransport final : public Transport
{
public:
    // The scenarios are borrowed; there is one at least.
    ScriptedTransport(Clock &clock, const std::vector<Scenario> &scenarios, std::function<QDateTime()> nowUtc);
    ScriptedTransport(Clock &clock, std::vector<Scenario> &&scenarios, std::function<QDateTime()> nowUtc) = delete;

    [[nodiscard]] std::unique_ptr<Exchange> begin(const WireRequest &request, int number, const WireOptions &options,
                                                  WireListener &listener) override;

    // The scenario that answers requests to `url`.
    [[nodiscard]] const Scenario &scenarioOf(const QUrl &url) { return servedFor(url).scenario; }

private:
    // What a URL of this run means; the handful there are is read once.
    struct Served {
        Served(QUrl address, const Scenario &script, ServedDialect shape)
            : url(std::move(address))
            , scenario(script)
            , dialect(shape)
        {
        }
        QUrl url;
        const Scenario &scenario;
        ServedDialect dialect;
    };
    [[nodiscard]] const Served &servedFor(const QUrl &url);
    [[nodiscard]] const Scenario &scenarioFor(const QUrl &url) const;

    Clock &m_clock;
    const std::vector<Scenario> &m_scenarios;
    std::function<QDateTime()> m_nowUtc;
    std::deque<Served> m_served;
};

} // namespace Waitscope
