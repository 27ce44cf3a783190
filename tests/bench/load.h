// SPDX-License-Identifier: GPL-3.0-or-later
// What one reader of many streams did between two moments: counted and measured in its own process.
#pragma once

#include <QByteArray>
#include <QFile>

#include <atomic>
#include <cstdio>

#include <sys/resource.h>

namespace WaitscopeBench {

inline double cpuSeconds()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval &t) { return double(t.tv_sec) + double(t.tv_usec) / 1e6; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

inline double residentKiB()
{
    QFile statm(QStringLiteral("/proc/self/statm"));
    return statm.open(QIODevice::ReadOnly) ? statm.readAll().split(' ').value(1).toDouble() * 4 : 0;
}

// Counts data events. From when every stream has begun to when the first one's last event has come: that is the stretch in
// which nothing but events happens. Fed from one thread.
class Stretch
{
public:
    Stretch(int streams, int eventsEach)
        : m_streams(streams)
        , m_last(qint64(streams) * eventsEach)
        , m_residentBefore(residentKiB())
    {
    }

    void streamBegan()
    {
        if (++m_begun == m_streams) {
            m_cpuFrom = cpuSeconds();
            m_eventsFrom = m_events;
        }
    }
    void event()
    {
        ++m_events;
        // A tenth is left out at the end, where streams run out.
        if (m_begun == m_streams && m_eventsTo == 0 && m_events >= m_last * 9 / 10) {
            m_cpuTo = cpuSeconds();
            m_eventsTo = m_events;
            m_residentAfter = residentKiB();
        }
    }

    void print() const
    {
        const double events = double(m_eventsTo - m_eventsFrom);
        std::printf("%lld %lld %.3f %.1f\n", static_cast<long long>(m_events), static_cast<long long>(m_last),
                    events > 0 ? (m_cpuTo - m_cpuFrom) / events * 1e6 : 0.0, (m_residentAfter - m_residentBefore) / m_streams);
        std::fflush(stdout);
    }

private:
    int m_streams;
    qint64 m_last;
    double m_residentBefore;
    double m_residentAfter = 0;
    int m_begun = 0;
    qint64 m_events = 0;
    qint64 m_eventsFrom = 0;
    qint64 m_eventsTo = 0;
    double m_cpuFrom = 0;
    double m_cpuTo = 0;
};

} // namespace WaitscopeBench
