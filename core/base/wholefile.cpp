// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/wholefile.h"

#include <QFile>

namespace Waitscope {

Expected<QByteArray> readWhole(const QString &path, qint64 most, const QString &what)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return unavailable(path, QStringLiteral("cannot be read: ") + file.errorString());
    QByteArray bytes = file.read(most + 1);
    if (bytes.size() > most)
        return usageProblem(path, QStringLiteral("too large for ") + what, QStringLiteral("at most %L1 bytes").arg(most));
    if (file.error() != QFileDevice::NoError)
        return unavailable(path, QStringLiteral("cannot be read: ") + file.errorString());
    return bytes;
}

} // namespace Waitscope
