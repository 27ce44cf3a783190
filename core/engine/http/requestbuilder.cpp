// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/requestbuilder.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUrlQuery>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int anthropicMaxTokens = 4096; // the API has no default for it

QString usualPath(Api api, const QString &model)
{
    switch (api) {
    case Api::OpenaiResponses:
        return u"/v1/responses"_s;
    case Api::OpenaiChat:
        return u"/v1/chat/completions"_s;
    case Api::AnthropicMessages:
        return u"/v1/messages"_s;
    case Api::Gemini:
        return u"/v1beta/models/"_s + QString::fromLatin1(QUrl::toPercentEncoding(model)) + u":streamGenerateContent"_s;
    case Api::Ollama:
        return u"/api/chat"_s;
    case Api::Sse:
        return u"/"_s;
    }
    Q_UNREACHABLE();
}

// Is this path where the API begins, and no endpoint of it?
bool isBasePath(const QString &path, Api api)
{
    switch (api) {
    case Api::OpenaiResponses:
    case Api::OpenaiChat:
    case Api::AnthropicMessages:
        return path.isEmpty() || path == "/v1"_L1;
    case Api::Gemini:
        return path.isEmpty() || path == "/v1beta"_L1;
    case Api::Ollama:
        return path.isEmpty() || path == "/api"_L1;
    case Api::Sse:
        return path.isEmpty();
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

QJsonObject geminiBody(const QString &prompt)
{
    const QJsonArray parts{QJsonObject{{u"text"_s, prompt}}};
    return {{u"contents"_s, QJsonArray{QJsonObject{{u"role"_s, u"user"_s}, {u"parts"_s, parts}}}}};
}

QJsonArray userMessage(const QString &prompt)
{
    return {QJsonObject{{u"role"_s, u"user"_s}, {u"content"_s, prompt}}};
}

QByteArray bodyOf(const CallSpec &spec)
{
    // Model and streaming stand in Gemini's URL.
    if (spec.api == Api::Gemini)
        return QJsonDocument(geminiBody(spec.prompt)).toJson(QJsonDocument::Compact);
    QJsonObject body{{u"stream"_s, true}};
    if (!spec.model.isEmpty())
        body.insert(u"model"_s, spec.model);
    switch (spec.api) {
    case Api::OpenaiResponses:
        body.insert(u"input"_s, spec.prompt);
        break;
    case Api::OpenaiChat:
    case Api::Ollama:
        body.insert(u"messages"_s, userMessage(spec.prompt));
        break;
    case Api::AnthropicMessages:
        body.insert(u"max_tokens"_s, anthropicMaxTokens);
        body.insert(u"messages"_s, userMessage(spec.prompt));
        break;
    case Api::Gemini: // made above
    case Api::Sse:
        body.insert(u"prompt"_s, spec.prompt);
        break;
    }
    return QJsonDocument(body).toJson(QJsonDocument::Compact);
}

WireHeader keyHeader(Api api, const QByteArray &key)
{
    switch (api) {
    case Api::AnthropicMessages:
        return {"x-api-key", key};
    case Api::Gemini:
        return {"x-goog-api-key", key};
    case Api::OpenaiResponses:
    case Api::OpenaiChat:
    case Api::Ollama:
    case Api::Sse:
        return {"Authorization", "Bearer " + key};
    }
    Q_UNREACHABLE();
}

std::vector<WireHeader> headersOf(const CallSpec &spec, const QByteArray &key)
{
    std::vector<WireHeader> headers = {
        {"Content-Type", "application/json"},
        {"Accept", spec.api == Api::Ollama ? "application/x-ndjson" : "text/event-stream"},
        {"Accept-Encoding", "identity"}, // a compressed stream reaches us only when the server flushes it
        {"User-Agent", "waitscope/" WAITSCOPE_VERSION},
    };
    if (spec.api == Api::AnthropicMessages)
        headers.push_back({"anthropic-version", "2023-06-01"});
    if (!key.isEmpty())
        headers.push_back(keyHeader(spec.api, key));
    std::erase_if(headers, [&spec](const WireHeader &made) {
        return std::any_of(spec.headers.begin(), spec.headers.end(),
                           [&made](const WireHeader &given) { return hasName(given, made.name); });
    });
    headers.insert(headers.end(), spec.headers.begin(), spec.headers.end());
    return headers;
}

} // namespace

QUrl endpointOf(const QUrl &url, Api api, const QString &model)
{
    QUrl endpoint = url;
    endpoint.setFragment({});
    QString path = url.path(QUrl::FullyEncoded);
    while (path.endsWith(u'/'))
        path.chop(1);
    if (isBasePath(path, api))
        endpoint.setPath(usualPath(api, model), QUrl::TolerantMode);
    // Without it the answer would be one JSON array.
    if (api == Api::Gemini) {
        QUrlQuery query(endpoint);
        if (!query.hasQueryItem(u"alt"_s)) {
            query.addQueryItem(u"alt"_s, u"sse"_s);
            endpoint.setQuery(query);
        }
    }
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
    request.url = endpointOf(spec.url, spec.api, spec.model);
    if (spec.api == Api::Gemini && request.url.path().contains("/models/:"_L1))
        return usageProblem(u"--model"_s, u"no model is given, and Gemini's URL holds its name"_s);
    request.headers = headersOf(spec, key);
    request.body = spec.body ? *spec.body : bodyOf(spec);
    return request;
}

} // namespace Waitscope
