// SPDX-License-Identifier: GPL-3.0-or-later
// Environment files: the common ground of `sh`, docker and the dotenv libraries; what they read differently is refused.
#include "policy/environment.h"

#include "base/wholefile.h"

#include <QProcessEnvironment>
#include <QStringDecoder>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

bool isNameStart(QChar c)
{
    return c == u'_' || (c >= u'A' && c <= u'Z') || (c >= u'a' && c <= u'z');
}

bool isVariableName(QStringView text)
{
    if (text.isEmpty() || !isNameStart(text.front()))
        return false;
    return std::ranges::all_of(text, [](QChar c) { return isNameStart(c) || (c >= u'0' && c <= u'9'); });
}

// One value: quoted and bare pieces side by side, as a shell joins them.
class ValueReader
{
public:
    ValueReader(QStringView text, const QString &place)
        : m_rest(text.trimmed())
        , m_place(place)
    {
        // "NAME= # comment": nothing was set.
        if (m_rest.startsWith(u'#') && text.front().isSpace())
            m_rest = {};
    }

    Expected<QString> read()
    {
        bool afterQuote = false;
        while (!m_rest.isEmpty()) {
            const QChar c = take();
            if (c == u'\'' || c == u'"') {
                if (std::optional<Problem> fault = c == u'"' ? readDouble() : readSingle())
                    return tl::unexpected(*std::move(fault));
                afterQuote = true;
            } else if (c.isSpace()) {
                const QStringView next = m_rest.trimmed();
                if (next.startsWith(u'#'))
                    break;
                if (afterQuote)
                    return usageProblem(m_place, u"something stands behind the closing quote"_s,
                                        u"put the whole value between quotes"_s);
                m_value += c;
            } else if (c == u'\\' && !m_rest.isEmpty()) {
                m_value += take();
            } else if (const std::optional<Problem> fault = refuseExpansion(c)) {
                return tl::unexpected(*fault);
            } else {
                m_value += c;
                afterQuote = false;
            }
        }
        return m_value;
    }

private:
    QChar take()
    {
        const QChar c = m_rest.front();
        m_rest = m_rest.mid(1);
        return c;
    }

    std::optional<Problem> readSingle()
    {
        const qsizetype end = m_rest.indexOf(u'\'');
        if (end < 0)
            return unclosed();
        m_value += m_rest.left(end);
        m_rest = m_rest.mid(end + 1);
        return std::nullopt;
    }

    std::optional<Problem> readDouble()
    {
        while (!m_rest.isEmpty()) {
            const QChar c = take();
            if (c == u'"')
                return std::nullopt;
            if (c == u'\\' && !m_rest.isEmpty() && u"\\\"$`"_s.contains(m_rest.front()))
                m_value += take();
            else if (std::optional<Problem> fault = refuseExpansion(c))
                return fault;
            else
                m_value += c;
        }
        return unclosed();
    }

    std::optional<Problem> refuseExpansion(QChar c) const
    {
        const bool variable = c == u'$' && !m_rest.isEmpty()
            && (isNameStart(m_rest.front()) || m_rest.front() == u'{' || m_rest.front() == u'(');
        if (!variable && c != u'`')
            return std::nullopt;
        return Problem(ProblemKind::Usage, m_place, u"the value asks a shell to put something in"_s,
                       u"write it out, or put it between single quotes"_s);
    }

    Problem unclosed() const
    {
        return Problem(ProblemKind::Usage, m_place, u"the quote is not closed on its line"_s);
    }

    QStringView m_rest;
    const QString &m_place;
    QString m_value;
};

Expected<EnvironmentVariable> parseLine(QStringView line, const QString &place)
{
    constexpr QStringView word = u"export";
    if (line.startsWith(word) && line.size() > word.size() && line[word.size()].isSpace())
        line = line.mid(word.size()).trimmed();
    const qsizetype equals = line.indexOf(u'=');
    const QStringView name = (equals < 0 ? line : line.left(equals)).trimmed();
    if (equals < 0)
        return usageProblem(place, u"no = on this line"_s, u"a line is NAME=VALUE, a comment or blank"_s);
    if (!isVariableName(name))
        return usageProblem(place, u"no name of a variable before ="_s, u"a name has letters, digits and _"_s);
    Expected<QString> value = ValueReader(line.mid(equals + 1), place).read();
    if (!value)
        return tl::unexpected(std::move(value).error());
    return EnvironmentVariable{name.toString(), *std::move(value), place};
}

} // namespace

Expected<Environment> parseDotenv(const QByteArray &content, const QString &name)
{
    Environment variables;
    int number = 0;
    // Every line by itself, so that bad bytes are named with their line.
    for (const QByteArray &bytes : content.split('\n')) {
        const QString place = name + u':' + QString::number(++number);
        QStringDecoder decode(QStringDecoder::Utf8);
        const QString text = decode(bytes);
        if (decode.hasError() || text.contains(QChar(0)))
            return usageProblem(place, u"not UTF-8 text"_s);
        const QStringView line = QStringView(text).trimmed();
        if (line.isEmpty() || line.startsWith(u'#'))
            continue;
        Expected<EnvironmentVariable> variable = parseLine(line, place);
        if (!variable)
            return tl::unexpected(std::move(variable).error());
        variables.push_back(*std::move(variable));
    }
    return variables;
}

Expected<Environment> readDotenv(const QString &path)
{
    // Far above any such file; a wrong one is refused before it fills the memory.
    constexpr qint64 largest = 1 << 20;
    const Expected<QByteArray> content = readWhole(path, largest, u"an environment file"_s);
    if (!content)
        return tl::unexpected(content.error());
    return parseDotenv(*content, path);
}

Environment processEnvironment()
{
    const QProcessEnvironment own = QProcessEnvironment::systemEnvironment();
    QStringList names = own.keys().filter(u"OPENPROGRAM_"_s);
    names.sort();
    Environment variables;
    for (const QString &name : names) {
        if (name.startsWith("OPENPROGRAM_"_L1))
            variables.push_back({name, own.value(name), u"environment"_s});
    }
    return variables;
}

} // namespace Waitscope
