// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/slotnames.h"

#include <QHostAddress>

#include <algorithm>
#include <limits>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostLetters = 20;       // a million names
constexpr quint64 mostBlanks = 4096;  // of an address; beyond that the keys themselves get expensive

bool isLetter(QChar c)
{
    return c >= u'a' && c <= u'z';
}

QString asciiHost(const QUrl &url)
{
    return url.host(QUrl::FullyEncoded).toLower();
}

bool isAddress(const QUrl &url)
{
    return !QHostAddress(url.host()).isNull();
}

} // namespace

quint64 slotNameCount(const QUrl &url)
{
    if (url.scheme() != "https"_L1)
        return std::numeric_limits<quint64>::max();
    if (isAddress(url))
        return mostBlanks;
    const QString host = asciiHost(url);
    const auto letters = std::count_if(host.begin(), host.end(), isLetter);
    return quint64{1} << std::min<qsizetype>(letters, mostLetters);
}

QString slotName(const QUrl &url, quint64 n)
{
    if (url.scheme() != "https"_L1)
        return u"slot-"_s + QString::number(n);
    if (isAddress(url))
        return url.host() + QString(static_cast<qsizetype>(n), u' '); // read as an address, blanks and all
    QString name = asciiHost(url);
    for (QChar &c : name) {
        if (!isLetter(c))
            continue;
        if (n & 1)
            c = c.toUpper();
        n >>= 1;
    }
    return name;
}

} // namespace Waitscope
