// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/proxychoice.h"

#include <QHostAddress>
#include <QNetworkProxyFactory>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

bool isThisMachine(const QUrl &target)
{
    const QString host = target.host().toLower();
    return host == "localhost"_L1 || host.endsWith(".localhost"_L1) || QHostAddress(host).isLoopback();
}

// An http proxy is given its credentials with the CONNECT itself: a challenge would cost a second sending.
void addCredentials(QNetworkProxy &proxy)
{
    if (proxy.type() != QNetworkProxy::HttpProxy || proxy.user().isEmpty())
        return;
    const QByteArray both = (proxy.user() + u':' + proxy.password()).toUtf8();
    proxy.setRawHeader("Proxy-Authorization", "Basic " + both.toBase64());
}

} // namespace

Expected<QNetworkProxy> proxyFromUrl(const QString &text)
{
    const QString trimmed = text.trimmed();
    const QUrl url(trimmed.contains("://"_L1) ? trimmed : u"http://"_s + trimmed);
    const auto place = u"http.proxy_url"_s;
    if (!url.isValid() || url.host().isEmpty())
        return usageProblem(place, u"not a proxy's URL"_s, u"write it as http://host:port"_s);
    const QString scheme = url.scheme();
    const bool socks = scheme == "socks5"_L1 || scheme == "socks5h"_L1;
    if (scheme != "http"_L1 && !socks)
        return usageProblem(place, u"the proxy's scheme is %1"_s.arg(scheme), u"http and socks5 are known"_s);
    QNetworkProxy proxy(socks ? QNetworkProxy::Socks5Proxy : QNetworkProxy::HttpProxy, url.host(),
                        static_cast<quint16>(url.port(socks ? 1080 : 80)), url.userName(QUrl::FullyDecoded),
                        url.password(QUrl::FullyDecoded));
    addCredentials(proxy);
    return proxy;
}

Expected<QNetworkProxy> proxyFor(const QUrl &target, const QString &proxyUrl)
{
    if (isThisMachine(target))
        return QNetworkProxy(QNetworkProxy::NoProxy);
    if (!proxyUrl.trimmed().isEmpty())
        return proxyFromUrl(proxyUrl);
    const QList<QNetworkProxy> choices = QNetworkProxyFactory::systemProxyForQuery(QNetworkProxyQuery(target));
    if (choices.isEmpty() || choices.first().type() == QNetworkProxy::DefaultProxy)
        return QNetworkProxy(QNetworkProxy::NoProxy);
    QNetworkProxy proxy = choices.first();
    addCredentials(proxy);
    return proxy;
}

} // namespace Waitscope
