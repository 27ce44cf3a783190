// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/requestheaders.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

bool hasName(const WireHeader &header, QByteArrayView name)
{
    return name.compare(header.name, Qt::CaseInsensitive) == 0;
}

// The library's, because it knows the body's true length and frames it.
bool isFraming(const WireHeader &header)
{
    return hasName(header, "content-length") || hasName(header, "transfer-encoding");
}

// A line break would begin a header of the value's own choosing.
QByteArray onOneLine(QByteArray value)
{
    for (char &c : value) {
        if (c == '\r' || c == '\n' || c == '\0')
            c = ' ';
    }
    return value;
}

void setUnlessGiven(QNetworkRequest &request, const QByteArray &name, const QByteArray &value)
{
    if (!request.hasRawHeader(name))
        request.setRawHeader(name, value);
}

QByteArray basicCredentials(const QString &user, const QString &password)
{
    return "Basic " + (user + u':' + password).toUtf8().toBase64();
}

} // namespace

QNetworkRequest networkRequest(const WireRequest &wire, const QNetworkProxy &proxy)
{
    QUrl url = wire.url;
    url.setUserInfo({}); // the library would keep it for a second try of its own
    QNetworkRequest request(url);
    for (const WireHeader &header : wire.headers) {
        if (!header.name.isEmpty() && !isFraming(header))
            request.setRawHeader(onOneLine(header.name), onOneLine(header.value));
    }
    if (!wire.url.userName().isEmpty())
        setUnlessGiven(request, "Authorization", basicCredentials(wire.url.userName(), wire.url.password()));
    // For https the proxy's credentials go with the CONNECT (see proxychoice.cpp).
    if (!proxy.user().isEmpty() && url.scheme() == "http"_L1 && proxy.type() == QNetworkProxy::HttpProxy)
        setUnlessGiven(request, "Proxy-Authorization", basicCredentials(proxy.user(), proxy.password()));
    setUnlessGiven(request, "User-Agent", "Waitscope/" WAITSCOPE_VERSION);
    setUnlessGiven(request, "Accept", "text/event-stream, */*");
    setUnlessGiven(request, "Accept-Language", "*");
    request.setRawHeader("Accept-Encoding", "identity"); // also keeps the library from decompressing
    if (wire.body.isEmpty() && wire.method != "GET" && wire.method != "HEAD")
        request.setRawHeader("Content-Length", "0");

    // Of an idle connection, and of what the library remembers of a host: its own two minutes are memory that a run with many
    // calls does not get back. Five seconds is what HTTP clients of the programs in question keep.
    request.setAttribute(QNetworkRequest::ConnectionCacheExpiryTimeoutSecondsAttribute, 5);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    request.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::HttpPipeliningAllowedAttribute, false);
    request.setAttribute(QNetworkRequest::EmitAllUploadProgressSignalsAttribute, true);
    // Short bodies would be read into a buffer of their own, past our limits.
    request.setAttribute(QNetworkRequest::MaximumDownloadBufferSizeAttribute, 0);
    return request;
}

std::vector<WireHeader> wireHeaders(const QNetworkReply &reply)
{
    std::vector<WireHeader> headers;
    for (const auto &[name, value] : reply.rawHeaderPairs()) {
        for (const QByteArray &line : value.split('\n')) // several cookies come as one value
            headers.push_back({name, line});
    }
    return headers;
}

} // namespace Waitscope
