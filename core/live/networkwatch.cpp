// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/networkwatch.h"

#include "live/watchchannel.h"

#include <QHostAddress>

namespace Waitscope {

using namespace Qt::StringLiterals;

NetworkWatch::NetworkWatch(QObject *parent)
    : QObject(parent)
    , m_channel(WatchRegistry::instance().open(this))
{
}

NetworkWatch::~NetworkWatch()
{
    WatchRegistry::instance().close(m_channel);
}

QUrl NetworkWatch::registrationUrl() const
{
    QUrl url;
    url.setScheme(u"http"_s);
    url.setHost(QHostAddress((240U << 24) | m_channel->mark()).toString());
    return url;
}

void NetworkWatch::setOptions(const SocketOptions &options)
{
    m_channel->setOptions(options);
}

void NetworkWatch::watchName(const QByteArray &name)
{
    m_channel->watchName(name);
    WatchRegistry::instance().joinLookups(m_channel, name);
}

void NetworkWatch::unwatchName(const QByteArray &name)
{
    m_channel->unwatchName(name);
}

} // namespace Waitscope
