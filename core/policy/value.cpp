// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/value.h"

#include "policy/texts.h"

#include <QLocale>

#include <cmath>

namespace Waitscope {

using namespace Qt::StringLiterals;

SettingValue SettingValue::off()
{
    SettingValue value;
    value.m_kind = Kind::Off;
    return value;
}

SettingValue SettingValue::derived()
{
    SettingValue value;
    value.m_kind = Kind::Derived;
    return value;
}

SettingValue SettingValue::number(double n)
{
    SettingValue value;
    value.m_number = n;
    return value;
}

SettingValue SettingValue::text(QString t)
{
    SettingValue value;
    value.m_kind = Kind::Text;
    value.m_text = std::move(t);
    return value;
}

QString spellNumber(double n)
{
    // Whole numbers without an exponent: Python's int() reads no "1e+06".
    if (std::trunc(n) == n && std::abs(n) < 1e15)
        return QString::number(static_cast<qint64>(n));
    return QString::number(n, 'g', QLocale::FloatingPointShortest);
}

QString describeChoices(const SettingInfo &info)
{
    QStringList choices;
    switch (info.type) {
    case SettingType::Flag:
        choices << u"true or false"_s;
        break;
    case SettingType::Word:
        for (const QLatin1StringView word : info.words)
            choices << QString(word);
        return u"one of "_s + choices.join(u", "_s);
    case SettingType::Text:
        return describeText(info.id);
    case SettingType::Count:
    case SettingType::Seconds:
    case SettingType::Number: {
        QString range = (info.type == SettingType::Count ? u"a whole number"_s : u"a number"_s);
        if (info.unit == "s"_L1)
            range += u" of seconds"_s;
        else if (!info.unit.isEmpty())
            range += u" of "_s + info.unit;
        choices << range + u" from "_s + spellNumber(info.minimum) + u" to "_s + spellNumber(info.maximum);
        break;
    }
    }
    if (info.canBeOff)
        choices << u"off"_s;
    if (info.canBeAuto)
        choices << u"auto"_s;
    return choices.join(u", or "_s);
}

namespace {

tl::unexpected<Problem> refused(const SettingInfo &info, QStringView text)
{
    return usageProblem(QString(info.name), quoted(text) + u" is not a value for it"_s,
                        u"it takes "_s + describeChoices(info));
}

Expected<SettingValue> parseFlag(const SettingInfo &info, QStringView text)
{
    for (const QLatin1StringView yes : {"true"_L1, "on"_L1, "yes"_L1, "1"_L1}) {
        if (text.compare(yes, Qt::CaseInsensitive) == 0)
            return SettingValue::number(1);
    }
    for (const QLatin1StringView no : {"false"_L1, "off"_L1, "no"_L1, "0"_L1}) {
        if (text.compare(no, Qt::CaseInsensitive) == 0)
            return SettingValue::number(0);
    }
    return refused(info, text);
}

Expected<SettingValue> parseWord(const SettingInfo &info, QStringView text)
{
    for (size_t i = 0; i < info.words.size(); ++i) {
        if (text == info.words[i])
            return SettingValue::number(static_cast<double>(i));
    }
    return refused(info, text);
}

Expected<SettingValue> parseNumber(const SettingInfo &info, QStringView text)
{
    bool read = false;
    const double n = text.toDouble(&read);
    if (!read || !std::isfinite(n))
        return refused(info, text);
    if (info.type == SettingType::Count && std::trunc(n) != n)
        return refused(info, text);
    if (n < info.minimum || n > info.maximum) {
        return usageProblem(QString(info.name), spellNumber(n) + u" is out of range"_s,
                            u"it takes "_s + describeChoices(info));
    }
    return SettingValue::number(n + 0.0); // -0 becomes 0
}

} // namespace

tl::unexpected<Problem> unknownSetting(QStringView name)
{
    QStringList near;
    for (const QLatin1StringView similar : similarSettings(name))
        near << QString(similar);
    return usageProblem(quoted(name), u"no setting has this name"_s,
                        near.isEmpty() ? u"the command `settings` lists them all"_s
                                       : u"did you mean "_s + near.join(u" or "_s) + u'?');
}

Expected<SettingValue> parseValue(const SettingInfo &info, QStringView text)
{
    text = text.trimmed();
    if (info.canBeOff && text == "off"_L1)
        return SettingValue::off();
    if (info.canBeAuto && text == "auto"_L1)
        return SettingValue::derived();
    switch (info.type) {
    case SettingType::Flag:
        return parseFlag(info, text);
    case SettingType::Word:
        return parseWord(info, text);
    case SettingType::Count:
    case SettingType::Seconds:
    case SettingType::Number:
        return parseNumber(info, text);
    case SettingType::Text: {
        std::optional<QString> normal = normalText(info.id, text);
        if (!normal)
            return refused(info, shownText(info.id, text.toString()));
        return SettingValue::text(*std::move(normal));
    }
    }
    Q_UNREACHABLE();
}

QString spellValue(const SettingInfo &info, const SettingValue &value)
{
    if (value.isOff())
        return u"off"_s;
    if (value.isDerived())
        return u"auto"_s;
    switch (info.type) {
    case SettingType::Flag:
        return value.toNumber() != 0 ? u"true"_s : u"false"_s;
    case SettingType::Word:
        return QString(info.words[static_cast<size_t>(value.toNumber())]);
    case SettingType::Count:
    case SettingType::Seconds:
    case SettingType::Number:
        return spellNumber(value.toNumber());
    case SettingType::Text:
        return value.toText();
    }
    Q_UNREACHABLE();
}

QString showValue(const SettingInfo &info, const SettingValue &value)
{
    return info.type == SettingType::Text ? shownText(info.id, value.toText()) : spellValue(info, value);
}

} // namespace Waitscope
