// SPDX-License-Identifier: GPL-3.0-or-later
// A port that refuses every connect, or answers none, for as long as it is held.
#pragma once

#include "base/problem.h"

#include <QHostAddress>

#include <vector>

namespace Waitscope {

class FaultPort
{
public:
    enum class Kind : quint8 {
        Refusing,  // bound, but not listening: nobody else can take it meanwhile
        BlackHole, // listening with a full queue: the kernel drops every further SYN
    };

    [[nodiscard]] static Expected<FaultPort> open(Kind kind, const QHostAddress &host);

    FaultPort(FaultPort &&other) noexcept;
    FaultPort &operator=(FaultPort &&other) noexcept;
    ~FaultPort();
    Q_DISABLE_COPY(FaultPort)

    [[nodiscard]] quint16 port() const noexcept { return m_port; }

private:
    FaultPort() = default;
    [[nodiscard]] bool bindTo(const QHostAddress &host);
    [[nodiscard]] bool fillQueue(const QHostAddress &host);

    std::vector<int> m_fds; // the port's own first, then what fills its queue
    quint16 m_port = 0;
};

} // namespace Waitscope
