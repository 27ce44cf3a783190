// SPDX-License-Identifier: GPL-3.0-or-later
// The rules' last few answers: a storm asks the same question thousands of times. The rules are pure, so a thread has one
// memory for all its calls.
#pragma once

#include "rules/rules.h"

#include <array>

namespace Waitscope {

class VerdictMemo
{
public:
    [[nodiscard]] static VerdictMemo &ofThread();

    // References hold until the next question.
    [[nodiscard]] const Classification &classified(RuleSet rules, const Failure &failure)
    {
        return m_classified.of(rules, failure, classify);
    }
    [[nodiscard]] const Classification &permanent(RuleSet rules, const Failure &failure)
    {
        return m_permanent.of(rules, failure, permanentVerdict);
    }
    [[nodiscard]] const Classification &judged(RuleSet rules, const SessionMessage &message, const SessionRule &rule);
    // Failure::typeAndText(), the same memory for the same words.
    [[nodiscard]] const QString &typeAndText(const Failure &failure);

private:
    class ByFailure
    {
    public:
        [[nodiscard]] const Classification &of(RuleSet rules, const Failure &failure,
                                               Classification (*ask)(RuleSet, const Failure &));

    private:
        struct Entry {
            std::optional<RuleSet> rules;
            Failure facts; // only what the rules look at
            Classification verdict;
        };
        std::array<Entry, 8> m_entries;
        size_t m_next = 0;
    };
    struct ByMessage {
        std::optional<RuleSet> rules;
        SessionMessage message;
        SessionRule rule;
        Classification verdict;
    };
    struct Words {
        QString type;
        QString text;
        QString both;
    };
    ByFailure m_classified;
    ByFailure m_permanent;
    std::array<ByMessage, 4> m_judged;
    size_t m_nextJudged = 0;
    std::array<Words, 8> m_words;
    size_t m_nextWords = 0;
};

} // namespace Waitscope
