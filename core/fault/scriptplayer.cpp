// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault/scriptplayer.h"

#include <QLocale>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

bool isInterim(const Head &head)
{
    return head.status >= 100 && head.status < 200;
}

bool hasNoBody(const Head &head)
{
    return isInterim(head) || head.status == 204 || head.status == 304;
}

QByteArray httpDate(const QDateTime &nowUtc, Duration in)
{
    const QDateTime base = nowUtc.isValid() ? nowUtc.toUTC() : QDateTime::fromSecsSinceEpoch(0, Qt::UTC);
    const qint64 ms = base.toMSecsSinceEpoch() + std::chrono::ceil<std::chrono::milliseconds>(in).count();
    // Whole seconds, rounded up: never earlier than the script says.
    const qint64 seconds = ms >= 0 ? (ms + 999) / 1000 : ms / 1000;
    return QLocale::c()
        .toString(QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC), u"ddd, dd MMM yyyy HH:mm:ss 'GMT'"_s)
        .toLatin1();
}

bool contains(const ScriptHeaders &headers, QByteArrayView name)
{
    for (const auto &[key, value] : headers) {
        if (key.compare(name, Qt::CaseInsensitive) == 0)
            return true;
    }
    return false;
}

QByteArray styled(QByteArray block, const StreamStyle &style)
{
    if (style.multiLineData) {
        block.replace("\ndata: {", "\ndata: {\ndata: ");
        if (block.startsWith("data: {"))
            block.insert(7, "\ndata: ");
    }
    // The texts inside never hold a line end of their own: JSON escapes it, plain text is split into lines.
    switch (style.lineEnd) {
    case LineEnd::Lf:
        return block;
    case LineEnd::CrLf:
        return block.replace('\n', "\r\n");
    case LineEnd::Cr:
        return block.replace('\n', '\r');
    }
    Q_UNREACHABLE();
}

QByteArray usualReason(int status)
{
    switch (status) {
    case 100: return "Continue";
    case 102: return "Processing";
    case 103: return "Early Hints";
    case 200: return "OK";
    case 201: return "Created";
    case 204: return "No Content";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 304: return "Not Modified";
    case 307: return "Temporary Redirect";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 402: return "Payment Required";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 520: return "Web Server Returned an Unknown Error";
    case 522: return "Connection Timed Out";
    case 524: return "A Timeout Occurred";
    case 529: return "Overloaded";
    default: return "Unknown";
    }
}

} // namespace

ScriptHeaders headersFor(const Head &head, ServedDialect dialect, const QDateTime &nowUtc)
{
    ScriptHeaders list;
    for (const ScriptHeader &header : head.headers)
        list.emplace_back(header.name, header.dateIn ? httpDate(nowUtc, *header.dateIn) : header.value);
    if (hasNoBody(head))
        return list;
    if (!contains(list, "content-type"))
        list.emplace_back("Content-Type", contentTypeOf(dialect));
    switch (head.framing) {
    case Framing::Chunked:
        list.emplace_back("Transfer-Encoding", "chunked");
        break;
    case Framing::Length:
        list.emplace_back("Content-Length", QByteArray::number(head.length));
        break;
    case Framing::UntilClose:
        if (!contains(list, "connection"))
            list.emplace_back("Connection", "close");
        break;
    }
    return list;
}

QByteArray headBytes(const Head &head, const ScriptHeaders &headers)
{
    QByteArray bytes = "HTTP/1.1 " + QByteArray::number(head.status) + ' '
                       + (head.reason.isEmpty() ? usualReason(head.status) : head.reason) + "\r\n";
    for (const auto &[name, value] : headers)
        bytes += name + ": " + value + "\r\n";
    return bytes + "\r\n";
}

QByteArray framed(Framing framing, const QByteArray &body)
{
    if (framing != Framing::Chunked || body.isEmpty())
        return body;
    return QByteArray::number(body.size(), 16) + "\r\n" + body + "\r\n";
}

QByteArray bodyEnd(Framing framing)
{
    return framing == Framing::Chunked ? QByteArrayLiteral("0\r\n\r\n") : QByteArray();
}

// One visit does one action of the step, or none (an empty answer) when the step only waits or is over.
class ScriptPlayer::StepVisitor
{
public:
    using Result = std::optional<WireAction>;
    using Kind = WireAction::Kind;

    StepVisitor(ScriptPlayer &player, const QDateTime &nowUtc)
        : p(player)
        , m_nowUtc(nowUtc)
    {
    }

    Result operator()(const WaitStep &step)
    {
        p.addWait(step.length);
        return none();
    }

    Result operator()(const HeadStep &step)
    {
        p.startHead(step.head, m_nowUtc);
        return only(p.headAction(headBytes(p.m_head, p.m_headers), true));
    }

    Result operator()(const HeadDripStep &step)
    {
        if (p.m_inStep == 0) {
            p.startHead(step.head, m_nowUtc);
            p.m_headBytes = headBytes(p.m_head, p.m_headers);
        }
        p.addWait(step.every);
        const QByteArray byte = p.m_headBytes.mid(p.m_inStep++, 1);
        const bool last = p.m_inStep == p.m_headBytes.size();
        WireAction action = p.headAction(byte, last);
        if (last)
            p.stepDone();
        return action;
    }

    Result operator()(const ReplyStep &step)
    {
        if (p.m_inStep == 0) {
            Head head = step.head;
            head.framing = Framing::Length;
            head.length = step.body.size();
            p.startHead(head, m_nowUtc);
            p.m_inStep = step.body.isEmpty() ? 2 : 1;
            return p.headAction(headBytes(p.m_head, p.m_headers), true);
        }
        if (p.m_inStep == 1) {
            p.m_inStep = 2;
            return p.bodyAction(step.body);
        }
        return only(p.endOfBody());
    }

    Result operator()(const EventsStep &step)
    {
        if (isOver(step.count))
            return none();
        p.addWait(step.every);
        const auto turn = static_cast<size_t>(p.m_inStep++) % step.texts.size();
        return p.blockAction(p.m_writer.event(step.texts[turn]));
    }

    Result operator()(const PingStep &step)
    {
        if (isOver(step.count))
            return none();
        p.addWait(step.every);
        ++p.m_inStep;
        return p.blockAction(p.m_writer.ping());
    }

    Result operator()(const ErrorEventStep &step) { return only(p.blockAction(p.m_writer.error(step.type, step.text))); }
    Result operator()(const EndMarkerStep &step) { return only(p.blockAction(p.m_writer.end(step))); }
    Result operator()(const BodyStep &step) { return only(p.bodyAction(step.bytes)); }

    Result operator()(const DripStep &step)
    {
        if (isOver(step.bytes.size()))
            return none();
        p.addWait(step.every);
        return p.bodyAction(step.bytes.mid(p.m_inStep++, 1));
    }

    Result operator()(const RawStep &step) { return only(p.action(Kind::Raw, step.bytes)); }
    Result operator()(const EndBodyStep &) { return only(p.endOfBody()); }
    Result operator()(const HangStep &) { return p.finalAction(Kind::Hang); }
    Result operator()(const CloseStep &) { return p.finalAction(Kind::Close); }
    Result operator()(const ResetStep &) { return p.finalAction(Kind::Reset); }

    Result operator()(const RepeatStep &step)
    {
        // The step after the repeat is played once the level is used up.
        p.stepDone();
        if (!step.count || *step.count > 0)
            p.m_levels.push_back({&step.steps, step.count, 0});
        return std::nullopt;
    }

private:
    [[nodiscard]] bool isOver(std::optional<qint64> count) const { return count && p.m_inStep >= *count; }

    Result none()
    {
        p.stepDone();
        return std::nullopt;
    }

    Result only(WireAction action)
    {
        p.stepDone();
        return action;
    }

    ScriptPlayer &p;
    const QDateTime &m_nowUtc;
};

ScriptPlayer::ScriptPlayer(const FaultScript &script, ServedDialect dialect)
    : m_dialect(dialect)
    , m_style(script.style)
    , m_writer(dialect)
    , m_levels{{&script.steps, 1, 0}}
{
}

std::optional<WireAction> ScriptPlayer::next(const QDateTime &nowUtc)
{
    if (m_blockDone < m_block.size()) {
        addWait(m_style.pieceEvery);
        return pieceAction();
    }
    while (!m_finished) {
        const FaultStep *step = currentStep();
        if (!step) {
            if (m_inBody)
                return endOfBody();
            if (m_bodyEnded) {
                m_finished = true;
                break;
            }
            // Nothing that ends was sent: no head, an interim one, or raw bytes.
            return finalAction(WireAction::Kind::Close);
        }
        if (!m_stepEntered) {
            addWait(step->after);
            m_stepEntered = true;
        }
        if (auto action = std::visit(StepVisitor(*this, nowUtc), step->what))
            return action;
    }
    return std::nullopt;
}

const FaultStep *ScriptPlayer::currentStep()
{
    while (!m_levels.empty()) {
        Level &level = m_levels.back();
        if (level.index < level.steps->size())
            return &(*level.steps)[level.index];
        if (level.roundsLeft && --*level.roundsLeft <= 0)
            m_levels.pop_back();
        else
            level.index = 0;
    }
    return nullptr;
}

void ScriptPlayer::stepDone()
{
    ++m_levels.back().index;
    m_inStep = 0;
    m_stepEntered = false;
    m_headBytes.clear();
}

void ScriptPlayer::startHead(const Head &head, const QDateTime &nowUtc)
{
    m_head = head;
    if (hasNoBody(head)) {
        m_head.framing = Framing::Length;
        m_head.length = 0;
    }
    m_headers = headersFor(m_head, m_dialect, nowUtc.isValid() ? nowUtc.addMSecs(m_wait.count() / 1'000'000) : nowUtc);
    m_bodyBytes = 0;
    m_bodyEnded = false;
}

void ScriptPlayer::addWait(Duration d)
{
    m_wait = m_wait > Duration::max() - d ? Duration::max() : m_wait + d;
}

WireAction ScriptPlayer::action(WireAction::Kind kind, QByteArray bytes)
{
    WireAction action;
    action.kind = kind;
    action.wait = m_wait;
    action.bytes = std::move(bytes);
    action.framing = m_head.framing;
    m_wait = Duration::zero();
    return action;
}

WireAction ScriptPlayer::finalAction(WireAction::Kind kind)
{
    m_finished = true;
    return action(kind);
}

WireAction ScriptPlayer::headAction(const QByteArray &bytes, bool complete)
{
    WireAction head = action(WireAction::Kind::Head, bytes);
    head.headComplete = complete;
    if (complete) {
        head.status = m_head.status;
        head.headers = m_headers;
        m_inBody = !isInterim(m_head);
    }
    return head;
}

WireAction ScriptPlayer::bodyAction(QByteArray bytes)
{
    m_bodyBytes += bytes.size();
    return action(WireAction::Kind::Body, std::move(bytes));
}

WireAction ScriptPlayer::blockAction(QByteArray block)
{
    m_block = styled(std::move(block), m_style);
    if (m_style.byteOrderMark && !std::exchange(m_streamBegan, true))
        m_block.prepend("\xEF\xBB\xBF");
    m_blockDone = 0;
    return pieceAction();
}

WireAction ScriptPlayer::pieceAction()
{
    if (m_style.pieceBytes == 0)
        return bodyAction(std::exchange(m_block, {}));
    const QByteArray piece = m_block.mid(m_blockDone, m_style.pieceBytes);
    m_blockDone += piece.size();
    return bodyAction(piece);
}

WireAction ScriptPlayer::endOfBody()
{
    // Only a close can end a body of no announced length, or one that is not as long as announced.
    const bool byClose = m_head.framing == Framing::UntilClose
                         || (m_head.framing == Framing::Length && m_bodyBytes != m_head.length);
    if (byClose)
        return finalAction(WireAction::Kind::Close);
    m_inBody = false;
    m_bodyEnded = true;
    return action(WireAction::Kind::EndBody);
}

} // namespace Waitscope
