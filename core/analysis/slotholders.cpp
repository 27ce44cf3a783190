// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/slotholders.h"

#include "analysis/phrases.h"

#include <QCoreApplication>

#include <algorithm>
#include <optional>

namespace Waitscope {

// The context of translations.
class SlotHolders
{
    Q_DECLARE_TR_FUNCTIONS(SlotHolders)
};

namespace {

std::optional<SpanInfo> openPhaseOf(const TraceStore &store, SpanId request)
{
    for (const SpanId id : store.childrenOf(request)) {
        const std::optional<SpanInfo> child = store.span(id);
        if (child && child->kind == SpanKind::Phase && child->isOpen())
            return child;
    }
    return std::nullopt;
}

QString taskOf(const TraceStore &store, SpanInfo span)
{
    while (span.kind != SpanKind::Task) {
        const std::optional<SpanInfo> parent = store.span(span.parent);
        if (!parent)
            break;
        span = *parent;
    }
    return span.label.isEmpty() ? SlotHolders::tr("another call") : span.label;
}

QString saidPhase(Phase phase)
{
    switch (phase) {
    case Phase::None:
    case Phase::Queue:
        break;
    case Phase::Dns:
        return SlotHolders::tr("looking up the host");
    case Phase::Connect:
    case Phase::ConnectTls:
        return SlotHolders::tr("connecting");
    case Phase::Tls:
        return SlotHolders::tr("in the TLS handshake");
    case Phase::Send:
        return SlotHolders::tr("sending");
    case Phase::Wait:
        return SlotHolders::tr("waiting for the first byte");
    case Phase::Receive:
        return SlotHolders::tr("receiving");
    }
    return SlotHolders::tr("at work");
}

struct Holder {
    SpanInfo request;
    Instant since; // the end of its own wait, if it had one
    Phase phase = Phase::None;
};

std::optional<Holder> holderOf(const TraceStore &store, SpanId id)
{
    const std::optional<SpanInfo> request = store.span(id);
    if (!request || request->kind != SpanKind::Request)
        return std::nullopt;
    const std::optional<SpanInfo> phase = openPhaseOf(store, id);
    if (phase && phase->phase == Phase::Queue)
        return std::nullopt;
    Holder holder{*request, request->begin, phase ? phase->phase : Phase::None};
    for (const SpanId child : store.childrenOf(id)) {
        const std::optional<SpanInfo> queue = store.span(child);
        if (queue && queue->kind == SpanKind::Phase && queue->phase == Phase::Queue)
            holder.since = queue->end;
    }
    return holder;
}

} // namespace

QString slotHoldersClause(const TraceStore &store, Instant now)
{
    std::optional<Holder> longest;
    int count = 0;
    for (const SpanId id : store.openSpans()) {
        std::optional<Holder> holder = holderOf(store, id);
        if (!holder)
            continue;
        ++count;
        if (!longest || holder->since < longest->since)
            longest = std::move(holder);
    }
    if (!longest)
        return {};
    const QString holder = SlotHolders::tr("%1, for %2, %3")
                               .arg(taskOf(store, longest->request), saidAge(now - longest->since), saidPhase(longest->phase));
    return count == 1 ? SlotHolders::tr("the only one is taken by %1").arg(holder)
                      : SlotHolders::tr("all %1 are taken, longest by %2").arg(count).arg(holder);
}

} // namespace Waitscope
