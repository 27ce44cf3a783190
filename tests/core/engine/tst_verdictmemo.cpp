// SPDX-License-Identifier: GPL-3.0-or-later
// What is remembered is what the rules say, however alike the questions are.
#include "engine/verdictmemo.h"

#include <QtTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

Failure overloaded()
{
    Failure failure;
    failure.type = u"ProviderStreamError"_s;
    failure.text = u"the server is overloaded"_s;
    return failure;
}

// Each differs from overloaded() in one fact that some rule looks at.
std::vector<Failure> alike()
{
    std::vector<Failure> list(12, overloaded());
    list[1].type = u"ProviderStreamErrox"_s;
    list[2].text = u"the server is overloadex"_s;
    list[3].errorText = u"insufficient_quota"_s;
    list[4].httpStatus = 401;
    list[5].retryable = false;
    list[6].retryable = true;
    list[7].retriesLeft = 0;
    list[8].timedOutByDeadline = true;
    list[9].reason = ErrorReason::Context;
    list[10].kind = FailureKind::Programming;
    list[11].retryable = true;
    list[11].verdictFrom = "x-should-retry"_L1;
    return list;
}

QString described(const Classification &verdict)
{
    return u"%1 %2 %3 (%4)"_s.arg(wordOf(verdict.reason), verdict.retryable ? u"retryable"_s : u"final"_s, verdict.rule,
                                  verdict.matched);
}

} // namespace

class TestVerdictMemo : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void answersAsTheRulesDo();
    void judgesAsTheRulesDo();
    void wordsAreShared();
};

void TestVerdictMemo::answersAsTheRulesDo()
{
    VerdictMemo memo;
    const std::vector<Failure> failures = alike();
    for (int round = 0; round < 3; ++round) {
        for (const RuleSet rules : {RuleSet::Strict, RuleSet::Openprogram}) {
            for (size_t i = 0; i < failures.size(); ++i) {
                // Each after the one it is most easily taken for.
                QCOMPARE(described(memo.classified(rules, failures[0])), described(classify(rules, failures[0])));
                QVERIFY2(described(memo.classified(rules, failures[i])) == described(classify(rules, failures[i])),
                         qPrintable(QString::number(i)));
                QVERIFY2(described(memo.permanent(rules, failures[i])) == described(permanentVerdict(rules, failures[i])),
                         qPrintable(QString::number(i)));
            }
        }
    }
}

void TestVerdictMemo::judgesAsTheRulesDo()
{
    VerdictMemo memo;
    SessionMessage error;
    error.stopReason = u"error"_s;
    error.errorMessage = u"Connection error."_s;
    std::vector<SessionMessage> messages(6, error);
    messages[1].errorMessage = u"Connection errox."_s;
    messages[2].errorMessage.reset();
    messages[3].retryable = false;
    messages[4].usageInput = 1'000'000;
    messages[5].stopReason = u"stop"_s;
    std::vector<SessionRule> sessionRules(4);
    sessionRules[1].useVerdict = false;
    sessionRules[2].retryEmpty = false;
    sessionRules[3].contextWindow = 1000;
    for (int round = 0; round < 2; ++round) {
        for (const RuleSet rules : {RuleSet::Strict, RuleSet::Openprogram}) {
            for (const SessionRule &rule : sessionRules) {
                for (const SessionMessage &message : messages)
                    QCOMPARE(described(memo.judged(rules, message, rule)), described(sessionVerdict(rules, message, rule)));
            }
        }
    }
}

void TestVerdictMemo::wordsAreShared()
{
    VerdictMemo memo;
    const Failure failure = overloaded();
    const QString first = memo.typeAndText(failure);
    QCOMPARE(first, failure.typeAndText());
    QCOMPARE(memo.typeAndText(failure).constData(), first.constData());
    for (const Failure &other : alike())
        QCOMPARE(memo.typeAndText(other), other.typeAndText());
    QCOMPARE(memo.typeAndText(Failure()), u": "_s);
}

QTEST_GUILESS_MAIN(TestVerdictMemo)
#include "tst_verdictmemo.moc"
