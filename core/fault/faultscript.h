// SPDX-License-Identifier: GPL-3.0-or-later
// What one server or network does to requests, as data: the simulation and the fault server both play it (scriptplayer.h).
//
// All durations are nominal. A scenario that a reader or a builder made is valid: see FORMAT.md for ranges and meaning.
#pragma once

#include "base/time.h"
#include "fault/expectation.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <variant>
#include <vector>

namespace Waitscope {

// The API whose shapes a stream is written in. Which one is the request's affair (dialectOfUrl), not the script's.
enum class ServedDialect : quint8 { OpenAiChat, OpenAiResponses, AnthropicMessages, Gemini, Ollama, Sse };

enum class ConnectionFault : quint8 {
    Accept,    // the steps are played
    Refuse,    // connection refused
    BlackHole, // no answer to the connect at all
    Close,     // accepted, then FIN at once, nothing read
    Reset,     // accepted, then RST at once, nothing read
    NeverRead, // accepted, nothing ever read or written: large requests stall in sending
};

// How the end of a body is known.
enum class Framing : quint8 { Chunked, Length, UntilClose };

struct ScriptHeader {
    QByteArray name;
    QByteArray value;
    std::optional<Duration> dateIn; // instead of a value: an HTTP date this far after the moment the head is sent
};

// Status line and headers. Content-Type (by dialect) and the framing's own header are added where not given.
struct Head {
    int status = 200;
    QByteArray reason; // empty = the status's usual phrase
    std::vector<ScriptHeader> headers;
    Framing framing = Framing::Chunked;
    qint64 length = 0; // of Framing::Length: what is announced, not what is sent
};

struct WaitStep {
    Duration length{};
};

struct HeadStep {
    Head head;
};

// The head's bytes one by one, `every` before each.
struct HeadDripStep {
    Head head;
    Duration every{};
};

// A whole answer: head with the body's true length, and the body.
struct ReplyStep {
    Head head; // framing and length are the body's
    QByteArray body;
};

// Data events in the request's dialect, `every` before each; texts are used in turn.
struct EventsStep {
    std::optional<qint64> count; // nullopt = for ever
    Duration every{};
    std::vector<QString> texts;
};

// The dialect's sign of life that is no data.
struct PingStep {
    std::optional<qint64> count; // nullopt = for ever
    Duration every{};
};

// The dialect's error event inside the stream.
struct ErrorEventStep {
    QString type;
    QString text;
};

// The dialect's own end: finish reason, usage, and the last line where there is one ([DONE], message_stop).
struct EndMarkerStep {
    int inputTokens = 0;
    std::optional<int> outputTokens; // nullopt = the number of events sent
    bool cutByLength = false;        // the finish reason says that the token limit was reached
};

// Body bytes inside the framing.
struct BodyStep {
    QByteArray bytes;
};

// Body bytes inside the framing one by one, `every` before each.
struct DripStep {
    QByteArray bytes;
    Duration every{};
};

// Bytes on the wire as they are, outside any framing: broken status lines, broken chunks.
struct RawStep {
    QByteArray bytes;
};

// Ends the body as its framing says. Without it this happens after the last step.
struct EndBodyStep {};

// Silence for ever; the connection stays open.
struct HangStep {};

// FIN now: inside the head or the body it cuts these short.
struct CloseStep {};

// RST now.
struct ResetStep {};

struct FaultStep;

struct RepeatStep {
    std::optional<qint64> count; // nullopt = for ever
    std::vector<FaultStep> steps;
};

struct FaultStep {
    Duration after{}; // waited before the step
    std::variant<WaitStep, HeadStep, HeadDripStep, ReplyStep, EventsStep, PingStep, ErrorEventStep, EndMarkerStep, BodyStep,
                 DripStep, RawStep, EndBodyStep, HangStep, CloseStep, ResetStep, RepeatStep>
        what;
};

enum class LineEnd : quint8 { Lf, CrLf, Cr };

// How the dialect's blocks (events, pings, errors, the end marker) look on the wire; a reader must not care.
struct StreamStyle {
    LineEnd lineEnd = LineEnd::Lf;
    bool byteOrderMark = false;  // before the first block
    bool multiLineData = false;  // an event's JSON on two data lines, broken behind its first brace
    qint64 pieceBytes = 0;       // blocks are sent in pieces of so many bytes; 0 = whole
    Duration pieceEvery{};       // before each piece but a block's first
};

// What happens to one request, from its connect on.
struct FaultScript {
    qint64 times = 1; // how many requests in a row get it
    ConnectionFault connection = ConnectionFault::Accept;
    Duration connectAfter{}; // the connect is answered so late
    StreamStyle style;
    bool leavesStale = false; // the connection is kept, and the next request on it meets an RST
    std::vector<FaultStep> steps; // only with Accept
};

// What an https connection meets before its first request.
enum class TlsFault : quint8 {
    Plain,      // it is no https
    Proper,     // nothing: a good certificate
    Hang,       // the handshake is never answered
    Garbage,    // it is answered with what is no TLS
    Close,      // FIN instead of an answer
    Reset,      // RST
    Expired,    // certificates: of yesterday,
    WrongHost,  // of somebody else,
    SelfSigned, // of nobody
};

// What comes of the search for the host's address.
enum class LookupFault : quint8 { None, NotFound, Hang };

struct Scenario {
    QString name;  // as on the command line: "503-at-once"
    QString title; // a few words for a list
    QString about; // what it shows, a sentence or two
    LookupFault lookup = LookupFault::None;
    TlsFault tls = TlsFault::Plain;
    bool isProxy = false; // a proxy plays the scripts, to the CONNECT that asks it for a way to the real host
    std::vector<FaultScript> requests; // used in order; the last repeats for ever; never empty
    Expectation expect;
};

// Is the scenario over before any script could begin?
[[nodiscard]] bool endsBeforeScripts(const Scenario &scenario);

// The script of the n-th request, counted from 1.
[[nodiscard]] const FaultScript &scriptFor(const Scenario &scenario, qint64 requestNumber);

// Whether an answer's headers hold a date: then what a client reads depends on when it asks.
[[nodiscard]] bool dependsOnDate(const FaultScript &script);

// Whether any script is about the connect itself; a server then cannot tell its scenarios apart on one port.
[[nodiscard]] bool hasConnectionFaults(const Scenario &scenario);

} // namespace Waitscope
