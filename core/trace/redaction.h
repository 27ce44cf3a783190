// SPDX-License-Identifier: GPL-3.0-or-later
// Takes secrets out of events, headers and texts: the one decorator that stands before every sink, and the same for logs.
#pragma once

#include "event/header.h"
#include "event/sink.h"

#include <QByteArray>

#include <memory>
#include <vector>

namespace Waitscope {

struct KnownSecret {
    QString name; // as told in the header: "environment key"; never the value
    QString value;
};

struct RedactionRules {
    std::vector<KnownSecret> secrets;
    bool patterns = true;       // header lines, bearer tokens, key prefixes, query parameters, passwords in URLs
    qsizetype textLimit = 4096; // UTF-8 bytes a text may have after redaction; 0 = no limit
};

class Redactor
{
public:
    explicit Redactor(RedactionRules rules = {});
    ~Redactor();
    Q_DISABLE_COPY_MOVE(Redactor)

    // The text without secrets; not shortened. For logs and messages too.
    [[nodiscard]] QString redacted(const QString &text) const;
    // The same for bytes that need not be UTF-8 (raw lines of a file).
    [[nodiscard]] QByteArray redactedBytes(QByteArrayView bytes) const;
    // Redacted, then cut to the limit with a note of how much was left out.
    [[nodiscard]] QString bounded(const QString &text) const;

    void redact(Event &event) const;
    void redact(TraceHeader &header) const; // and writes into it which redactions are on

    [[nodiscard]] QStringList redactions() const;

private:
    struct Parts;
    std::unique_ptr<Parts> d;
};

class RedactingSink final : public EventSink
{
public:
    // Both outlive the sink.
    RedactingSink(const Redactor &redactor, EventSink &next)
        : m_redactor(redactor)
        , m_next(next)
    {
    }
    void write(const Event &event) override;

private:
    const Redactor &m_redactor;
    EventSink &m_next;
};

} // namespace Waitscope
