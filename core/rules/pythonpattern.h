// SPDX-License-Identifier: GPL-3.0-or-later
// A regular expression that matches as Python's re does with IGNORECASE.
#pragma once

#include "rules/markers.h"

#include <QRegularExpression>

namespace Waitscope {

// Letters match without regard to case, i, k and s their Unicode look-alikes too; \d is a digit of any script, \s a
// space as Python knows it, and a dot anything but a line feed. Inside [...] only plain characters may stand.
class PythonPattern
{
public:
    // Every match contains one of the anchors, in lower case. They are looked for first, because that is far cheaper and
    // most texts have none.
    PythonPattern(QStringView pattern, std::vector<QStringView> anchors);

    // The first match; a null text where there is none.
    [[nodiscard]] QString match(const QString &text) const;

private:
    MarkerTable m_anchors;
    QRegularExpression m_expression;
};

} // namespace Waitscope
