// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/tlsoptions.h"

#include "base/wholefile.h"

#include <QSslCertificate>
#include <QSslSocket>

namespace Waitscope {

using namespace Qt::StringLiterals;

Expected<QSslConfiguration> tlsConfiguration(const QString &caFile)
{
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setPeerVerifyMode(QSslSocket::VerifyPeer);
    if (caFile.isEmpty())
        return tls;
    constexpr qint64 largest = 16 << 20; // a system's whole collection is half a mebibyte
    const Expected<QByteArray> pem = readWhole(caFile, largest, u"a file of certificates"_s);
    if (!pem)
        return tl::unexpected(pem.error());
    const QList<QSslCertificate> authorities = QSslCertificate::fromData(*pem, QSsl::Pem);
    if (authorities.isEmpty())
        return usageProblem(caFile, u"no certificate in it"_s, u"give a file of certificates in PEM form"_s);
    tls.setCaCertificates(authorities);
    return tls;
}

} // namespace Waitscope
