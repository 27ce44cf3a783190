// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/traceline.h"

#include "trace/jsontext.h"
#include "trace/spaninfo.h"
#include "trace/staticwords.h"
#include "trace/tracefields.h"

#include <limits>
#include <vector>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

using Type = TraceToken::Type;

QString shown(std::string_view text)
{
    constexpr size_t longest = 60;
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(std::min(text.size(), longest)));
}

// Short texts come again and again (labels, type names, rules): made once, shared from then on.
class TextCache
{
public:
    // Nothing for a broken escape.
    std::optional<QString> text(std::string_view raw)
    {
        if (raw.size() > longest)
            return fromJsonString(raw);
        Slot &slot = m_slots[std::hash<std::string_view>{}(raw) % m_slots.size()];
        if (slot.raw != raw || raw.empty()) {
            std::optional<QString> text = fromJsonString(raw);
            if (!text)
                return std::nullopt;
            slot.raw = raw;
            slot.text = std::move(*text);
        }
        return slot.text;
    }

    // The same as a word with static storage; nothing for what is no name of a setting or variable.
    std::optional<QLatin1StringView> word(std::string_view raw)
    {
        WordSlot &slot = m_words[std::hash<std::string_view>{}(raw) % m_words.size()];
        if (slot.raw != raw) {
            const std::optional<QString> text = fromJsonString(raw);
            if (!text || std::any_of(text->begin(), text->end(), [](QChar c) { return c.unicode() > 255; }))
                return std::nullopt;
            const std::optional<QLatin1StringView> word = staticWord(text->toLatin1());
            if (!word)
                return std::nullopt;
            slot = {std::string(raw), *word};
        }
        return slot.word;
    }

private:
    static constexpr size_t longest = 64;
    struct Slot {
        std::string raw;
        QString text;
    };
    struct WordSlot {
        std::string raw;
        QLatin1StringView word;
    };
    std::array<Slot, 512> m_slots;
    std::array<WordSlot, 64> m_words;
};

template<class Enum> std::optional<Enum> enumNamed(std::string_view word)
{
    static const std::vector<std::string_view> words = [] {
        std::vector<std::string_view> all;
        for (Enum value : allOf<Enum>())
            all.emplace_back(wordOf(value).data(), static_cast<size_t>(wordOf(value).size()));
        return all;
    }();
    for (size_t i = 0; i < words.size(); ++i) {
        if (word == words[i])
            return allOf<Enum>()[i];
    }
    return std::nullopt;
}

// Asks a line's fields for values of a type and remembers the first thing that is wrong.
class Taker
{
public:
    Taker(TraceFields &fields, TextCache &texts)
        : m_fields(fields)
        , m_texts(texts)
    {
    }

    [[nodiscard]] bool failed() const noexcept { return !m_fault.isEmpty(); }
    [[nodiscard]] const QString &fault() const noexcept { return m_fault; }
    // A word this version does not know; empty if all were.
    [[nodiscard]] const QString &unknownWord() const noexcept { return m_unknownWord; }

    enum class Need : quint8 { Optional, Required };

    template<class Int> void integer(TraceKey key, Int &value, Need need = Need::Optional)
    {
        const TraceToken *token = get(key, need);
        if (!token)
            return;
        if (token->type == Type::LargeInteger && std::is_same_v<Int, quint64>)
            value = static_cast<Int>(token->largeInteger);
        else if (token->type != Type::Integer || !std::in_range<Int>(token->integer))
            fail(key, u"is not a whole number in range"_s);
        else
            value = static_cast<Int>(token->integer);
    }
    template<class Tag> void id(TraceKey key, Id<Tag> &value, Need need = Need::Optional)
    {
        integer(key, value.value, need);
        if (need == Need::Required && !failed() && !value)
            fail(key, u"is 0"_s);
    }
    void duration(TraceKey key, Duration &value, Need need = Need::Optional)
    {
        Duration::rep ns = value.count();
        integer(key, ns, need);
        value = Duration{ns};
    }
    void duration(TraceKey key, std::optional<Duration> &value)
    {
        if (!m_fields.take(key))
            return;
        Duration given{};
        duration(key, given);
        value = given;
    }
    void time(TraceKey key, Instant &value, Need need = Need::Optional)
    {
        Duration ns = value.time_since_epoch();
        duration(key, ns, need);
        value = Instant{ns};
    }
    void number(TraceKey key, double &value, Need need = Need::Optional)
    {
        const TraceToken *token = get(key, need);
        if (!token)
            return;
        if (token->type == Type::Number)
            value = token->number;
        else if (token->type == Type::Integer)
            value = static_cast<double>(token->integer);
        else if (token->type == Type::LargeInteger)
            value = static_cast<double>(token->largeInteger);
        else if (token->type == Type::Null)
            value = std::numeric_limits<double>::quiet_NaN();
        else
            fail(key, u"is not a number"_s);
    }
    void flag(TraceKey key, bool &value)
    {
        const TraceToken *token = m_fields.take(key);
        if (token && token->type != Type::Bool)
            fail(key, u"is neither true nor false"_s);
        else if (token)
            value = token->flag;
    }
    void text(TraceKey key, QString &value, Need need = Need::Optional)
    {
        const std::optional<std::string_view> raw = rawText(key, need);
        if (!raw)
            return;
        if (std::optional<QString> decoded = m_texts.text(*raw))
            value = std::move(*decoded);
        else
            fail(key, u"has a broken escape"_s);
    }
    void staticText(TraceKey key, QLatin1StringView &value)
    {
        const std::optional<std::string_view> raw = rawText(key, Need::Optional);
        if (!raw)
            return;
        if (const std::optional<QLatin1StringView> word = m_texts.word(*raw))
            value = *word;
        else
            fail(key, u"is not a name of a setting or variable"_s);
    }
    template<class Enum> void word(TraceKey key, Enum &value, Need need = Need::Optional)
    {
        const std::optional<std::string_view> raw = rawText(key, need);
        if (!raw)
            return;
        if (const std::optional<Enum> known = enumNamed<Enum>(*raw))
            value = *known;
        else if (m_unknownWord.isEmpty())
            m_unknownWord = u"%1 \"%2\""_s.arg(shown(nameOf(key)), shown(*raw));
    }
    std::optional<std::string_view> rawText(TraceKey key, Need need)
    {
        const TraceToken *token = get(key, need);
        if (!token)
            return std::nullopt;
        if (token->type == Type::Text)
            return token->text;
        fail(key, u"is not a text"_s);
        return std::nullopt;
    }
    void fail(TraceKey key, const QString &how)
    {
        if (m_fault.isEmpty())
            m_fault = u"field \"%1\" %2"_s.arg(shown(nameOf(key)), how);
    }

private:
    const TraceToken *get(TraceKey key, Need need)
    {
        const TraceToken *token = m_fields.take(key);
        if (!token && need == Need::Required)
            fail(key, u"is missing"_s);
        return token;
    }

    TraceFields &m_fields;
    TextCache &m_texts;
    QString m_fault;
    QString m_unknownWord;
};

constexpr Taker::Need required = Taker::Need::Required;

void take(Taker &f, SpanBegan &e)
{
    f.id(TraceKey::Id, e.id, required);
    f.id(TraceKey::Parent, e.parent);
    f.id(TraceKey::Cause, e.cause);
    f.word(TraceKey::Kind, e.kind, required);
    f.word(TraceKey::Layer, e.layer, required);
    f.word(TraceKey::Phase, e.phase);
    f.word(TraceKey::Role, e.role);
    f.integer(TraceKey::Attempt, e.attempt);
    f.integer(TraceKey::Max, e.maxAttempts);
    f.text(TraceKey::Label, e.label);
}

void take(Taker &f, SpanEnded &e)
{
    f.id(TraceKey::Id, e.id, required);
    f.word(TraceKey::Outcome, e.outcome, required);
    f.word(TraceKey::Reason, e.reason);
    f.flag(TraceKey::Retryable, e.retryable);
    f.flag(TraceKey::Exhausted, e.exhausted);
    f.integer(TraceKey::Status, e.status);
    f.text(TraceKey::Type, e.type);
    f.text(TraceKey::Text, e.text);
    f.text(TraceKey::Rule, e.rule);
    f.number(TraceKey::Hint, e.hintSeconds);
}

void take(Taker &f, Marked &e)
{
    f.id(TraceKey::Span, e.span, required);
    f.word(TraceKey::Kind, e.kind, required);
    f.integer(TraceKey::Value, e.value);
    f.text(TraceKey::Text, e.text);
}

void take(Taker &f, TimerArmed &e)
{
    f.id(TraceKey::Id, e.id, required);
    f.id(TraceKey::Owner, e.owner, required);
    f.word(TraceKey::Kind, e.kind, required);
    f.word(TraceKey::Resets, e.resets);
    f.word(TraceKey::Kills, e.kills);
    e.due = never;
    f.time(TraceKey::Due, e.due);
    f.duration(TraceKey::Value, e.value, required);
    f.flag(TraceKey::Clamped, e.clamped);
    f.staticText(TraceKey::Setting, e.setting);
    f.staticText(TraceKey::Variable, e.variable);
}

void take(Taker &f, TimerFired &e)
{
    f.id(TraceKey::Id, e.id, required);
    f.time(TraceKey::Due, e.due, required);
    f.duration(TraceKey::SinceByte, e.sinceLastByte);
    f.duration(TraceKey::SinceData, e.sinceLastData);
}

void take(Taker &f, TimerDisarmed &e)
{
    f.id(TraceKey::Id, e.id, required);
}

void take(Taker &f, DrawMade &e)
{
    f.id(TraceKey::Span, e.span);
    f.word(TraceKey::Layer, e.layer, required);
    f.integer(TraceKey::Attempt, e.attempt);
    f.number(TraceKey::U, e.u, required);
}

void take(Taker &f, PolicyChanged &e)
{
    f.integer(TraceKey::Version, e.version, required);
    f.text(TraceKey::Setting, e.setting, required);
    f.text(TraceKey::From, e.from);
    f.text(TraceKey::To, e.to);
    f.text(TraceKey::Origin, e.origin);
}

void take(Taker &f, CommandGiven &e)
{
    f.text(TraceKey::Name, e.name, required);
    f.text(TraceKey::Argument, e.argument);
}

void take(Taker &f, ClockJumped &e)
{
    f.duration(TraceKey::By, e.by, required);
}

void take(Taker &f, CounterSampled &e)
{
    f.id(TraceKey::Span, e.span);
    f.text(TraceKey::Name, e.name, required);
    f.number(TraceKey::Value, e.value, required);
}

std::optional<ClockKind> clockNamed(std::string_view word)
{
    if (word == "real")
        return ClockKind::Real;
    if (word == "scaled")
        return ClockKind::Scaled;
    if (word == "virtual")
        return ClockKind::Virtual;
    return std::nullopt;
}

// "1.0" -> 1, 0
bool readVersion(const QString &text, TraceHeader &header)
{
    const qsizetype dot = text.indexOf(u'.');
    bool majorOk = false;
    bool minorOk = false;
    header.majorVersion = text.left(dot).toInt(&majorOk);
    header.minorVersion = text.mid(dot + 1).toInt(&minorOk);
    return dot > 0 && majorOk && minorOk && header.majorVersion > 0 && header.minorVersion >= 0;
}

void takeHeader(Taker &f, TraceFields &fields, TraceHeader &header)
{
    QString version;
    f.text(TraceKey::Version, version, required);
    if (!f.failed() && !readVersion(version, header))
        f.fail(TraceKey::Version, u"is not a version like 1.0"_s);
    if (const std::optional<std::string_view> clock = f.rawText(TraceKey::Clock, Taker::Need::Optional)) {
        if (const std::optional<ClockKind> known = clockNamed(*clock))
            header.clock = *known;
        else
            f.fail(TraceKey::Clock, u"is none of real, scaled, virtual"_s);
    }
    f.number(TraceKey::Scale, header.scale);
    if (!(header.scale > 0))
        f.fail(TraceKey::Scale, u"is not a number above 0"_s);
    QString start;
    f.text(TraceKey::Start, start);
    if (!start.isEmpty()) {
        header.startUtc = QDateTime::fromString(start, Qt::ISODateWithMs).toUTC();
        if (!header.startUtc.isValid())
            f.fail(TraceKey::Start, u"is not a time like 2026-01-31T12:00:00.000Z"_s);
    }
    f.text(TraceKey::Title, header.title);
    f.integer(TraceKey::Seed, header.seed);
    f.text(TraceKey::Program, header.programVersion);
    if (fields.take(TraceKey::Policy))
        header.policy = fields.settings();
    if (fields.take(TraceKey::Redactions))
        header.redactions = fields.texts();
}

} // namespace

struct TraceLineReader::Parts {
    TraceFields fields;
    TextCache texts;
    TraceLine line;

    void broken(const QString &why)
    {
        line.what = TraceLine::What::Broken;
        line.text = why;
    }

    void finish(const Taker &f, TraceLine::What what)
    {
        line.hasMore = fields.hasMore();
        if (f.failed()) {
            broken(f.fault());
        } else if (!f.unknownWord().isEmpty()) {
            line.what = TraceLine::What::Unknown;
            line.text = f.unknownWord();
        } else {
            line.what = what;
        }
    }

    template<class E> void event()
    {
        Taker f(fields, texts);
        E &e = line.event.emplace<E>();
        f.time(TraceKey::T, e.at, required);
        if (e.at > latestTime || e.at < earliestTime)
            f.fail(TraceKey::T, u"is out of range"_s);
        take(f, e);
        finish(f, TraceLine::What::Known);
    }
};

TraceLineReader::TraceLineReader()
    : d(std::make_unique<Parts>())
{
}

TraceLineReader::~TraceLineReader() = default;

const TraceLine &TraceLineReader::read(std::string_view line)
{
    static_assert(padding >= static_cast<qsizetype>(simdjson::SIMDJSON_PADDING));
    if (!d->fields.read(line)) {
        d->broken(d->fields.fault());
        return d->line;
    }
    Taker f(d->fields, d->texts);
    if (const TraceToken *format = d->fields.take(TraceKey::Format)) {
        d->line.header = {};
        if (format->type != Type::Text || format->text != "waitscope-trace")
            f.fail(TraceKey::Format, u"is not \"waitscope-trace\""_s);
        takeHeader(f, d->fields, d->line.header);
        d->finish(f, TraceLine::What::Header);
        return d->line;
    }
    const std::optional<std::string_view> kind = f.rawText(TraceKey::E, required);
    if (!kind) {
        d->broken(f.fault());
        return d->line;
    }
    const std::string_view e = *kind;
    if (e == "mark") {
        d->event<Marked>();
    } else if (e == "begin") {
        d->event<SpanBegan>();
    } else if (e == "end") {
        d->event<SpanEnded>();
    } else if (e == "armed") {
        d->event<TimerArmed>();
    } else if (e == "fired") {
        d->event<TimerFired>();
    } else if (e == "disarmed") {
        d->event<TimerDisarmed>();
    } else if (e == "draw") {
        d->event<DrawMade>();
    } else if (e == "policy_changed") {
        d->event<PolicyChanged>();
    } else if (e == "command") {
        d->event<CommandGiven>();
    } else if (e == "clock_jumped") {
        d->event<ClockJumped>();
    } else if (e == "counter") {
        d->event<CounterSampled>();
    } else if (e == "stopped") {
        f.text(TraceKey::Why, d->line.text);
        d->finish(f, TraceLine::What::Stopped);
    } else {
        d->line.what = TraceLine::What::Unknown;
        d->line.hasMore = true;
        d->line.text.clear();
    }
    return d->line;
}

} // namespace Waitscope
