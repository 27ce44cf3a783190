// SPDX-License-Identifier: GPL-3.0-or-later
// A listener that keeps an exchange's facts and can tell them in a line.
#pragma once

#include "engine/ports/transport.h"

#include <QStringList>

#include <algorithm>

namespace WaitscopeTest {

class WireRecorder final : public Waitscope::WireListener
{
public:
    using Fact = Waitscope::WireFact;
    using Kind = Fact::Kind;

    void onFact(Fact &&fact) override
    {
        const bool bytes = fact.kind == Kind::Bytes;
        if (!facts.empty() && (facts.back().kind == Kind::End || fact.at < facts.back().at))
            orderBroken = true;
        received += fact.bytes.size();
        if (bytes && !keepsBytes)
            fact.bytes.clear();
        facts.push_back(std::move(fact));
        if (bytes && consumes && exchange)
            exchange->resumeReading();
    }

    [[nodiscard]] bool hasEnded() const { return !facts.empty() && facts.back().kind == Kind::End; }
    [[nodiscard]] Waitscope::WireEnd end() const { return facts.back().end; }
    [[nodiscard]] const Fact *find(Kind kind) const
    {
        const auto it = std::ranges::find(facts, kind, &Fact::kind);
        return it == facts.end() ? nullptr : &*it;
    }
    [[nodiscard]] const Fact *findPhase(Waitscope::Phase phase) const
    {
        const auto it = std::ranges::find_if(
            facts, [phase](const Fact &f) { return f.kind == Kind::PhaseBegan && f.phase == phase; });
        return it == facts.end() ? nullptr : &*it;
    }
    [[nodiscard]] int count(Kind kind) const { return int(std::ranges::count(facts, kind, &Fact::kind)); }
    [[nodiscard]] int status() const { return find(Kind::Headers) ? find(Kind::Headers)->status : 0; }
    [[nodiscard]] QByteArray header(QByteArrayView name) const
    {
        if (const Fact *headers = find(Kind::Headers)) {
            for (const Waitscope::WireHeader &header : headers->headers) {
                if (name.compare(header.name, Qt::CaseInsensitive) == 0)
                    return header.value;
            }
        }
        return {};
    }
    [[nodiscard]] QByteArray body() const
    {
        QByteArray all;
        for (const Fact &fact : facts)
            all += fact.bytes;
        return all;
    }

    // "dns connect connected send begun sent headers bytes end"; a run of bytes or progress is one word.
    [[nodiscard]] QString story() const
    {
        QStringList words;
        for (const Fact &fact : facts) {
            const QString word = wordOf(fact);
            if (word.isEmpty())
                continue;
            if ((fact.kind == Kind::Bytes || fact.kind == Kind::Progress) && !words.isEmpty() && words.last() == word)
                continue;
            words.push_back(word);
        }
        return words.join(u' ');
    }

    std::vector<Fact> facts;
    std::unique_ptr<Waitscope::Exchange> exchange;
    qint64 received = 0;
    bool consumes = true;
    bool keepsBytes = true;
    bool orderBroken = false; // a fact after the end, or times that ran backwards

private:
    static QString wordOf(const Fact &fact)
    {
        switch (fact.kind) {
        case Kind::PhaseBegan:
            return Waitscope::wordOf(fact.phase);
        case Kind::Trying:
        case Kind::AddressFailed:
            return {}; // which addresses there are is the machine's affair
        case Kind::Connected:
            return QStringLiteral("connected");
        case Kind::SendBegan:
            return fact.reused ? QStringLiteral("begun-reused") : QStringLiteral("begun");
        case Kind::Progress:
            return QStringLiteral("progress");
        case Kind::Sent:
            return QStringLiteral("sent");
        case Kind::Headers:
            return QStringLiteral("headers");
        case Kind::Bytes:
            return QStringLiteral("bytes");
        case Kind::ResendRefused:
            return QStringLiteral("refused");
        case Kind::End:
            return QStringLiteral("end");
        }
        Q_UNREACHABLE();
    }
};

} // namespace WaitscopeTest
