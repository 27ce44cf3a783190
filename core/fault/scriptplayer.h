// SPDX-License-Identifier: GPL-3.0-or-later
// Turns a script into what happens on the wire, one action at a time and without a clock: who plays it does the waiting.
#pragma once

#include "fault/dialectwriter.h"
#include "fault/faultscript.h"

#include <QDateTime>

#include <utility>

namespace Waitscope {

using ScriptHeaders = std::vector<std::pair<QByteArray, QByteArray>>;

// The headers as sent, in order: dates resolved, Content-Type and the framing's header added.
[[nodiscard]] ScriptHeaders headersFor(const Head &head, ServedDialect dialect, const QDateTime &nowUtc);

// Status line, headers and the blank line.
[[nodiscard]] QByteArray headBytes(const Head &head, const ScriptHeaders &headers);

// Body bytes as the framing puts them on the wire; no bytes give nothing (an empty chunk would end the body).
[[nodiscard]] QByteArray framed(Framing framing, const QByteArray &body);

// The framing's own end: the last chunk, or nothing.
[[nodiscard]] QByteArray bodyEnd(Framing framing);

struct WireAction {
    enum class Kind : quint8 {
        Head,    // `bytes` = head bytes as on the wire; a dripped head comes in pieces
        Body,    // `bytes` = body bytes without framing
        Raw,     // `bytes` as on the wire
        EndBody, // the body is complete; the connection may serve another request
        Close,   // FIN; with Framing::UntilClose after a complete head this completes the body
        Reset,   // RST
        Hang,    // nothing ever again, the connection stays open
    };

    Kind kind = Kind::Hang;
    Duration wait{};           // nominal, before the action, counted from the previous one
    QByteArray bytes;
    bool headComplete = false; // Kind::Head: this is the last piece; status and headers below are valid
    int status = 0;
    ScriptHeaders headers;     // as a client reads them, framing headers included
    Framing framing = Framing::Chunked; // of the head sent last
};

// Plays the steps of an accepted request. Holds a few indices, one block and at most 64 KiB of text, however long the script runs.
class ScriptPlayer
{
public:
    // The script is borrowed and must outlive the player.
    ScriptPlayer(const FaultScript &script, ServedDialect dialect);

    // The next action; nullopt after the last one, which is always EndBody, Close, Reset or Hang. Only EndBody may also come
    // earlier, where a script goes on after a complete body. `nowUtc` is the wall-clock time at which the action's wait begins;
    // only HTTP dates in headers use it, with the wait added; an invalid one counts as the epoch.
    [[nodiscard]] std::optional<WireAction> next(const QDateTime &nowUtc);

private:
    // One list of steps being played; the innermost repeat is last.
    struct Level {
        const std::vector<FaultStep> *steps = nullptr;
        std::optional<qint64> roundsLeft; // nullopt = for ever
        size_t index = 0;
    };

    class StepVisitor;

    [[nodiscard]] const FaultStep *currentStep();
    void stepDone();
    void addWait(Duration d); // saturates
    [[nodiscard]] WireAction action(WireAction::Kind kind, QByteArray bytes = {});
    [[nodiscard]] WireAction finalAction(WireAction::Kind kind);
    [[nodiscard]] WireAction headAction(const QByteArray &bytes, bool complete);
    [[nodiscard]] WireAction bodyAction(QByteArray bytes);
    [[nodiscard]] WireAction blockAction(QByteArray block); // in the script's style
    [[nodiscard]] WireAction pieceAction();
    [[nodiscard]] WireAction endOfBody();
    void startHead(const Head &head, const QDateTime &nowUtc);

    ServedDialect m_dialect;
    StreamStyle m_style;
    DialectWriter m_writer;
    std::vector<Level> m_levels;
    qint64 m_inStep = 0;          // events, pings, bytes done of the current step
    bool m_stepEntered = false;   // the current step's own wait is in m_wait already
    Duration m_wait{};            // gathered since the last action
    ScriptHeaders m_headers;      // of the head being sent
    QByteArray m_headBytes;       // of a head being dripped
    QByteArray m_block;           // of which pieces are still to be sent
    qint64 m_blockDone = 0;
    bool m_streamBegan = false;   // the first block was sent
    Head m_head;
    qint64 m_bodyBytes = 0;       // sent so far of the body that belongs to m_head
    bool m_inBody = false;        // a final head was sent and its body has not ended
    bool m_bodyEnded = false;
    bool m_finished = false;
};

} // namespace Waitscope
