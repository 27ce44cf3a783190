// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/problem.h"

namespace Waitscope {

QString Problem::line() const
{
    QString text = where.isEmpty() ? what : where + QStringLiteral(": ") + what;
    if (!advice.isEmpty())
        text += QStringLiteral("; ") + advice;
    // One line, whatever a file or a person put into it.
    text.replace(QLatin1Char('\n'), QLatin1Char(' '));
    text.replace(QLatin1Char('\r'), QLatin1Char(' '));
    return text;
}

} // namespace Waitscope
