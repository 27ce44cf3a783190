// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/phrases.h"

#include <QCoreApplication>

#include <algorithm>

namespace Waitscope {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

// The context of translations.
class Phrases
{
    Q_DECLARE_TR_FUNCTIONS(Phrases)
};

namespace {

constexpr Duration tenth = 100ms;

QString tenths(qint64 n)
{
    return Phrases::tr("%1 s").arg(u"%1.%2"_s.arg(n / 10).arg(n % 10));
}

} // namespace

QString saidAge(Duration age)
{
    return tenths(std::max(age, Duration::zero()) / tenth);
}

QString saidLeft(Duration left)
{
    return tenths(left <= Duration::zero() ? 0 : (left - 1ns) / tenth + 1);
}

QString saidLength(Duration length)
{
    const double seconds = toSeconds(length);
    QString number = QString::number(seconds, 'f', seconds < 1 ? 2 : seconds < 1000 ? 1 : 0);
    while (number.contains(u'.') && (number.endsWith(u'0') || number.endsWith(u'.')))
        number.chop(1);
    return Phrases::tr("%1 s").arg(number);
}

QString saidSpan(Duration length)
{
    constexpr Duration stillSeconds = 2min;
    if (length < stillSeconds)
        return saidLength(length);
    const qint64 minutes = std::chrono::round<std::chrono::minutes>(length).count();
    constexpr qint64 hour = 60;
    constexpr qint64 day = 24 * hour;
    QStringList parts;
    if (minutes >= day) {
        parts << Phrases::tr("%1 d").arg(minutes / day);
        if (const qint64 hours = minutes % day / hour; hours > 0)
            parts << Phrases::tr("%1 h").arg(hours);
    } else {
        if (minutes >= hour)
            parts << Phrases::tr("%1 h").arg(minutes / hour);
        if (const qint64 rest = minutes % hour; rest > 0)
            parts << Phrases::tr("%1 min").arg(rest);
    }
    return parts.join(u' ');
}

QString saidBytes(qint64 bytes)
{
    if (bytes < 1024)
        return Phrases::tr("%1 B").arg(bytes);
    const double kib = static_cast<double>(bytes) / 1024;
    return kib < 1024 ? Phrases::tr("%1 KiB").arg(kib, 0, 'f', 1) : Phrases::tr("%1 MiB").arg(kib / 1024, 0, 'f', 1);
}

QString saidLayer(Layer layer)
{
    switch (layer) {
    case Layer::Task:
        return Phrases::tr("task");
    case Layer::Exec:
        return Phrases::tr("exec");
    case Layer::Session:
        return Phrases::tr("session");
    case Layer::Stream:
        return Phrases::tr("stream");
    case Layer::Http:
        return Phrases::tr("http");
    }
    Q_UNREACHABLE();
}

QString saidReason(ErrorReason reason)
{
    switch (reason) {
    case ErrorReason::None:
        return Phrases::tr("no reason given");
    case ErrorReason::Transport:
        return Phrases::tr("transport");
    case ErrorReason::RateLimit:
        return Phrases::tr("rate limit");
    case ErrorReason::Provider:
        return Phrases::tr("provider");
    case ErrorReason::Auth:
        return Phrases::tr("key refused");
    case ErrorReason::Authz:
        return Phrases::tr("not allowed");
    case ErrorReason::Invalid:
        return Phrases::tr("invalid request");
    case ErrorReason::Context:
        return Phrases::tr("context too long");
    case ErrorReason::Policy:
        return Phrases::tr("content policy");
    case ErrorReason::Timeout:
        return Phrases::tr("timeout");
    case ErrorReason::Unknown:
        return Phrases::tr("unknown");
    }
    Q_UNREACHABLE();
}

QString saidTry(Layer layer, int n, int most)
{
    if (n <= 0)
        return {};
    switch (layer) {
    case Layer::Task:
        return most > 0 ? Phrases::tr("round %1 of %2").arg(n).arg(most) : Phrases::tr("round %1").arg(n);
    case Layer::Exec:
        return most > 0 ? Phrases::tr("attempt %1 of %2").arg(n).arg(most) : Phrases::tr("attempt %1").arg(n);
    case Layer::Session:
        return most > 0 ? Phrases::tr("run %1 of %2").arg(n).arg(most) : Phrases::tr("run %1").arg(n);
    case Layer::Stream:
    case Layer::Http:
        return most > 0 ? Phrases::tr("request %1 of %2").arg(n).arg(most) : Phrases::tr("request %1").arg(n);
    }
    Q_UNREACHABLE();
}

} // namespace Waitscope
