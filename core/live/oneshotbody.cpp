// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/oneshotbody.h"

#include <algorithm>
#include <utility>

namespace Waitscope {

OneShotBody::OneShotBody(QByteArray body, QObject *parent)
    : QIODevice(parent)
    , m_body(std::move(body))
{
    open(QIODevice::ReadOnly | QIODevice::Unbuffered);
}

bool OneShotBody::reset()
{
    Q_EMIT resendRefused();
    return false;
}

qint64 OneShotBody::readData(char *data, qint64 most)
{
    const qint64 size = std::clamp<qint64>(m_body.size() - pos(), 0, most);
    std::copy_n(m_body.constData() + pos(), size, data);
    return size;
}

qint64 OneShotBody::writeData(const char *, qint64)
{
    return -1;
}

} // namespace Waitscope
