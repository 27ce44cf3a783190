// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/addresses.h"

#include "analysis/phrases.h"

#include <QCoreApplication>

#include <algorithm>

namespace Waitscope {

// The context of translations.
class Addresses
{
    Q_DECLARE_TR_FUNCTIONS(Addresses)
};

namespace {

struct Tried {
    QString address;
    Instant since;
    QString failure; // "192.0.2.1:443: Connection refused"
};

// In the order of their first tries. The network library tries each one twice: the latest try counts.
std::vector<Tried> triedBy(const TraceStore &store, SpanId request)
{
    std::vector<Tried> list;
    for (const ShownMark &mark : store.marksOf(request)) {
        if (mark.kind == MarkKind::Trying) {
            const auto known = std::ranges::find(list, mark.text, &Tried::address);
            if (known == list.end())
                list.push_back({mark.text, mark.at, {}});
            else
                *known = {mark.text, mark.at, {}};
        } else if (mark.kind == MarkKind::AddressFailed) {
            const auto failed = std::ranges::find_if(list, [&mark](const Tried &t) { return mark.text.startsWith(t.address + u':'); });
            if (failed != list.end())
                failed->failure = mark.text;
        }
    }
    return list;
}

} // namespace

QString addressesClause(const TraceStore &store, SpanId request, Instant now)
{
    const std::vector<Tried> list = triedBy(store, request);
    if (list.size() < 2 && std::ranges::all_of(list, [](const Tried &t) { return t.failure.isEmpty(); }))
        return {};
    QStringList texts;
    for (const Tried &tried : list)
        texts << (tried.failure.isEmpty() ? Addresses::tr("%1 no answer for %2").arg(tried.address, saidAge(now - tried.since)) : tried.failure);
    return texts.join(QStringLiteral(", "));
}

} // namespace Waitscope
