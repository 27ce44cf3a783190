// SPDX-License-Identifier: GPL-3.0-or-later
// What trace tables run on: a virtual clock, fixed jitter, a policy put together from the case, and a list of what happened.
#pragma once

#include "conformance/casereader.h"
#include "engine/callcontext.h"
#include "engine/task.h"
#include "event/sink.h"
#include "sim/seededrandom.h"
#include "sim/virtualclock.h"

#include <QJsonArray>

namespace Waitscope {

// The names of control signals of the reference, which no layer catches.
[[nodiscard]] bool isControlSignal(QStringView typeName);

// A failure as a case spells it: type_name, message, http_status, status_code, retry_after_s, error_text, retryable, …
[[nodiscard]] Failure failureFromCase(const QJsonObject &entry);

// Entries used in order, the last one repeating for ever.
class AttemptScript
{
public:
    explicit AttemptScript(QJsonArray entries)
        : m_entries(std::move(entries))
    {
    }
    [[nodiscard]] QJsonObject next();
    [[nodiscard]] int used() const noexcept { return m_used; }

private:
    QJsonArray m_entries;
    int m_used = 0;
};

class TraceBench
{
public:
    TraceBench(Policy policy, double u);
    ~TraceBench();
    Q_DISABLE_COPY_MOVE(TraceBench)

    [[nodiscard]] CallContext &context() noexcept { return m_context; }
    [[nodiscard]] VirtualClock &clock() noexcept { return m_clock; }
    [[nodiscard]] double now() const noexcept { return toSeconds(m_clock.now()); }
    // Lets `duration` pass in the task at hand.
    [[nodiscard]] Task<> pass(double seconds);
    // Plays one entry: waits its duration, then gives its result. Signals are remembered by name.
    [[nodiscard]] Task<CallResult> play(QJsonObject entry);

    // [t, event, value], or [t, layer, event, value] when layers are named.
    void record(QLatin1StringView layer, QLatin1StringView event, QJsonValue value);
    [[nodiscard]] const QJsonArray &events() const noexcept { return m_events; }
    // Leave a layer's sleeps out of the events, or put layer names into them.
    bool nameLayers = false;

    // The name and text of the control signal that ended it.
    QString signalType;
    QString signalText;
    QStringList notes;
    int linesRead = 0;

private:
    class Sink;
    VirtualClock m_clock;
    FixedRandom m_random;
    std::unique_ptr<Sink> m_sink;
    EventLog m_log;
    PolicyBox m_policies;
    Strand m_strand;
    CallContext m_context;
    QJsonArray m_events;
};

// The reference as it is, for a case to change: rules, session, deadline and marks of OpenProgram's August 2026.
[[nodiscard]] Policy referencePolicy();

// "ok", or "error:Type" as the tables label the end of an attempt.
[[nodiscard]] QString labelOf(const QJsonObject &entry);

// An exec's ending as exec_traces and nested_traces spell it.
[[nodiscard]] QJsonObject execFinal(const CallResult &result, const TraceBench &bench);

} // namespace Waitscope
