// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault/jsonfields.h"

#include "fault/nearword.h"
#include "fault/scriptcheck.h"

#include <cmath>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

QString shortened(QString text)
{
    constexpr qsizetype shown = 60;
    if (text.size() > shown)
        text = text.left(shown) + u'…';
    return text;
}

QString quoted(const QString &text)
{
    return u'"' + shortened(text) + u'"';
}

} // namespace

void JsonProblem::set(const QString &path, const QString &what, const QString &advice)
{
    if (!m_problem)
        m_problem.emplace(ProblemKind::Usage, path.isEmpty() ? m_fileName : m_fileName + u": "_s + path, what, advice);
}

QString kindOf(const QJsonValue &value)
{
    switch (value.type()) {
    case QJsonValue::Null:
        return u"null"_s;
    case QJsonValue::Bool:
        return value.toBool() ? u"true"_s : u"false"_s;
    case QJsonValue::Double:
        return u"the number %1"_s.arg(value.toDouble());
    case QJsonValue::String:
        return u"the text "_s + quoted(value.toString());
    case QJsonValue::Array:
        return u"a list"_s;
    case QJsonValue::Object:
        return u"an object"_s;
    case QJsonValue::Undefined:
        return u"nothing"_s;
    }
    Q_UNREACHABLE();
}

void JsonFields::fail(const QString &name, const QString &what, const QString &advice)
{
    m_problem.set(pathOf(name), what, advice);
}

bool JsonFields::missing(const QString &name, bool required, const QString &allowed)
{
    m_known << name;
    if (m_object.contains(name))
        return false;
    if (required)
        fail(name, u"missing"_s, u"give "_s + allowed);
    return true;
}

QJsonValue JsonFields::any(const QString &name)
{
    m_known << name;
    return m_object.value(name);
}

QString JsonFields::text(const QString &name, bool required)
{
    if (missing(name, required, u"a text"_s))
        return {};
    const QJsonValue value = m_object.value(name);
    if (!value.isString()) {
        fail(name, u"a text is expected, found "_s + kindOf(value), u"write it in quotes"_s);
        return {};
    }
    const QString text = value.toString();
    if (text.size() > mostStepBytes)
        fail(name, u"the text is too long"_s, u"at most %L1 characters"_s.arg(mostStepBytes));
    else if (required && text.isEmpty())
        fail(name, u"the text is empty"_s, u"give one character or more"_s);
    return text;
}

QByteArray JsonFields::word(const QString &name)
{
    const QString text = this->text(name);
    for (const QChar c : text) {
        if (c < u' ' || c > u'~') {
            fail(name, u"%1 cannot stand in an HTTP head"_s.arg(quoted(text)), u"use printable ASCII on one line"_s);
            break;
        }
    }
    return text.toLatin1();
}

qint64 JsonFields::integer(const QString &name, qint64 fallback, qint64 least, qint64 most, bool required)
{
    const QString allowed = u"a whole number from %1 to %2"_s.arg(least).arg(most);
    if (missing(name, required, allowed))
        return fallback;
    const QJsonValue value = m_object.value(name);
    const double number = value.toDouble(std::nan(""));
    if (!value.isDouble() || number != std::floor(number) || number < static_cast<double>(least)
        || number > static_cast<double>(most)) {
        fail(name, kindOf(value) + u" is not allowed"_s, u"give "_s + allowed);
        return fallback;
    }
    return static_cast<qint64>(number);
}

bool JsonFields::flag(const QString &name)
{
    if (missing(name, false, {}))
        return false;
    const QJsonValue value = m_object.value(name);
    if (!value.isBool())
        fail(name, kindOf(value) + u" is not allowed"_s, u"give true or false"_s);
    return value.toBool();
}

std::optional<qint64> JsonFields::count(const QString &name, qint64 most)
{
    const QString allowed = u"a whole number from 1 to %1, or \"forever\""_s.arg(most);
    if (missing(name, true, allowed))
        return 1;
    const QJsonValue value = m_object.value(name);
    if (value.isString()) {
        if (value.toString() == "forever"_L1)
            return std::nullopt;
        fail(name, kindOf(value) + u" is not allowed"_s, u"give "_s + allowed);
        return 1;
    }
    return integer(name, 1, 1, most, true);
}

Duration JsonFields::seconds(const QString &name, bool required)
{
    const QString allowed = u"seconds from 0 to %1"_s.arg(toSeconds(longestDuration));
    if (missing(name, required, allowed))
        return Duration::zero();
    const QJsonValue value = m_object.value(name);
    const double number = value.toDouble(-1);
    if (!value.isDouble() || !(number >= 0) || number > toSeconds(longestDuration)) {
        fail(name, kindOf(value) + u" is not allowed"_s, u"give "_s + allowed);
        return Duration::zero();
    }
    return fromSeconds(number);
}

int JsonFields::choice(const QString &name, const QStringList &choices, bool required)
{
    const QString allowed = u"one of "_s + choices.join(u", "_s);
    if (missing(name, required, allowed))
        return 0;
    const QJsonValue value = m_object.value(name);
    const auto index = static_cast<int>(value.isString() ? choices.indexOf(value.toString()) : -1);
    if (index < 0) {
        const QString near = nearestWord(value.toString(), choices);
        fail(name, kindOf(value) + u" is not known"_s,
             near.isEmpty() ? u"give "_s + allowed : u"did you mean %1? It is "_s.arg(near) + allowed);
        return 0;
    }
    return index;
}

QByteArray JsonFields::bytes(const QString &plain, const QString &coded, bool required)
{
    m_known << plain << coded;
    if (has(plain) && has(coded)) {
        fail(coded, u"given together with %1"_s.arg(plain), u"give one of them"_s);
        return {};
    }
    QByteArray result;
    if (has(coded)) {
        const auto decoded = QByteArray::fromBase64Encoding(text(coded).toUtf8(), QByteArray::AbortOnBase64DecodingErrors);
        if (!decoded)
            fail(coded, u"not base64"_s, u"give bytes in the standard alphabet with padding, or use "_s + plain);
        else
            result = *decoded;
    } else if (has(plain) || required) {
        if (missing(plain, required, u"a text, or bytes in base64 under "_s + coded))
            return {};
        result = text(plain).toUtf8();
    }
    if (required && result.isEmpty())
        fail(has(coded) ? coded : plain, u"there are no bytes in it"_s, u"give one or more"_s);
    else if (result.size() > mostStepBytes)
        fail(has(coded) ? coded : plain, u"too many bytes"_s, u"at most %L1"_s.arg(mostStepBytes));
    return result;
}

QJsonArray JsonFields::list(const QString &name, bool required)
{
    if (missing(name, required, u"a list"_s))
        return {};
    const QJsonValue value = m_object.value(name);
    if (!value.isArray())
        fail(name, u"a list is expected, found "_s + kindOf(value), u"write it in [ ]"_s);
    else if (required && value.toArray().isEmpty())
        fail(name, u"the list is empty"_s, u"give one entry or more"_s);
    else if (value.toArray().size() > mostListEntries)
        fail(name, u"the list is too long"_s, u"at most %1 entries"_s.arg(mostListEntries));
    else
        return value.toArray();
    return {};
}

void JsonFields::refuseOthers()
{
    for (auto it = m_object.begin(); it != m_object.end(); ++it) {
        if (m_known.contains(it.key()))
            continue;
        const QString near = nearestWord(it.key(), m_known);
        fail(shortened(it.key()), u"unknown name"_s,
             near.isEmpty() ? u"known here: "_s + m_known.join(u", "_s) : u"did you mean %1?"_s.arg(near));
        return;
    }
}

} // namespace Waitscope
