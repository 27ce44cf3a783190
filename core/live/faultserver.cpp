// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/faultserver.h"

#include "live/faultlistener.h"
#include "live/faultport.h"

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

bool allScripts(const Scenario &scenario, ConnectionFault fault)
{
    return std::ranges::all_of(scenario.requests, [fault](const FaultScript &s) { return s.connection == fault; });
}

std::optional<MadeCertificate> certificateFor(TlsFault fault)
{
    switch (fault) {
    case TlsFault::Plain:
    case TlsFault::Hang:
    case TlsFault::Garbage:
    case TlsFault::Close:
    case TlsFault::Reset:
        return std::nullopt;
    case TlsFault::Proper:
        return MadeCertificate::Proper;
    case TlsFault::Expired:
        return MadeCertificate::Expired;
    case TlsFault::WrongHost:
        return MadeCertificate::WrongHost;
    case TlsFault::SelfSigned:
        return MadeCertificate::SelfSigned;
    }
    Q_UNREACHABLE();
}

// Names that no resolver may know (RFC 6761): these are never answered with an address.
QString hostFor(const Scenario &scenario, const QHostAddress &address)
{
    switch (scenario.lookup) {
    case LookupFault::None:
        return scenario.isProxy ? u"behind-the-proxy.invalid"_s : address.toString();
    case LookupFault::NotFound:
        return u"no-such-host.invalid"_s;
    case LookupFault::Hang:
        return u"resolver-hangs.invalid"_s;
    }
    Q_UNREACHABLE();
}

Expected<QHostAddress> addressOf(const FaultServerOptions &options)
{
    const QHostAddress host(options.host == "localhost"_L1 ? u"127.0.0.1"_s : options.host);
    if (host.isNull())
        return usageProblem(u"host %1"_s.arg(options.host), u"not an address"_s, u"give one like 127.0.0.1 or ::1"_s);
    if (!host.isLoopback() && !options.beyondLoopback)
        return usageProblem(u"host %1"_s.arg(options.host), u"others could reach the fault server there"_s,
                            u"use 127.0.0.1, or allow it with --beyond-loopback"_s);
    return host;
}

} // namespace

// All that lives while the server runs; the listeners live in its thread.
struct FaultServer::Service {
    Service(FaultBook &book, const FaultServerOptions &options)
        : stage{book, options.scale, options.nowUtc, options.onRequest, {}}
    {
        if (!stage.nowUtc)
            stage.nowUtc = [] { return QDateTime::currentDateTimeUtc(); };
    }

    // One certificate a scenario that needs one; which of them is the scenario's fault.
    [[nodiscard]] Expected<void> makeCertificates(const QHostAddress &host)
    {
        stage.tls.resize(stage.book.scenarios().size());
        for (size_t i = 0; i < stage.tls.size(); ++i) {
            const std::optional<MadeCertificate> kind = certificateFor(stage.book.scenarios()[i].tls);
            if (!kind)
                continue;
            if (!authority) {
                auto made = MadeAuthority::make();
                if (!made)
                    return tl::unexpected<Problem>(made.error());
                authority = std::move(*made);
            }
            Expected<TlsContext> context = authority->contextFor(*kind, host.toString());
            if (!context)
                return tl::unexpected<Problem>(context.error());
            stage.tls[i] = std::move(*context);
        }
        return {};
    }

    [[nodiscard]] Expected<void> open(const QHostAddress &host, quint16 port)
    {
        if (auto made = makeCertificates(host); !made)
            return made;
        const auto shared = listen(host, port, std::nullopt);
        if (!shared)
            return tl::unexpected<Problem>(shared.error());
        const std::vector<Scenario> &scenarios = stage.book.scenarios();
        for (size_t i = 0; i < scenarios.size(); ++i) {
            Expected<quint16> own = *shared;
            if (allScripts(scenarios[i], ConnectionFault::Refuse))
                own = hold(FaultPort::Kind::Refusing, host);
            else if (allScripts(scenarios[i], ConnectionFault::BlackHole))
                own = hold(FaultPort::Kind::BlackHole, host);
            else if (hasConnectionFaults(scenarios[i]))
                own = listen(host, 0, i);
            if (!own)
                return tl::unexpected<Problem>(own.error());
            ports.push_back(*own);
        }
        return {};
    }

    [[nodiscard]] Expected<quint16> listen(const QHostAddress &host, quint16 port, std::optional<size_t> ownScenario)
    {
        auto listener = std::make_unique<FaultListener>(stage, ownScenario, nullptr);
        if (auto opened = listener->open(host, port); !opened)
            return tl::unexpected<Problem>(opened.error());
        listeners.push_back(std::move(listener));
        return listeners.back()->serverPort();
    }

    [[nodiscard]] Expected<quint16> hold(FaultPort::Kind kind, const QHostAddress &host)
    {
        auto held = FaultPort::open(kind, host);
        if (!held)
            return tl::unexpected<Problem>(held.error());
        heldPorts.push_back(std::move(*held));
        return heldPorts.back().port();
    }

    FaultStage stage;
    QHostAddress address;
    std::unique_ptr<MadeAuthority> authority; // where a scenario speaks TLS
    std::vector<quint16> ports; // by scenario
    std::vector<std::unique_ptr<FaultListener>> listeners;
    std::vector<FaultPort> heldPorts;
    QObject caller; // lives in the server's thread: what is invoked on it runs there
};

FaultServer::FaultServer(FaultServerOptions options)
    : m_options(std::move(options))
{
    m_thread.setObjectName(u"fault server"_s);
}

FaultServer::~FaultServer()
{
    stop();
}

Expected<void> FaultServer::start()
{
    if (isRunning())
        return {};
    constexpr double slowest = 0.001;
    constexpr double fastest = 1'000'000;
    if (!(m_options.scale >= slowest && m_options.scale <= fastest))
        return usageProblem(u"scale"_s, u"%1 is out of range"_s.arg(m_options.scale), u"give 0.001 to 1000000"_s);
    const auto host = addressOf(m_options);
    if (!host)
        return tl::unexpected<Problem>(host.error());

    m_book = std::make_unique<FaultBook>(m_options.scenarios);
    m_service = std::make_unique<Service>(*m_book, m_options);
    m_service->address = *host;
    m_service->caller.moveToThread(&m_thread);
    m_thread.start();
    Expected<void> opened;
    QMetaObject::invokeMethod(
        &m_service->caller, [&] { opened = m_service->open(*host, m_options.port); }, Qt::BlockingQueuedConnection);
    if (!opened)
        stop();
    return opened;
}

void FaultServer::stop()
{
    if (!isRunning())
        return;
    QMetaObject::invokeMethod(
        &m_service->caller, [this] { m_service->listeners.clear(); }, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
    m_service.reset();
}

QUrl FaultServer::urlFor(const QString &scenario) const
{
    const auto index = m_service ? m_book->indexOf(scenario) : std::nullopt;
    if (!index)
        return {};
    const Scenario &served = m_book->scenarios()[*index];
    QUrl url;
    // A proxy is only asked for a way where the rest is to stay hidden from it.
    url.setScheme(served.tls == TlsFault::Plain && !served.isProxy ? u"http"_s : u"https"_s);
    url.setHost(hostFor(served, m_service->address));
    if (!served.isProxy)
        url.setPort(m_service->ports[*index]);
    url.setPath(u'/' + scenario);
    return url;
}

QUrl FaultServer::proxyFor(const QString &scenario) const
{
    const auto index = m_service ? m_book->indexOf(scenario) : std::nullopt;
    if (!index || !m_book->scenarios()[*index].isProxy)
        return {};
    QUrl url;
    url.setScheme(u"http"_s);
    url.setHost(m_service->address.toString());
    url.setPort(m_service->ports[*index]);
    return url;
}

QByteArray FaultServer::authorityPem() const
{
    return m_service && m_service->authority ? m_service->authority->pem() : QByteArray();
}

FaultCounts FaultServer::counts() const
{
    return m_book ? m_book->total() : FaultCounts();
}

FaultCounts FaultServer::counts(const QString &scenario) const
{
    const auto index = m_book ? m_book->indexOf(scenario) : std::nullopt;
    return index ? m_book->countsOf(*index) : FaultCounts();
}

} // namespace Waitscope
