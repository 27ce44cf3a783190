// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/pythonpattern.h"

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

QString translated(QStringView pattern)
{
    QString result;
    bool escaped = false;
    for (const QChar c : pattern) {
        if (escaped) {
            escaped = false;
            result += c == u's' ? u"[\\s\\x1c-\\x1f]"_s : u'\\' + QString(c);
        } else if (c == u'\\') {
            escaped = true;
        } else if (c == u'i') {
            result += u"[i\\x{130}\\x{131}]"_s;
        } else if (c == u'k') {
            result += u"[k\\x{212a}]"_s;
        } else if (c == u's') {
            result += u"[s\\x{17f}]"_s;
        } else if (c == u'.') {
            result += u"[^\\n]"_s;
        } else {
            result += c;
        }
    }
    return result;
}

} // namespace

PythonPattern::PythonPattern(QStringView pattern, std::vector<QStringView> anchors)
    : m_anchors(MarkerTable::Match::Substring, std::array{MarkerWords{MarkerGroup::Transient, std::move(anchors)}})
    , m_expression(translated(pattern),
                   QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption)
{
    Q_ASSERT_X(m_expression.isValid(), "PythonPattern", "a pattern of ours is malformed");
    m_expression.optimize();
}

QString PythonPattern::match(const QString &text) const
{
    const bool ascii = std::ranges::all_of(text, [](QChar c) { return c.unicode() < 128; });
    if (ascii && !m_anchors.find({text}).any())
        return {};
    return m_expression.match(text).captured();
}

} // namespace Waitscope
