// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+C and termination as something a coroutine can wait for.
#pragma once

#include <QObject>

namespace Waitscope {

class Signals final : public QObject
{
    Q_OBJECT
public:
    // One at a time in a process. SIGINT and SIGTERM are caught while it lives; a second one ends the process at once.
    explicit Signals(QObject *parent = nullptr);
    ~Signals() override;

Q_SIGNALS:
    void interrupted();

private:
    void onReadable();
    int m_readEnd = -1;
};

} // namespace Waitscope
