// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/texts.h"

#include <QStringList>
#include <QUrl>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

enum class Form : quint8 { HintForms, Statuses, Proxy };

std::optional<Form> formOf(Setting setting)
{
    if (setting == Setting::ExecHintForms || setting == Setting::SessionHintForms || setting == Setting::StreamHintForms)
        return Form::HintForms;
    if (setting == Setting::StreamRetryStatuses)
        return Form::Statuses;
    if (setting == Setting::HttpProxyUrl)
        return Form::Proxy;
    return std::nullopt;
}

std::optional<QString> normalHintForms(QStringView text)
{
    HintForms forms{false, false, false, false};
    if (text != "none"_L1) {
        for (QStringView part : text.tokenize(u',')) {
            part = part.trimmed();
            if (part == "ms"_L1)
                forms.milliseconds = true;
            else if (part == "seconds"_L1)
                forms.seconds = true;
            else if (part == "date"_L1)
                forms.date = true;
            else if (part == "body"_L1)
                forms.body = true;
            else
                return std::nullopt;
        }
    }
    QStringList parts;
    if (forms.milliseconds)
        parts << u"ms"_s;
    if (forms.seconds)
        parts << u"seconds"_s;
    if (forms.date)
        parts << u"date"_s;
    if (forms.body)
        parts << u"body"_s;
    return parts.isEmpty() ? u"none"_s : parts.join(u',');
}

std::optional<int> readStatus(QStringView text)
{
    text = text.trimmed();
    if (text.size() != 3)
        return std::nullopt;
    bool read = false;
    const int status = text.toInt(&read);
    return read && status >= 100 && status <= 599 ? std::optional(status) : std::nullopt;
}

// Single statuses and ranges, kept as they were written but for blanks.
std::optional<QString> normalStatuses(QStringView text)
{
    if (text.isEmpty())
        return QString();
    QStringList parts;
    for (const QStringView part : text.tokenize(u',')) {
        const qsizetype dash = part.indexOf(u'-');
        const std::optional<int> first = readStatus(dash < 0 ? part : part.left(dash));
        const std::optional<int> last = dash < 0 ? first : readStatus(part.mid(dash + 1));
        if (!first || !last || *last < *first)
            return std::nullopt;
        parts << (first == last ? QString::number(*first)
                                : QString::number(*first) + u'-' + QString::number(*last));
    }
    return parts.join(u',');
}

std::optional<QString> normalProxy(QStringView text)
{
    if (text.isEmpty())
        return QString();
    // A line break would end the line of an environment file, and no address holds one.
    if (std::ranges::any_of(text, [](QChar c) { return c.isSpace() || c.category() == QChar::Other_Control; }))
        return std::nullopt;
    const QUrl url(text.toString(), QUrl::StrictMode);
    const QString scheme = url.scheme();
    const bool known = scheme == "http"_L1 || scheme == "https"_L1 || scheme == "socks5"_L1 || scheme == "socks5h"_L1;
    if (!url.isValid() || !known || url.host().isEmpty())
        return std::nullopt;
    return text.toString();
}

} // namespace

std::optional<QString> normalText(Setting setting, QStringView text)
{
    const std::optional<Form> form = formOf(setting);
    if (!form)
        return text.toString();
    switch (*form) {
    case Form::HintForms:
        return normalHintForms(text);
    case Form::Statuses:
        return normalStatuses(text);
    case Form::Proxy:
        return normalProxy(text);
    }
    Q_UNREACHABLE();
}

QString describeText(Setting setting)
{
    const std::optional<Form> form = formOf(setting);
    if (!form)
        return u"a text"_s;
    switch (*form) {
    case Form::HintForms:
        return u"ms, seconds, date and body in any number with commas between, or none"_s;
    case Form::Statuses:
        return u"statuses from 100 to 599 and ranges of them with commas between (408,429,500-599), or nothing"_s;
    case Form::Proxy:
        return u"an address like http://host:port (http, https, socks5 or socks5h), or nothing"_s;
    }
    Q_UNREACHABLE();
}

QString shownText(Setting setting, const QString &text)
{
    if (formOf(setting) != Form::Proxy)
        return text;
    // By hand and not by QUrl: a text that is no address may hold a password too.
    const qsizetype at = text.lastIndexOf(u'@');
    if (at < 0)
        return text;
    const qsizetype slashes = text.indexOf("//"_L1);
    const qsizetype start = slashes < 0 || slashes > at ? 0 : slashes + 2;
    return text.left(start) + u"***"_s + text.mid(at);
}

QString quoted(QStringView text)
{
    constexpr qsizetype longest = 60;
    const QString shown = text.size() > longest ? text.left(longest).toString() + u"…"_s : text.toString();
    return u'"' + shown + u'"';
}

HintForms readHintForms(const QString &text)
{
    return {text.contains("ms"_L1), text.contains("seconds"_L1), text.contains("date"_L1), text.contains("body"_L1)};
}

std::vector<int> readStatuses(const QString &text)
{
    std::vector<int> statuses;
    for (const QStringView part : QStringView(text).tokenize(u',', Qt::SkipEmptyParts)) {
        const qsizetype dash = part.indexOf(u'-');
        const int first = (dash < 0 ? part : part.left(dash)).toInt();
        const int last = (dash < 0 ? part : part.mid(dash + 1)).toInt();
        for (int status = first; status <= last; ++status)
            statuses.push_back(status);
    }
    return statuses;
}

} // namespace Waitscope
