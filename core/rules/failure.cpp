// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/failure.h"

#include <QStringBuilder>

namespace Waitscope {

QString Failure::typeAndText() const
{
    return type % QLatin1StringView(": ") % text;
}

} // namespace Waitscope
