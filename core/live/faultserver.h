// SPDX-License-Identifier: GPL-3.0-or-later
// Plays scenarios to any HTTP client, in a thread of its own. How they are played is written in core/fault/FORMAT.md.
#pragma once

#include "base/problem.h"
#include "live/faultconnection.h"

#include <QThread>

#include <memory>

namespace Waitscope {

struct FaultServerOptions {
    FaultServerOptions() = default;
    double scale = 1;               // nominal seconds a real second, 0.001 to 1 000 000
    QString host = QStringLiteral("127.0.0.1"); // an address; "localhost" is this one
    bool beyondLoopback = false;    // allow a host that others can reach
    quint16 port = 0;               // of the shared port; 0 = any free one. Ports of single scenarios are always free ones.
    std::vector<Scenario> scenarios;
    // The wall clock of date headers; called in the server's thread. A scaled run passes its own clock.
    std::function<QDateTime()> nowUtc;
    // Told of every request that gets a script; called in the server's thread.
    std::function<void(const ServedRequest &)> onRequest;
};

// start() and stop() block for as long as opening or closing the ports takes; they need no event loop in the caller's
// thread, which must not be the server's own. A stopped server can start again, on other ports and with counts at zero.
class FaultServer
{
public:
    explicit FaultServer(FaultServerOptions options);
    ~FaultServer();
    Q_DISABLE_COPY_MOVE(FaultServer)

    [[nodiscard]] Expected<void> start();
    // Ends every connection, whatever it waits for.
    void stop();
    [[nodiscard]] bool isRunning() const noexcept { return m_service != nullptr; }

    // "http://127.0.0.1:4711/<name>"; the API's own path is appended to it. Empty for an unknown name or a stopped server.
    [[nodiscard]] QUrl urlFor(const QString &scenario) const;
    // The proxy that a client of this scenario is to use; empty for most.
    [[nodiscard]] QUrl proxyFor(const QString &scenario) const;
    // The certificate (PEM) of the authority that a client of an https scenario is to trust; empty where there is none.
    // Made anew at every start.
    [[nodiscard]] QByteArray authorityPem() const;

    // Safe in any thread while the server is not being started. A stopped server keeps its counts.
    [[nodiscard]] FaultCounts counts() const;
    [[nodiscard]] FaultCounts counts(const QString &scenario) const;

private:
    struct Service;

    FaultServerOptions m_options;
    std::unique_ptr<FaultBook> m_book; // since the last start
    QThread m_thread;
    std::unique_ptr<Service> m_service; // only while running
};

} // namespace Waitscope
