// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/callinput.h"

#include "base/wholefile.h"

#include <QHostAddress>
#include <QRegularExpression>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 bodyLimit = 64 << 20;

Expected<QByteArray> keyFrom(const QString &variable)
{
    // A key that was pasted where its variable's name belongs must go no further, not even into a message.
    static const QRegularExpression name(u"\\A[A-Za-z_][A-Za-z0-9_]*\\z"_s);
    if (!name.match(variable).hasMatch()) {
        return usageProblem(u"--key-env"_s, u"that is not the name of an environment variable"_s,
                            u"give the name of the variable that holds the key, never the key"_s);
    }
    const QByteArray key = qgetenv(variable.toUtf8().constData()).trimmed();
    if (key.isEmpty())
        return usageProblem(u"--key-env"_s, u"the variable %1 is not set"_s.arg(variable), u"export it, or leave --key-env out"_s);
    if (std::ranges::any_of(key, [](char c) { return c < 0x21 || c == 0x7f; }))
        return usageProblem(u"--key-env"_s, u"the variable %1 holds a character that cannot stand in a header"_s.arg(variable));
    return key;
}

Expected<QByteArray> bodyFrom(const QString &path)
{
    return readWhole(path, bodyLimit, u"a request body"_s);
}

Expected<WireHeader> headerFrom(const QString &line)
{
    const qsizetype colon = line.indexOf(u':');
    if (colon <= 0)
        return usageProblem(u"--header"_s, u"a header has the form \"Name: value\""_s);
    WireHeader header;
    header.name = line.left(colon).trimmed().toUtf8();
    header.value = line.mid(colon + 1).trimmed().toUtf8();
    return header;
}

} // namespace

Expected<CallSpec> callFrom(const CallInput &input)
{
    CallSpec spec;
    spec.url = QUrl(input.url.trimmed(), QUrl::StrictMode);
    if (input.url.trimmed().isEmpty())
        return usageProblem(u"--url"_s, u"is empty"_s, u"give an http or https address"_s);
    if (!spec.url.isValid())
        return usageProblem(u"--url"_s, u"is not a valid address"_s, u"give an http or https address with a host"_s);
    spec.api = input.api;
    spec.model = input.model;
    spec.prompt = input.prompt;
    if (!input.keyVariable.isEmpty()) {
        Expected<QByteArray> key = keyFrom(input.keyVariable);
        if (!key)
            return tl::unexpected(key.error());
        spec.key = std::move(*key);
    }
    if (!input.bodyFile.isEmpty()) {
        Expected<QByteArray> body = bodyFrom(input.bodyFile);
        if (!body)
            return tl::unexpected(body.error());
        spec.body = std::move(*body);
    }
    for (const QString &line : input.headers) {
        Expected<WireHeader> header = headerFrom(line);
        if (!header)
            return tl::unexpected(header.error());
        spec.headers.push_back(std::move(*header));
    }
    // Everything that the request itself would refuse is refused here, before anything is started.
    const Expected<WireRequest> request = buildRequest(spec);
    if (!request)
        return tl::unexpected(request.error());
    return spec;
}

std::vector<KnownSecret> secretsOf(const CallSpec &call)
{
    std::vector<KnownSecret> secrets;
    if (!call.key.isEmpty())
        secrets.push_back({u"environment key"_s, QString::fromUtf8(call.key)});
    for (const WireHeader &header : call.headers) {
        const QByteArray name = header.name.toLower();
        if (name.contains("auth") || name.contains("key") || name.contains("token") || name.contains("cookie")
            || name.contains("secret"))
            secrets.push_back({u"header "_s + QString::fromLatin1(name), QString::fromUtf8(header.value)});
    }
    return secrets;
}

bool isLoopback(const QUrl &url)
{
    if (url.host().compare(u"localhost"_s, Qt::CaseInsensitive) == 0)
        return true;
    const QHostAddress address(url.host());
    return !address.isNull() && address.isLoopback();
}

} // namespace Waitscope
