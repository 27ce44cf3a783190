// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/callinput.h"

#include "base/wholefile.h"

#include <QHostAddress>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QUrlQuery>

#include <algorithm>
#include <atomic>
#include <string_view>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 bodyLimit = 64 << 20;

Expected<QByteArray> checkedKey(const QByteArray &key, const QString &source)
{
    if (std::ranges::any_of(key, [](char c) { return c < 0x21 || c == 0x7f; }))
        return usageProblem(u"--key-env"_s, source + u" holds a character that cannot stand in a header"_s);
    return key;
}

Expected<QByteArray> keyFrom(const QString &variable)
{
    // A key that was pasted where its variable's name belongs must go no further, not even into a message.
    static const QRegularExpression name(u"\\A[A-Za-z_][A-Za-z0-9_]*\\z"_s);
    if (!name.match(variable).hasMatch()) {
        return usageProblem(u"--key-env"_s, u"that is not the name of an environment variable"_s,
                            u"give the name of the variable that holds the key, never the key"_s);
    }
    if (!qEnvironmentVariableIsSet(variable.toUtf8().constData()))
        return usageProblem(u"--key-env"_s, u"the variable %1 is not set"_s.arg(variable), u"export it, or leave --key-env out"_s);
    const QByteArray key = qgetenv(variable.toUtf8().constData()).trimmed();
    if (key.isEmpty())
        return usageProblem(u"--key-env"_s, u"the variable %1 is empty"_s.arg(variable), u"put the key into it, or leave --key-env out"_s);
    return checkedKey(key, u"the variable "_s + variable);
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

// Headers that tell what is wanted, not who wants it. Any other may hold a credential, whatever its name is.
bool isHarmless(const QByteArray &name)
{
    static constexpr std::string_view names[] = {"accept",       "accept-encoding", "accept-language", "anthropic-beta", "anthropic-version",
                                                 "cache-control", "connection",      "content-type",    "http-referer",  "openai-beta",
                                                 "referer",      "user-agent",      "x-title",         "x-waitscope-exec"};
    return std::ranges::any_of(names, [&name](std::string_view known) { return name == QByteArrayView(known); });
}

bool soundsSecret(const QString &name)
{
    static constexpr QLatin1StringView words[] = {"key"_L1, "token"_L1, "auth"_L1, "sig"_L1, "secret"_L1, "pass"_L1, "cred"_L1};
    return std::ranges::any_of(words, [&name](QLatin1StringView word) { return name.contains(word, Qt::CaseInsensitive); });
}

// The value, and what a server may repeat of it alone: the credential behind "Bearer", a name and its password, a cookie's value.
QByteArrayList secretsIn(const QByteArray &value)
{
    // Shorter parts stand in innocent words, too.
    constexpr qsizetype shortest = 6;
    QByteArrayList found{value};
    const auto addPart = [&found](const QByteArray &part) {
        if (part.size() >= shortest && !found.contains(part))
            found += part;
    };
    if (const qsizetype blank = value.indexOf(' '); blank > 0) {
        const QByteArray credential = value.mid(blank + 1).trimmed();
        addPart(credential);
        if (value.left(blank).compare("basic", Qt::CaseInsensitive) == 0) {
            const QByteArray plain = QByteArray::fromBase64(credential);
            addPart(plain);
            addPart(plain.mid(plain.indexOf(':') + 1));
        }
    }
    for (const QByteArray &pair : value.split(';')) {
        if (const qsizetype equals = pair.indexOf('='); equals > 0)
            addPart(pair.mid(equals + 1).trimmed());
    }
    return found;
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
    if (!input.key.isEmpty()) {
        Expected<QByteArray> key = checkedKey(input.key.trimmed(), u"the kept key"_s);
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
        if (isHarmless(header.name.toLower()))
            continue;
        for (const QByteArray &secret : secretsIn(header.value))
            secrets.push_back({u"header "_s + QString::fromLatin1(header.name.toLower()), QString::fromUtf8(secret)});
    }
    for (const auto &[name, value] : QUrlQuery(call.url).queryItems(QUrl::FullyDecoded)) {
        if (soundsSecret(name) && !value.isEmpty())
            secrets.push_back({u"query parameter "_s + name, value});
    }
    return secrets;
}

void tellFaultServer(CallSpec &call, int number)
{
    const QByteArray name = QByteArrayLiteral("X-Waitscope-Exec");
    const auto isGiven = [&name](const WireHeader &header) { return header.name.compare(name, Qt::CaseInsensitive) == 0; };
    if (!isLoopback(call.url) || std::ranges::any_of(call.headers, isGiven))
        return;
    // Another run of this program, or the same one later, is another call.
    static const QByteArray run = QByteArray::number(QRandomGenerator::system()->generate64(), 36);
    static std::atomic<int> runs = 0;
    call.headers.push_back({name, run + '-' + QByteArray::number(++runs) + '-' + QByteArray::number(number)});
}

bool isLoopback(const QUrl &url)
{
    if (url.host().compare(u"localhost"_s, Qt::CaseInsensitive) == 0)
        return true;
    const QHostAddress address(url.host());
    return !address.isNull() && address.isLoopback();
}

} // namespace Waitscope
