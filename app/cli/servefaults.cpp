// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/signals.h"
#include "fault/scenarioreader.h"
#include "live/faultserver.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QSaveFile>
#include <QTimer>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

class ServeFaults final : public Command
{
public:
    void addTo(CLI::App &app) override
    {
        app.add_option("--host", m_host, "address to listen on")->capture_default_str();
        app.add_flag("--beyond-loopback", m_beyondLoopback, "allow an address that other machines can reach");
        app.add_option("--port", m_port, "port; 0 takes a free one")->check(CLI::Range(0, 65535))->capture_default_str();
        app.add_option("--scenario", m_scenarios, "serve only these (names or files; default: all built-in ones)")->check(fileName())->take_all();
        app.add_option("--scale", m_scale, "nominal seconds a real second")->check(realBetween(0.001, 1'000'000))->capture_default_str();
        app.add_option("--for", m_seconds, "stop after so many seconds")->check(realBetween(0.001, 1e9));
        app.add_option("--ca-out", m_caOut, "write the certificate that clients of the https scenarios are to trust to this file (PEM)")
            ->check(fileName());
        app.add_flag("--json", m_json, "print the addresses as one JSON object");
    }

    Exit run() override
    {
        FaultServerOptions options;
        options.host = QString::fromStdString(m_host);
        options.beyondLoopback = m_beyondLoopback;
        options.port = static_cast<quint16>(m_port);
        options.scale = m_scale;
        if (m_scenarios.empty())
            options.scenarios.assign(builtInScenarios().begin(), builtInScenarios().end());
        for (const std::string &name : m_scenarios) {
            const Expected<Scenario> scenario = findScenario(QString::fromStdString(name));
            if (!scenario)
                return fail(scenario.error());
            if (std::ranges::find(options.scenarios, scenario->name, &Scenario::name) == options.scenarios.end())
                options.scenarios.push_back(*scenario);
        }
        const std::vector<Scenario> scenarios = options.scenarios;
        FaultServer server(std::move(options));
        if (const Expected<void> started = server.start(); !started)
            return fail(started.error());
        if (!m_caOut.empty()) {
            if (const Expected<void> written = writeAuthority(server.authorityPem()); !written)
                return fail(written.error());
        }
        QJsonArray addresses;
        for (const Scenario &scenario : scenarios) {
            const QString url = server.urlFor(scenario.name).toString();
            const QString proxy = server.proxyFor(scenario.name).toString();
            QJsonObject address{{u"name"_s, scenario.name}, {u"url"_s, url}};
            if (!proxy.isEmpty())
                address["proxy"_L1] = proxy;
            if (m_json)
                addresses.append(address);
            else
                printLine(u"%1  %2%3"_s.arg(scenario.name, -26).arg(url, proxy.isEmpty() ? QString() : u"  --proxy "_s + proxy));
        }
        if (m_json)
            printJson(QJsonObject{{u"scenarios"_s, addresses}});
        std::fflush(stdout);
        printMessage(u"streams are written for the API that a request is made for; an API's path behind an address is served "
                     "too: /v1/chat/completions, /v1/responses, /v1/messages, /v1beta/models/M:streamGenerateContent, /api/chat"_s);
        Signals signalled;
        QObject::connect(&signalled, &Signals::interrupted, QCoreApplication::instance(), [] { QCoreApplication::exit(130); });
        if (m_seconds > 0)
            QTimer::singleShot(std::chrono::milliseconds(static_cast<qint64>(m_seconds * 1000)), QCoreApplication::instance(),
                               [] { QCoreApplication::exit(0); });
        const int code = QCoreApplication::exec();
        server.stop();
        const FaultCounts counts = server.counts();
        printMessage(u"%1 connections, %2 requests"_s.arg(counts.connections).arg(counts.requests));
        return static_cast<Exit>(code);
    }

private:
    [[nodiscard]] Expected<void> writeAuthority(const QByteArray &pem) const
    {
        const QString path = QString::fromStdString(m_caOut);
        if (pem.isEmpty())
            return usageProblem(u"--ca-out"_s, u"none of the served scenarios speaks TLS"_s, u"serve one, or leave --ca-out out"_s);
        QSaveFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(pem) < 0 || !file.commit())
            return unavailable(path, u"cannot be written: "_s + file.errorString());
        return {};
    }

    std::string m_host = "127.0.0.1";
    bool m_beyondLoopback = false;
    int m_port = 0;
    std::vector<std::string> m_scenarios;
    double m_scale = 1;
    double m_seconds = 0;
    std::string m_caOut;
    bool m_json = false;
};

} // namespace

CommandPtr serveFaultsCommand()
{
    return std::make_unique<ServeFaults>();
}

} // namespace Waitscope
