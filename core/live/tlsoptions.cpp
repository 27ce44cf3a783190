// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/tlsoptions.h"

#include <QFile>
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
    QFile file(caFile);
    if (!file.open(QIODevice::ReadOnly))
        return unavailable(caFile, file.errorString(), u"give a file of certificates in PEM form"_s);
    const QList<QSslCertificate> authorities = QSslCertificate::fromDevice(&file, QSsl::Pem);
    if (authorities.isEmpty())
        return usageProblem(caFile, u"no certificate in it"_s, u"give a file of certificates in PEM form"_s);
    tls.setCaCertificates(authorities);
    return tls;
}

} // namespace Waitscope
