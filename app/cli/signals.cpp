// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/signals.h"

#include <QSocketNotifier>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace Waitscope {

namespace {

// A handler may only write to a pipe; everything else happens in the event loop.
int writeEnd = -1;

void onSignal(int number)
{
    const char byte = 1;
    [[maybe_unused]] const auto written = ::write(writeEnd, &byte, 1);
    // The second one is not caught any more: whoever insists gets out.
    std::signal(number, SIG_DFL);
}

} // namespace

Signals::Signals(QObject *parent)
    : QObject(parent)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    m_readEnd = ends[0];
    writeEnd = ends[1];
    auto *notifier = new QSocketNotifier(m_readEnd, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &Signals::onReadable);
    std::signal(SIGINT, onSignal);
    std::signal(SIGTERM, onSignal);
}

Signals::~Signals()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    if (m_readEnd >= 0) {
        ::close(m_readEnd);
        ::close(writeEnd);
        writeEnd = -1;
    }
}

void Signals::onReadable()
{
    char bytes[16];
    while (::read(m_readEnd, bytes, sizeof bytes) > 0) { }
    Q_EMIT interrupted();
}

} // namespace Waitscope
