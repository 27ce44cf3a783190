// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/redaction.h"

#include "trace/knownsecrets.h"
#include "trace/secretpatterns.h"
#include "trace/staticwords.h"

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr auto replacement = "[redacted]"_L1;

qsizetype utf8Length(QChar unit)
{
    // A surrogate pair has four bytes, two for each half.
    return unit < u'\x80' ? 1 : unit < QChar(0x800) || unit.isSurrogate() ? 2 : 3;
}

} // namespace

struct Redactor::Parts {
    RedactionRules rules;
    KnownSecrets secrets;

    [[nodiscard]] QString redacted(const QString &text) const
    {
        std::vector<TextRange> found;
        secrets.find(text, found);
        if (rules.patterns)
            findSecretPatterns(text, found);
        if (found.empty())
            return text;
        // An escape that leads into a secret goes with it: what is left of JSON must still be JSON.
        for (TextRange &range : found) {
            qsizetype row = range.from;
            while (row > 0 && text[row - 1] == u'\\')
                --row;
            range.from -= (range.from - row) % 2;
        }
        // Places overlap: a pattern may end in the middle of a known value. What touches is one secret to the reader.
        std::sort(found.begin(), found.end(), [](TextRange a, TextRange b) { return a.from < b.from; });
        QString clean;
        qsizetype done = 0;
        for (size_t i = 0; i < found.size();) {
            qsizetype to = found[i].to;
            clean += QStringView(text).mid(done, found[i].from - done);
            clean += replacement;
            while (++i < found.size() && found[i].from <= to)
                to = std::max(to, found[i].to);
            done = to;
        }
        clean += QStringView(text).mid(done);
        return clean;
    }
};

Redactor::Redactor(RedactionRules rules)
    : d(std::make_unique<Parts>())
{
    d->rules = std::move(rules);
    for (const KnownSecret &secret : d->rules.secrets)
        d->secrets.add(secret.value);
}

Redactor::~Redactor() = default;

QString Redactor::redacted(const QString &text) const
{
    return d->redacted(text);
}

QByteArray Redactor::redactedBytes(QByteArrayView bytes) const
{
    // One character a byte: nothing is lost, valid or not.
    return d->redacted(QString::fromLatin1(bytes)).toLatin1();
}

QString Redactor::bounded(const QString &text) const
{
    QString clean = d->redacted(text);
    const qsizetype limit = d->rules.textLimit;
    if (limit <= 0 || clean.size() * 3 <= limit)
        return clean;
    constexpr qsizetype roomForNote = 48;
    qsizetype bytes = 0;
    qsizetype kept = 0;
    for (qsizetype i = 0; i < clean.size(); ++i) {
        bytes += utf8Length(clean[i]);
        if (bytes <= limit - roomForNote)
            kept = i + 1;
    }
    if (bytes <= limit)
        return clean;
    if (kept > 0 && clean[kept - 1].isHighSurrogate())
        --kept;
    qsizetype left = 0;
    for (qsizetype i = kept; i < clean.size(); ++i)
        left += utf8Length(clean[i]);
    clean.truncate(kept);
    return clean + u"… [%1 bytes left out]"_s.arg(left);
}

void Redactor::redact(Event &event) const
{
    const auto clean = [this](QString &text) {
        if (!text.isEmpty())
            text = bounded(text);
    };
    const auto cleanWord = [this](QLatin1StringView &word) {
        if (word.isEmpty())
            return;
        const QString before(word);
        const QString after = bounded(before);
        if (after != before)
            word = staticWord(after.toLatin1()).value_or(QLatin1StringView());
    };
    struct Fields {
        const decltype(clean) &text;
        const decltype(cleanWord) &word;
        void operator()(SpanBegan &e) const { text(e.label); }
        void operator()(SpanEnded &e) const
        {
            text(e.type);
            text(e.text);
            text(e.rule);
        }
        void operator()(Marked &e) const { text(e.text); }
        void operator()(TimerArmed &e) const
        {
            word(e.setting);
            word(e.variable);
        }
        void operator()(TimerFired &) const { }
        void operator()(TimerDisarmed &) const { }
        void operator()(DrawMade &) const { }
        void operator()(PolicyChanged &e) const
        {
            text(e.setting);
            text(e.from);
            text(e.to);
            text(e.origin);
        }
        void operator()(CommandGiven &e) const
        {
            text(e.name);
            text(e.argument);
        }
        void operator()(ClockJumped &) const { }
        void operator()(CounterSampled &e) const { text(e.name); }
    };
    std::visit(Fields{clean, cleanWord}, event);
}

void Redactor::redact(TraceHeader &header) const
{
    header.title = bounded(header.title);
    header.programVersion = bounded(header.programVersion);
    for (ShownSetting &setting : header.policy) {
        setting.name = bounded(setting.name);
        setting.value = bounded(setting.value);
        setting.origin = bounded(setting.origin);
    }
    for (QString &redaction : header.redactions)
        redaction = bounded(redaction);
    const QStringList ours = redactions();
    for (const QString &redaction : ours) {
        if (!header.redactions.contains(redaction))
            header.redactions.append(redaction);
    }
}

QStringList Redactor::redactions() const
{
    QStringList list;
    for (const KnownSecret &secret : d->rules.secrets) {
        if (!secret.value.isEmpty())
            list.append(secret.name.isEmpty() ? u"known secret"_s : d->redacted(secret.name));
    }
    if (d->rules.patterns) {
        list += {u"credentials in header lines"_s, u"bearer and basic credentials"_s, u"keys by prefix"_s,
                 u"query parameters"_s, u"user and password in URLs"_s};
    }
    if (d->rules.textLimit > 0)
        list.append(u"texts longer than %1 bytes"_s.arg(d->rules.textLimit));
    return list;
}

void RedactingSink::write(const Event &event)
{
    Event clean = event;
    m_redactor.redact(clean);
    m_next.write(clean);
}

} // namespace Waitscope
