// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/tracewriter.h"

#include "trace/jsontext.h"

#include <charconv>
#include <cstring>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// One JSON object on one line. Keys and words are our own ASCII and need no escaping; all of them with the numbers of any
// event fit into the buffer, only texts can be long.
class Line
{
public:
    explicit Line(QByteArray &out)
        : m_out(out)
    {
    }
    Q_DISABLE_COPY_MOVE(Line)
    ~Line()
    {
        put("}\n", 2);
        flush();
    }

    template<size_t N> void begin(const char (&key)[N])
    {
        put(m_first ? "{\"" : ",\"", 2);
        m_first = false;
        put(key, N - 1);
        put("\":", 2);
    }
    template<size_t N> void word(const char (&key)[N], QLatin1StringView value)
    {
        begin(key);
        put("\"", 1);
        put(value.data(), static_cast<size_t>(value.size()));
        put("\"", 1);
    }
    template<size_t N, class Enum> void word(const char (&key)[N], Enum value) { word(key, wordOf(value)); }
    template<size_t N, class Enum> void wordUnless(const char (&key)[N], Enum value, Enum usual)
    {
        if (value != usual)
            word(key, wordOf(value));
    }
    template<size_t N, class Int> void integer(const char (&key)[N], Int value)
    {
        begin(key);
        m_end = std::to_chars(m_end, m_buffer + sizeof m_buffer, value).ptr;
    }
    template<size_t N, class Int> void integerUnlessZero(const char (&key)[N], Int value)
    {
        if (value != 0)
            integer(key, value);
    }
    template<size_t N> void time(const char (&key)[N], Instant t) { integer(key, t.time_since_epoch().count()); }
    template<size_t N> void number(const char (&key)[N], double value)
    {
        begin(key);
        flush();
        appendNumber(m_out, value);
    }
    template<size_t N> void trueIf(const char (&key)[N], bool value)
    {
        if (!value)
            return;
        begin(key);
        put("true", 4);
    }
    template<size_t N> void text(const char (&key)[N], QStringView value)
    {
        begin(key);
        flush();
        appendJsonString(m_out, value);
    }
    template<size_t N> void textIfAny(const char (&key)[N], QStringView value)
    {
        if (!value.isEmpty())
            text(key, value);
    }
    void flush()
    {
        m_out.append(m_buffer, m_end - m_buffer);
        m_end = m_buffer;
    }

private:
    void put(const char *text, size_t size)
    {
        std::memcpy(m_end, text, size);
        m_end += size;
    }

    QByteArray &m_out;
    char m_buffer[1024];
    char *m_end = m_buffer;
    bool m_first = true;
};

void put(Line &line, const SpanBegan &e)
{
    line.word("e", "begin"_L1);
    line.integer("id", e.id.value);
    line.integerUnlessZero("parent", e.parent.value);
    line.integerUnlessZero("cause", e.cause.value);
    line.word("kind", e.kind);
    line.word("layer", e.layer);
    line.wordUnless("phase", e.phase, Phase::None);
    line.wordUnless("role", e.role, Role::First);
    line.integerUnlessZero("attempt", e.attempt);
    line.integerUnlessZero("max", e.maxAttempts);
    line.textIfAny("label", e.label);
}

void put(Line &line, const SpanEnded &e)
{
    line.word("e", "end"_L1);
    line.integer("id", e.id.value);
    line.word("outcome", e.outcome);
    line.wordUnless("reason", e.reason, ErrorReason::None);
    line.trueIf("retryable", e.retryable);
    line.trueIf("exhausted", e.exhausted);
    line.integerUnlessZero("status", e.status);
    line.textIfAny("type", e.type);
    line.textIfAny("text", e.text);
    line.textIfAny("rule", e.rule);
    if (e.hintSeconds != 0)
        line.number("hint_s", e.hintSeconds);
}

void put(Line &line, const Marked &e)
{
    line.word("e", "mark"_L1);
    line.integer("span", e.span.value);
    line.word("kind", e.kind);
    line.integerUnlessZero("value", e.value);
    line.textIfAny("text", e.text);
}

void put(Line &line, const TimerArmed &e)
{
    line.word("e", "armed"_L1);
    line.integer("id", e.id.value);
    line.integer("owner", e.owner.value);
    line.word("kind", e.kind);
    line.wordUnless("resets", e.resets, Resets::Nothing);
    line.wordUnless("kills", e.kills, Kills::Nothing);
    if (e.due != never)
        line.time("due", e.due);
    line.integer("value", e.value.count());
    line.trueIf("clamped", e.clamped);
    line.textIfAny("setting", QString(e.setting));
    line.textIfAny("variable", QString(e.variable));
}

void put(Line &line, const TimerFired &e)
{
    line.word("e", "fired"_L1);
    line.integer("id", e.id.value);
    line.time("due", e.due);
    if (e.sinceLastByte)
        line.integer("since_byte", e.sinceLastByte->count());
    if (e.sinceLastData)
        line.integer("since_data", e.sinceLastData->count());
}

void put(Line &line, const TimerDisarmed &e)
{
    line.word("e", "disarmed"_L1);
    line.integer("id", e.id.value);
}

void put(Line &line, const DrawMade &e)
{
    line.word("e", "draw"_L1);
    line.integerUnlessZero("span", e.span.value);
    line.word("layer", e.layer);
    line.integerUnlessZero("attempt", e.attempt);
    line.number("u", e.u);
}

void put(Line &line, const PolicyChanged &e)
{
    line.word("e", "policy_changed"_L1);
    line.integer("version", e.version);
    line.text("setting", e.setting);
    line.text("from", e.from);
    line.text("to", e.to);
    line.textIfAny("origin", e.origin);
}

void put(Line &line, const CommandGiven &e)
{
    line.word("e", "command"_L1);
    line.text("name", e.name);
    line.textIfAny("argument", e.argument);
}

void put(Line &line, const ClockJumped &e)
{
    line.word("e", "clock_jumped"_L1);
    line.integer("by", e.by.count());
}

void put(Line &line, const CounterSampled &e)
{
    line.word("e", "counter"_L1);
    line.integerUnlessZero("span", e.span.value);
    line.text("name", e.name);
    line.number("value", e.value);
}

QLatin1StringView wordOf(ClockKind kind)
{
    switch (kind) {
    case ClockKind::Real:
        return "real"_L1;
    case ClockKind::Scaled:
        return "scaled"_L1;
    case ClockKind::Virtual:
        return "virtual"_L1;
    }
    Q_UNREACHABLE();
}

void appendPolicy(QByteArray &out, const std::vector<ShownSetting> &policy)
{
    out.append('[');
    for (const ShownSetting &setting : policy) {
        out.append(&setting == policy.data() ? "[" : ",[");
        appendJsonString(out, setting.name);
        out.append(',');
        appendJsonString(out, setting.value);
        out.append(',');
        appendJsonString(out, setting.origin);
        out.append(']');
    }
    out.append(']');
}

} // namespace

void appendHeaderLine(QByteArray &out, const TraceHeader &header)
{
    Line line(out);
    line.word("format", "waitscope-trace"_L1);
    line.text("version", u"%1.%2"_s.arg(header.majorVersion).arg(header.minorVersion));
    line.word("clock", wordOf(header.clock));
    line.number("scale", header.scale);
    if (header.startUtc.isValid())
        line.text("start", header.startUtc.toUTC().toString(Qt::ISODateWithMs));
    line.textIfAny("title", header.title);
    line.integer("seed", header.seed);
    line.textIfAny("program", header.programVersion);
    line.begin("policy");
    line.flush();
    appendPolicy(out, header.policy);
    line.begin("redactions");
    line.flush();
    out.append('[');
    for (qsizetype i = 0; i < header.redactions.size(); ++i) {
        if (i > 0)
            out.append(',');
        appendJsonString(out, header.redactions[i]);
    }
    out.append(']');
}

void appendEventLine(QByteArray &out, const Event &event)
{
    Line line(out);
    line.time("t", timeOf(event));
    std::visit([&line](const auto &e) { put(line, e); }, event);
}

void appendStoppedLine(QByteArray &out, const QString &why)
{
    Line line(out);
    line.word("e", "stopped"_L1);
    line.text("why", why);
}

TraceFile::TraceFile(const QString &path)
    : m_file(path)
{
}

Expected<std::unique_ptr<TraceFile>> TraceFile::create(const QString &path, const TraceHeader &header,
                                                       QByteArrayView rawHeader)
{
    std::unique_ptr<TraceFile> file(new TraceFile(path));
    if (!file->m_file.open(QIODevice::WriteOnly))
        return unavailable(path, u"cannot be written: %1"_s.arg(file->m_file.errorString()));
    if (rawHeader.isEmpty())
        appendHeaderLine(file->m_buffer, header);
    else
        file->writeRaw(rawHeader);
    return file;
}

void TraceFile::write(const Event &event)
{
    appendEventLine(m_buffer, event);
    flush();
}

void TraceFile::writeRaw(QByteArrayView line)
{
    m_buffer.append(line.data(), line.size());
    if (!line.endsWith('\n'))
        m_buffer.append('\n');
    flush();
}

Expected<void> TraceFile::commit()
{
    m_file.write(m_buffer);
    m_buffer.clear();
    // QSaveFile remembers a failed write and refuses here.
    if (!m_file.commit())
        return unavailable(m_file.fileName(), u"cannot be written: %1"_s.arg(m_file.errorString()));
    return {};
}

void TraceFile::flush()
{
    if (m_buffer.size() < 1 << 16)
        return;
    m_file.write(m_buffer);
    m_buffer.resize(0);
}

} // namespace Waitscope
