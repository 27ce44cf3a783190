// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/faultconnection.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostUnsent = 64 * 1024; // an endless body waits for its reader beyond this
constexpr qsizetype readPiece = 64 * 1024;
constexpr int actionsInARow = 256;          // then the others have their turn

bool asksToClose(const ScriptHeaders &headers)
{
    for (const auto &[name, value] : headers) {
        if (name.compare("connection", Qt::CaseInsensitive) == 0 && value.toLower().contains("close"))
            return true;
    }
    return false;
}

} // namespace

FaultConnection::FaultConnection(qintptr descriptor, FaultStage &stage, std::optional<size_t> ownScenario, QObject *parent)
    : QObject(parent)
    , m_stage(stage)
    , m_ownScenario(ownScenario)
    , m_socket(descriptor)
{
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &FaultConnection::play);
    connect(&m_socket, &FaultSocket::readable, this, &FaultConnection::onReadable);
    connect(&m_socket, &FaultSocket::peerFinished, this, &FaultConnection::onPeerFinished);
    connect(&m_socket, &FaultSocket::drained, this, [this] {
        if (!m_blocked)
            return;
        // What the client's slowness cost is not made up for with a burst.
        m_blocked = false;
        m_due = std::max(m_due, SteadyClock::now());
        play();
    });
    connect(&m_socket, &FaultSocket::closed, this, &QObject::deleteLater);

    m_stage.book.connectionAccepted();
    if (m_ownScenario) {
        m_usedBy = m_ownScenario;
        m_stage.book.connectionUsed(*m_ownScenario);
        if (!startTls(m_stage.book.scenarios()[*m_ownScenario].tls))
            return;
        if (const auto turn = m_stage.book.takeTurnAtConnect(*m_ownScenario)) {
            playAtConnect(turn->script->connection);
            return;
        }
    }
    m_socket.setReading(true);
}

FaultConnection::~FaultConnection()
{
    m_stage.book.connectionClosed();
}

void FaultConnection::finish()
{
    m_state = State::Ending;
    m_timer.stop();
    m_socket.finish();
}

void FaultConnection::playAtConnect(ConnectionFault fault)
{
    switch (fault) {
    case ConnectionFault::Accept:
        return;
    case ConnectionFault::Close:
        finish();
        return;
    case ConnectionFault::Refuse: // as near as an accepted connection comes
    case ConnectionFault::Reset:
        m_state = State::Ending;
        m_socket.reset();
        return;
    case ConnectionFault::BlackHole: // the same
    case ConnectionFault::NeverRead:
        m_state = State::Hanging;
        m_socket.setReading(false);
        return;
    }
    Q_UNREACHABLE();
}

bool FaultConnection::startTls(TlsFault fault)
{
    switch (fault) {
    case TlsFault::Plain:
        return true;
    case TlsFault::Proper:
    case TlsFault::Expired:
    case TlsFault::WrongHost:
    case TlsFault::SelfSigned:
        m_socket.startTls(m_stage.tls[*m_ownScenario]);
        return true;
    case TlsFault::Hang:
        playAtConnect(ConnectionFault::NeverRead);
        return false;
    case TlsFault::Garbage:
    case TlsFault::Close:
    case TlsFault::Reset:
        m_state = State::Handshake;
        m_socket.setReading(true);
        return false;
    }
    Q_UNREACHABLE();
}

void FaultConnection::breakHandshake()
{
    static_cast<void>(m_socket.read(readPiece)); // a close with bytes unread would be an RST
    const TlsFault fault = m_stage.book.scenarios()[*m_ownScenario].tls;
    if (fault == TlsFault::Reset) {
        playAtConnect(ConnectionFault::Reset);
        return;
    }
    if (fault == TlsFault::Garbage)
        m_socket.write("this is no TLS at all\r\n");
    finish();
}

void FaultConnection::onReadable()
{
    if (m_state == State::Handshake) {
        breakHandshake();
        return;
    }
    if (m_state != State::Reading) {
        // A second request before the first is answered. Left in the kernel; the connection ends with this reply, and the
        // client asks again on another one.
        m_pipelined = true;
        m_socket.setReading(false);
        return;
    }
    if (m_leavesStale) {
        playAtConnect(ConnectionFault::Reset);
        return;
    }
    m_in += m_socket.read(readPiece);
    readRequest();
}

void FaultConnection::onPeerFinished()
{
    m_peerFinished = true;
    // While a script plays it may be a half-close only: the client then still reads, and if not, the next bytes will tell.
    if (m_state == State::Reading || m_state == State::Hanging || m_state == State::Handshake) {
        m_socket.abandon();
        deleteLater();
    }
}

void FaultConnection::readRequest()
{
    m_in.remove(0, m_reader.feed(m_in));
    switch (m_reader.state()) {
    case FaultRequestReader::State::Reading:
        if (m_reader.takeContinueWish())
            m_socket.write("HTTP/1.1 100 Continue\r\n\r\n");
        return;
    case FaultRequestReader::State::Complete:
        m_request = m_reader.request();
        m_reader = FaultRequestReader();
        beginScript();
        return;
    case FaultRequestReader::State::Bad:
        refuse(m_reader.refusal().status, m_reader.refusal().text);
        return;
    }
    Q_UNREACHABLE();
}

void FaultConnection::refuse(int status, const QByteArray &text)
{
    m_stage.book.requestRefused();
    Head head;
    head.status = status;
    head.headers = {{"Content-Type", "text/plain; charset=utf-8", {}}, {"Connection", "close", {}}};
    head.framing = Framing::Length;
    head.length = text.size();
    m_socket.write(headBytes(head, headersFor(head, ServedDialect::Sse, {})) + text);
    finish();
}

void FaultConnection::beginScript()
{
    const auto scenario = m_ownScenario ? m_ownScenario : m_stage.book.indexOf(m_request.dialect.url.path().section(u'/', 1, 1));
    // A scenario with a port of its own is not served here: its connects would go by unplayed.
    if (!scenario || (!m_ownScenario && hasConnectionFaults(m_stage.book.scenarios()[*scenario]))) {
        QByteArray text = "No scenario of this name is served on this port. Served here:\n";
        for (const Scenario &known : m_stage.book.scenarios()) {
            if (!hasConnectionFaults(known))
                text += '/' + known.name.toUtf8() + '\n';
        }
        refuse(404, text);
        return;
    }
    if (m_usedBy != scenario) {
        m_usedBy = scenario;
        m_stage.book.connectionUsed(*scenario);
    }
    const auto turn = m_stage.book.takeTurn(*scenario, m_ownScenario ? QByteArray() : m_request.exec);
    if (m_stage.onRequest) {
        m_stage.onRequest({m_stage.book.scenarios()[*scenario].name, turn.number, m_request.exec, m_request.method, m_request.dialect.url});
    }
    if (turn.script->connection != ConnectionFault::Accept) {
        // Another connection took the turn before; the connect is past, so what is left of the fault is played now.
        playAtConnect(turn.script->connection);
        return;
    }
    m_state = State::Playing;
    m_pipelined = !m_in.isEmpty();
    m_closeAsked = false;
    m_leavesStale = turn.script->leavesStale;
    m_player.emplace(*turn.script, dialectOf(m_request.dialect));
    m_due = SteadyClock::now();
    play();
}

void FaultConnection::play()
{
    if (m_state != State::Playing)
        return;
    for (int i = 0; i < actionsInARow; ++i) {
        if (!m_next) {
            m_next = m_player->next(m_stage.nowUtc());
            if (!m_next) {
                replyDone();
                return;
            }
            m_due += std::chrono::duration_cast<SteadyClock::duration>(
                std::chrono::duration<double, std::nano>(static_cast<double>(m_next->wait.count()) / m_stage.scale));
        }
        const auto left = m_due - SteadyClock::now();
        if (left > SteadyClock::duration::zero()) {
            constexpr std::chrono::milliseconds longest = std::chrono::hours(1); // a timer's range; we then look again
            m_timer.start(std::min(std::chrono::ceil<std::chrono::milliseconds>(left), longest));
            return;
        }
        if (m_socket.bytesToWrite() > mostUnsent) {
            m_blocked = true;
            return;
        }
        const WireAction action = std::move(*m_next);
        m_next.reset();
        if (!perform(action))
            return;
        // Whether the reply is over must be known before the client can answer it.
        if (action.kind == WireAction::Kind::EndBody)
            --i;
    }
    m_timer.start(0);
}

bool FaultConnection::perform(const WireAction &action)
{
    switch (action.kind) {
    case WireAction::Kind::Head:
        if (action.headComplete)
            m_closeAsked = asksToClose(action.headers);
        m_socket.write(action.bytes);
        return true;
    case WireAction::Kind::Body:
        m_socket.write(framed(action.framing, action.bytes));
        return true;
    case WireAction::Kind::Raw:
        m_socket.write(action.bytes);
        return true;
    case WireAction::Kind::EndBody:
        m_socket.write(bodyEnd(action.framing));
        return true;
    case WireAction::Kind::Close:
        finish();
        return false;
    case WireAction::Kind::Reset:
        m_state = State::Ending;
        m_socket.reset();
        return false;
    case WireAction::Kind::Hang:
        m_state = State::Hanging;
        if (m_peerFinished)
            onPeerFinished();
        return false;
    }
    Q_UNREACHABLE();
}

void FaultConnection::replyDone()
{
    m_player.reset();
    // A HEAD request's reply has bytes that the client does not expect.
    if (!m_request.keepAlive || m_closeAsked || m_pipelined || m_peerFinished || m_request.method == "HEAD") {
        finish();
        return;
    }
    m_state = State::Reading;
    m_socket.setReading(true);
}

} // namespace Waitscope
