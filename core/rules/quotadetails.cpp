// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/quotadetails.h"

namespace Waitscope {

QuotaDetails quotaDetailsIn(QStringView text)
{
    constexpr QStringView name = u"\"quotaId";
    QuotaDetails details;
    for (qsizetype at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.size())) {
        // "quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier": one word, so that no marker stands in it.
        QStringView rest = text.sliced(at + name.size());
        const qsizetype colon = rest.indexOf(u':');
        const qsizetype open = colon < 0 ? -1 : rest.indexOf(u'"', colon);
        const qsizetype close = open < 0 ? -1 : rest.indexOf(u'"', open + 1);
        if (close < 0)
            break;
        const QStringView id = rest.sliced(open + 1, close - open - 1);
        details.perMinute = details.perMinute || id.contains(u"PerMinute", Qt::CaseInsensitive);
        details.perDay = details.perDay || id.contains(u"PerDay", Qt::CaseInsensitive);
    }
    return details;
}

} // namespace Waitscope
