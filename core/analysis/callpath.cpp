// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/callpath.h"

#include <algorithm>

namespace Waitscope {

namespace {

// Layers nest some seven deep, a call within a call twice that; a damaged file may claim more.
constexpr int deepest = 64;

SpanId lastOpenChild(const TraceStore &store, SpanId parent)
{
    const std::vector<SpanId> children = store.childrenOf(parent);
    for (auto it = children.rbegin(); it != children.rend(); ++it) {
        if (store.isOpen(*it))
            return *it;
    }
    return {};
}

SpanId lastTryBelow(const TraceStore &store, SpanId parent)
{
    const std::vector<SpanId> children = store.childrenOf(parent);
    for (auto it = children.rbegin(); it != children.rend(); ++it) {
        if (store.kindOf(*it) != SpanKind::Backoff)
            return *it;
    }
    return {};
}

} // namespace

SpanId rootOf(const TraceStore &store, SpanId span)
{
    if (!store.kindOf(span))
        return {};
    for (int i = 0; i < deepest; ++i) {
        const SpanId parent = store.parentOf(span);
        if (!parent)
            break;
        span = parent;
    }
    return span;
}

std::vector<SpanInfo> openPath(const TraceStore &store, SpanId root)
{
    std::vector<SpanInfo> path;
    std::optional<SpanInfo> span = store.span(root);
    if (!span || !span->isOpen())
        return path;
    for (int i = 0; span && i < deepest; ++i) {
        SpanId next = lastOpenChild(store, span->id);
        if (!next && span->kind == SpanKind::Orphan)
            next = lastOpenChild(store, span->cause);
        path.push_back(std::move(*span));
        span = store.span(next);
    }
    return path;
}

std::vector<SpanInfo> lastPath(const TraceStore &store, SpanId root)
{
    std::vector<SpanInfo> path;
    std::optional<SpanInfo> span = store.span(root);
    for (int i = 0; span && i < deepest; ++i) {
        path.push_back(*span);
        if (span->kind == SpanKind::Request || span->kind == SpanKind::Phase)
            break;
        span = store.span(lastTryBelow(store, span->id));
    }
    return path;
}

std::vector<SpanInfo> lastRequests(const TraceStore &store, SpanId root, size_t most)
{
    std::vector<SpanInfo> requests;
    std::vector<SpanId> pending{root};
    // The last child is looked at first. A damaged file may nest for ever, but has only so many spans.
    while (!pending.empty() && requests.size() < most) {
        const SpanId id = pending.back();
        pending.pop_back();
        if (store.kindOf(id) == SpanKind::Request) {
            if (std::optional<SpanInfo> request = store.span(id))
                requests.push_back(std::move(*request));
            continue;
        }
        const std::vector<SpanId> children = store.childrenOf(id);
        pending.insert(pending.end(), children.begin(), children.end());
    }
    std::reverse(requests.begin(), requests.end());
    return requests;
}

std::optional<ShownTimer> lastFiring(const TraceStore &store, const std::vector<SpanInfo> &path)
{
    std::optional<ShownTimer> last;
    for (const SpanInfo &span : path) {
        for (ShownTimer &timer : store.timersOf(span.id)) {
            if (timer.state != TimerState::Fired || timer.kind == TimerKind::BackoffEnd)
                continue;
            // Of two at the same moment the inner one is what the outer one saw.
            if (!last || timer.ended >= last->ended)
                last = std::move(timer);
        }
    }
    return last;
}

} // namespace Waitscope
