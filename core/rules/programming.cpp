// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/rules.h"

#include <algorithm>
#include <array>

namespace Waitscope {

bool isProgrammingType(RuleSet rules, QStringView typeName, CallStyle style)
{
    static constexpr std::array<QStringView, 3> always{u"TypeError", u"NotImplementedError", u"StructuredOutputError"};
    static constexpr std::array<QStringView, 2> imports{u"ImportError", u"ModuleNotFoundError"};
    if (std::ranges::find(always, typeName) != always.end())
        return true;
    // The reference's async_exec forgot the import errors and retries them to the end.
    const bool importsCount = rules == RuleSet::Strict || style == CallStyle::Blocking;
    return importsCount && std::ranges::find(imports, typeName) != imports.end();
}

} // namespace Waitscope
