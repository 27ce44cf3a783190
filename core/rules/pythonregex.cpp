// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/pythonregex.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

QRegularExpression pythonIgnoringCase(QStringView pattern)
{
    QString translated;
    bool escaped = false;
    for (const QChar c : pattern) {
        if (escaped) {
            escaped = false;
            translated += c == u's' ? u"[\\s\\x1c-\\x1f]"_s : u'\\' + QString(c);
        } else if (c == u'\\') {
            escaped = true;
        } else if (c == u'i') {
            translated += u"[i\\x{130}\\x{131}]"_s;
        } else if (c == u'k') {
            translated += u"[k\\x{212a}]"_s;
        } else if (c == u's') {
            translated += u"[s\\x{17f}]"_s;
        } else if (c == u'.') {
            translated += u"[^\\n]"_s;
        } else {
            translated += c;
        }
    }
    QRegularExpression expression(translated, QRegularExpression::CaseInsensitiveOption
                                                  | QRegularExpression::UseUnicodePropertiesOption);
    Q_ASSERT_X(expression.isValid(), "pythonIgnoringCase", "a pattern of ours is malformed");
    expression.optimize();
    return expression;
}

} // namespace Waitscope
