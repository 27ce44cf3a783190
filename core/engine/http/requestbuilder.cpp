// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/requestbuilder.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int anthropicMaxTokens = 4096; // the API has no default for it

QLatin1StringView usualPath(Api api)
{
    switch (api) {
    case Api::OpenaiResponses:
        return "/v1/responses"_L1;
    case Api::OpenaiChat:
        return "/v1/chat/completions"_L1;
    case Api::AnthropicMessages:
        return "/v1/messages"_L1;
    case Api::Sse:
        return "/"_L1;
    }
    Q_UNREACHABLE();
}

// nullopt = nothing wrong. Neither the URL's own text nor Qt's message is repeated: both may hold a password.
std::optional<QString> faultOf(const QUrl &url)
{
    if (url.isEmpty() && url.errorString().isEmpty())
        return u"no URL was given"_s;
    if (!url.isValid())
        return u"not a URL: "_s + url.errorString().section(u';', 0, 0);
    if (url.scheme() != "http"_L1 && url.scheme() != "https"_L1)
        return url.scheme().isEmpty() ? u"no scheme"_s : u"the scheme is %1, not http or https"_s.arg(url.scheme());
    if (url.host().isEmpty())
        return u"no host"_s;
    if (url.port(1) < 1)
        return u"no connection can be made to port 0"_s;
    return std::nullopt;
}

bool isTokenChar(char c)
{
    constexpr QByteArrayView marks("!#$%&'*+-.^_`|~");
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || marks.contains(c);
}

bool isToken(const QByteArray &name)
{
    return !name.isEmpty() && std::all_of(name.begin(), name.end(), isTokenChar);
}

// A line break would begin a header of the value's own choosing.
bool isFieldValue(const QByteArray &value)
{
    return std::none_of(value.begin(), value.end(),
                        [](char c) { return (static_cast<uchar>(c) < 0x20 && c != '\t') || c == '\x7F'; });
}

bool hasName(const WireHeader &header, QByteArrayView name)
{
    return name.compare(header.name, Qt::CaseInsensitive) == 0;
}

std::optional<QString> faultOf(const WireHeader &header)
{
    if (header.name.isEmpty())
        return u"a header without a name"_s;
    if (!isToken(header.name))
        return u"a header's name may hold letters, digits and marks, no blank, colon or line break"_s;
    const QString name = QString::fromLatin1(header.name);
    if (!isFieldValue(header.value))
        return u"the value of %1 holds a line break or another control character"_s.arg(name);
    if (hasName(header, "content-length") || hasName(header, "transfer-encoding"))
        return u"%1 follows from the body and cannot be set"_s.arg(name);
    return std::nullopt;
}

QJsonArray userMessage(const QString &prompt)
{
    return {QJsonObject{{u"role"_s, u"user"_s}, {u"content"_s, prompt}}};
}

QByteArray bodyOf(const CallSpec &spec)
{
    QJsonObject body{{u"stream"_s, true}};
    if (!spec.model.isEmpty())
        body.insert(u"model"_s, spec.model);
    switch (spec.api) {
    case Api::OpenaiResponses:
        body.insert(u"input"_s, spec.prompt);
        break;
    case Api::OpenaiChat:
        body.insert(u"messages"_s, userMessage(spec.prompt));
        break;
    case Api::AnthropicMessages:
        body.insert(u"max_tokens"_s, anthropicMaxTokens);
        body.insert(u"messages"_s, userMessage(spec.prompt));
        break;
    case Api::Sse:
        body.insert(u"prompt"_s, spec.prompt);
        break;
    }
    return QJsonDocument(body).toJson(QJsonDocument::Compact);
}

std::vector<WireHeader> headersOf(const CallSpec &spec, const QByteArray &key)
{
    std::vector<WireHeader> headers = {
        {"Content-Type", "application/json"},
        {"Accept", "text/event-stream"},
        {"Accept-Encoding", "identity"}, // a compressed stream reaches us only when the server flushes it
        {"User-Agent", "waitscope/" WAITSCOPE_VERSION},
    };
    const bool anthropic = spec.api == Api::AnthropicMessages;
    if (anthropic)
        headers.push_back({"anthropic-version", "2023-06-01"});
    if (!key.isEmpty())
        headers.push_back(anthropic ? WireHeader{"x-api-key", key} : WireHeader{"Authorization", "Bearer " + key});
    std::erase_if(headers, [&spec](const WireHeader &made) {
        return std::any_of(spec.headers.begin(), spec.headers.end(),
                           [&made](const WireHeader &given) { return hasName(given, made.name); });
    });
    headers.insert(headers.end(), spec.headers.begin(), spec.headers.end());
    return headers;
}

} // namespace

QUrl endpointOf(const QUrl &url, Api api)
{
    QUrl endpoint = url;
    endpoint.setFragment({});
    QString path = url.path(QUrl::FullyEncoded);
    while (path.endsWith(u'/'))
        path.chop(1);
    const bool isBase = path.isEmpty() || (path == "/v1"_L1 && api != Api::Sse);
    if (isBase)
        endpoint.setPath(usualPath(api));
    return endpoint;
}

Expected<WireRequest> buildRequest(const CallSpec &spec)
{
    if (const std::optional<QString> fault = faultOf(spec.url))
        return usageProblem(u"--url"_s, *fault, u"give it as https://host[:port][/path]"_s);
    if (!spec.url.userInfo().isEmpty())
        return usageProblem(u"--url"_s, u"it holds a user name or a password, which would reach recordings"_s,
                            u"use --key-env or --header"_s);
    for (const WireHeader &header : spec.headers) {
        if (const std::optional<QString> fault = faultOf(header))
            return usageProblem(u"--header"_s, *fault);
    }
    const QByteArray key = spec.key.trimmed(); // keys come out of files with a line break behind them
    if (!isFieldValue(key))
        return usageProblem(u"--key-env"_s, u"the key holds a line break or another control character"_s);
    WireRequest request;
    request.url = endpointOf(spec.url, spec.api);
    request.headers = headersOf(spec, key);
    request.body = spec.body ? *spec.body : bodyOf(spec);
    return request;
}

} // namespace Waitscope
