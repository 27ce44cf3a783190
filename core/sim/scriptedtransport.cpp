// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/scriptedtransport.h"

#include "sim/rawresponse.h"

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr qint64 bytesPerMillisecond = 65536;
constexpr int actionsPerMillisecond = 1024;

// What an accepted connection plays, and what comes next.
struct Play {
    Play(const FaultScript &script, ServedDialect dialect)
        : player(script, dialect)
    {
    }
    ScriptPlayer player;
    std::optional<WireAction> action;
    std::unique_ptr<RawResponse> raw; // since the script wrote outside any framing: everything on the wire is then read anew
};

bool isCompressed(const QByteArray &encoding)
{
    return !encoding.isEmpty() && encoding.compare("identity", Qt::CaseInsensitive) != 0;
}

// "502 Bad Gateway" of a head, as far as it came in one piece.
QString answerLine(int status, const QByteArray &head)
{
    constexpr QByteArrayView protocol("HTTP/1.1 ");
    const qsizetype end = head.indexOf('\r');
    return head.startsWith(protocol) && end > 0 ? QString::fromLatin1(head.mid(protocol.size(), end - protocol.size()))
                                                : QString::number(status);
}

class ScriptedExchange final : public Exchange, private ClockNode
{
public:
    ScriptedExchange(Clock &clock, const Scenario &scenario, const FaultScript &script, ServedDialect dialect,
                     qint64 requestBytes, const std::function<QDateTime()> &nowUtc, WireListener &listener)
        : m_clock(clock)
        , m_scenario(scenario)
        , m_script(script)
        , m_dialect(dialect)
        , m_requestBytes(requestBytes)
        , m_nowUtc(nowUtc)
        , m_listener(listener)
    {
    }

    void start()
    {
        if (m_scenario.lookup != LookupFault::None) {
            phase(Phase::Dns);
            if (m_scenario.lookup == LookupFault::NotFound)
                end(WireEnd::NameNotFound, u"Host not found"_s);
            return;
        }
        phase(Phase::Connect);
        if (m_script.connectAfter > Duration::zero())
            m_clock.arm(*this, after(m_clock.now(), m_script.connectAfter));
        else
            answerConnect();
    }

    void abort() override
    {
        m_ended = true;
        m_clock.disarm(*this);
    }
    // A simulated wire holds nothing back: what is read is handled at once.
    void resumeReading() override { }

private:
    void onReady() override { }
    void onDue() override
    {
        if (!m_connectAnswered) {
            answerConnect();
            return;
        }
        m_instantBytes = 0;
        m_instantActions = 0;
        play();
    }

    void answerConnect()
    {
        m_connectAnswered = true;
        switch (m_script.connection) {
        case ConnectionFault::BlackHole:
            return;
        case ConnectionFault::Refuse:
            end(m_scenario.isProxy ? WireEnd::ProxyFailed : WireEnd::Refused, u"Connection refused"_s);
            return;
        case ConnectionFault::Close:
            if (connected() && sent())
                end(WireEnd::ClosedBeforeStatus);
            return;
        case ConnectionFault::Reset:
            if (connected() && sent())
                end(WireEnd::ResetBeforeHeaders);
            return;
        case ConnectionFault::NeverRead:
            if (connected() && !m_scenario.isProxy) // which is asked in a few bytes
                beginSending();
            return;
        case ConnectionFault::Accept:
            if (!connected() || !sent())
                return;
            m_play = std::make_unique<Play>(m_script, m_dialect);
            prepare();
            return;
        }
        Q_UNREACHABLE();
    }

    // Fetches the next action and waits for its time.
    void prepare()
    {
        m_play->action = m_play->player.next(m_nowUtc());
        if (!m_play->action)
            return;
        play();
    }

    // Plays what is due; stops at the first action that has to wait.
    void play()
    {
        while (m_play->action && !m_ended) {
            const Duration wait = std::exchange(m_play->action->wait, Duration::zero());
            if (wait > Duration::zero()) {
                m_clock.arm(*this, after(m_clock.now(), wait));
                return;
            }
            if (m_instantBytes > bytesPerMillisecond || m_instantActions > actionsPerMillisecond) {
                m_clock.arm(*this, after(m_clock.now(), 1ms));
                return;
            }
            m_instantBytes += m_play->action->bytes.size();
            ++m_instantActions;
            perform(*m_play->action);
            if (!m_ended)
                m_play->action = m_play->player.next(m_nowUtc());
        }
    }

    void perform(const WireAction &action)
    {
        switch (action.kind) {
        case WireAction::Kind::Head:
            if (isRaw()) {
                feedRaw(action.bytes);
                return;
            }
            m_headBegan = true;
            if (action.headComplete)
                headers(action.status, action.headers, action.framing);
            return;
        case WireAction::Kind::Body:
            if (isRaw())
                feedRaw(framed(action.framing, action.bytes));
            else
                body(action.bytes);
            return;
        case WireAction::Kind::Raw:
            feedRaw(action.bytes);
            return;
        case WireAction::Kind::EndBody:
            if (isRaw())
                feedRaw(bodyEnd(action.framing));
            else
                end(isShort() ? WireEnd::CutBody : WireEnd::Complete);
            return;
        case WireAction::Kind::Close:
            if (!m_headComplete)
                end(m_headBegan ? WireEnd::ClosedInHeaders : WireEnd::ClosedBeforeStatus);
            else
                end(m_framing == Framing::UntilClose ? WireEnd::Complete : WireEnd::CutBody);
            return;
        case WireAction::Kind::Reset:
            end(m_headComplete ? WireEnd::ResetInBody : WireEnd::ResetBeforeHeaders);
            return;
        case WireAction::Kind::Hang:
            m_play->action.reset();
            return;
        }
        Q_UNREACHABLE();
    }

    [[nodiscard]] bool isRaw() const { return m_play->raw != nullptr; }

    void feedRaw(const QByteArray &bytes)
    {
        if (!m_play->raw) {
            m_play->raw = m_headComplete ? std::make_unique<RawResponse>(m_framing, m_expected, m_received)
                                         : std::make_unique<RawResponse>();
            m_play->raw->onHead = [this](int status, const ScriptHeaders &list, Framing framing) { headers(status, list, framing); };
            m_play->raw->onBody = [this](const QByteArray &piece) { body(piece); };
        }
        RawResponse &raw = *m_play->raw;
        raw.feed(bytes);
        m_headBegan = raw.headBegan();
        if (m_ended)
            return;
        switch (raw.stage()) {
        case RawResponse::Stage::Head:
        case RawResponse::Stage::Body:
            return;
        case RawResponse::Stage::Complete:
            end(WireEnd::Complete);
            return;
        case RawResponse::Stage::NotHttp:
            end(WireEnd::BadStatusLine, QString::fromLatin1(raw.offending().left(64)));
            return;
        case RawResponse::Stage::BadChunk:
            end(WireEnd::BadChunk, QString::fromLatin1(raw.offending().left(64)));
            return;
        }
        Q_UNREACHABLE();
    }

    void headers(int status, const ScriptHeaders &list, Framing framing)
    {
        if (m_ended || status == 100)
            return; // which the network library passes over
        if (status < 200) {
            // Any other interim answer it takes for the whole one: simulated as it is, for a forecast must not promise more
            // than a live call keeps.
            end(WireEnd::Interim103, QString::number(status));
            return;
        }
        if (m_scenario.isProxy) {
            end(WireEnd::ProxyFailed, answerLine(status, m_play->action ? m_play->action->bytes : QByteArray()));
            return;
        }
        m_headComplete = true;
        m_framing = framing;
        m_isError = status >= 300;
        WireFact fact = made(WireFact::Kind::Headers);
        fact.status = status;
        for (const auto &[name, value] : list) {
            fact.headers.push_back({name, value});
            if (name.compare("content-length", Qt::CaseInsensitive) == 0 && framing == Framing::Length)
                m_expected = value.toLongLong();
            else if (name.compare("content-encoding", Qt::CaseInsensitive) == 0)
                m_compressed = isCompressed(value);
        }
        m_listener.onFact(std::move(fact));
        if (status == 204 || status == 304 || m_expected == 0)
            end(WireEnd::Complete);
    }

    void body(QByteArray bytes)
    {
        if (m_ended)
            return;
        if (m_expected)
            bytes.truncate(std::min<qint64>(bytes.size(), *m_expected - m_received));
        m_received += bytes.size();
        if (!m_compressed && !bytes.isEmpty()) {
            WireFact fact = made(WireFact::Kind::Bytes);
            fact.bytes = std::move(bytes);
            m_listener.onFact(std::move(fact));
        }
        const bool wholeLength = m_expected && m_received >= *m_expected;
        if (wholeLength || (m_isError && m_received >= longestErrorBody))
            end(WireEnd::Complete);
    }

    [[nodiscard]] bool isShort() const { return m_expected && m_received < *m_expected; }

    [[nodiscard]] WireFact made(WireFact::Kind kind) const
    {
        WireFact fact;
        fact.kind = kind;
        fact.at = m_clock.now();
        return fact;
    }

    void phase(Phase phase)
    {
        WireFact fact = made(WireFact::Kind::PhaseBegan);
        fact.phase = phase;
        m_listener.onFact(std::move(fact));
    }

    // Up to where a request could be sent. False where it never comes to that.
    bool connected()
    {
        m_listener.onFact(made(WireFact::Kind::Connected));
        if (m_scenario.isProxy) {
            // From here on the library asks the proxy for a way, and tells of nothing before it has one.
            phase(Phase::Tls);
            return true;
        }
        if (m_scenario.tls == TlsFault::Plain)
            return true;
        phase(Phase::Tls);
        switch (m_scenario.tls) {
        case TlsFault::Plain:
        case TlsFault::Proper:
            return true;
        case TlsFault::Hang:
            return false;
        case TlsFault::Garbage:
            end(WireEnd::TlsFailed, u"SSL handshake failed: wrong version number"_s);
            return false;
        case TlsFault::Close:
        case TlsFault::Reset:
            end(WireEnd::ClosedInTls);
            return false;
        case TlsFault::Expired:
            end(WireEnd::TlsFailed, u"The certificate has expired"_s);
            return false;
        case TlsFault::WrongHost:
            end(WireEnd::TlsFailed, u"The host name did not match any of the valid hosts for this certificate"_s);
            return false;
        case TlsFault::SelfSigned:
            end(WireEnd::TlsFailed, u"The certificate is self-signed, and untrusted"_s);
            return false;
        }
        Q_UNREACHABLE();
    }

    void beginSending()
    {
        WireFact fact = made(WireFact::Kind::SendBegan);
        fact.total = m_requestBytes;
        m_listener.onFact(std::move(fact));
    }

    // False where there is nobody to send to.
    bool sent()
    {
        if (m_scenario.isProxy)
            return true; // no byte of the request: what is answered is the CONNECT
        beginSending();
        WireFact fact = made(WireFact::Kind::Sent);
        fact.value = m_requestBytes;
        fact.total = m_requestBytes;
        m_listener.onFact(std::move(fact));
        return true;
    }

    void end(WireEnd how, QString text = {})
    {
        m_ended = true;
        if (m_scenario.isProxy && how != WireEnd::ProxyFailed) {
            how = WireEnd::ProxyFailed; // whatever it did, there is no way through it
            text = u"the proxy closed the connection"_s;
        }
        if (how == WireEnd::Complete && m_compressed) {
            how = WireEnd::Undecodable;
            text = u"the body is compressed"_s;
        }
        WireFact fact = made(WireFact::Kind::End);
        fact.end = how;
        fact.text = std::move(text);
        fact.expectedBytes = m_expected;
        fact.receivedBytes = m_received;
        m_listener.onFact(std::move(fact));
    }

    Clock &m_clock;
    const Scenario &m_scenario;
    const FaultScript &m_script;
    ServedDialect m_dialect;
    std::unique_ptr<Play> m_play; // only where the connection is accepted
    qint64 m_requestBytes;
    const std::function<QDateTime()> &m_nowUtc;
    WireListener &m_listener;
    std::optional<qint64> m_expected;
    qint64 m_received = 0;
    qint64 m_instantBytes = 0;
    int m_instantActions = 0;
    Framing m_framing = Framing::Chunked;
    bool m_headBegan = false;
    bool m_headComplete = false;
    bool m_isError = false;    // a status that is none of success
    bool m_compressed = false; // although none was asked for: nothing of it can be shown
    bool m_connectAnswered = false;
    bool m_ended = false;
};

} // namespace

ScriptedTransport::ScriptedTransport(Clock &clock, const std::vector<Scenario> &scenarios, std::function<QDateTime()> nowUtc)
    : m_clock(clock)
    , m_scenarios(scenarios)
    , m_nowUtc(std::move(nowUtc))
{
    Q_ASSERT(!m_scenarios.empty());
}

const ScriptedTransport::Served &ScriptedTransport::servedFor(const QUrl &url)
{
    for (const Served &known : m_served) {
        if (known.url == url)
            return known;
    }
    return m_served.emplace_back(url, scenarioFor(url), dialectOf({url, {}, false, false}));
}

const Scenario &ScriptedTransport::scenarioFor(const QUrl &url) const
{
    if (m_scenarios.size() > 1) {
        const QString name = url.path().section(u'/', 1, 1);
        const auto it = std::ranges::find(m_scenarios, name, &Scenario::name);
        if (it != m_scenarios.end())
            return *it;
    }
    return m_scenarios.front();
}

std::unique_ptr<Exchange> ScriptedTransport::begin(const WireRequest &request, int number, const WireOptions &, WireListener &listener)
{
    const Served &served = servedFor(request.url);
    const FaultScript &script = scriptFor(served.scenario, number);
    auto exchange =
        std::make_unique<ScriptedExchange>(m_clock, served.scenario, script, served.dialect, request.body.size(), m_nowUtc, listener);
    exchange->start();
    return exchange;
}

} // namespace Waitscope
