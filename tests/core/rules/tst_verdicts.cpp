// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts: every one names its rule, both rule sets keep their promises, and hostile texts do no harm.
#include "rules/knowntypes.h"
#include "rules/overflow.h"
#include "rules/rules.h"
#include "rules/strictverdict.h"

#include <QTest>

#include <random>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

Failure failureOf(const QString &type, const QString &text, std::optional<int> status = std::nullopt)
{
    Failure failure;
    failure.type = type;
    failure.text = text;
    failure.httpStatus = status;
    return failure;
}

SessionMessage errorMessage(const QString &text)
{
    SessionMessage message;
    message.stopReason = u"error"_s;
    message.errorMessage = text;
    return message;
}

constexpr RuleSet both[] = {RuleSet::Openprogram, RuleSet::Strict};

} // namespace

class TestVerdicts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyVerdictNamesItsRule()
    {
        const QStringList texts{QString(), u"boom"_s, u"unauthorized"_s, u"rate limit"_s, u"HTTP 503: x"_s, u"余额不足"_s,
                                u"prompt is too long"_s, u"x [reason=timeout]"_s, u"connection reset"_s};
        for (const RuleSet rules : both) {
            for (const QString &text : texts) {
                for (const std::optional<int> status : {std::optional<int>(), std::optional(429), std::optional(507)}) {
                    for (const QString &type : {u"RuntimeError"_s, u"ReadTimeout"_s}) {
                        const Failure failure = failureOf(type, text, status);
                        QVERIFY(!classify(rules, failure).rule.isEmpty());
                        QVERIFY(!permanentVerdict(rules, failure).rule.isEmpty());
                    }
                    QVERIFY(!statusVerdict(rules, status.value_or(0), text).rule.isEmpty());
                }
                QVERIFY(!sessionVerdict(rules, errorMessage(text), {}).rule.isEmpty());
            }
        }
    }

    void matchedWordsStandInTheText()
    {
        QCOMPARE(classify(RuleSet::Openprogram, failureOf(u"X"_s, u"a RATE LIMIT b"_s)).matched, u"rate limit"_s);
        QCOMPARE(classify(RuleSet::Openprogram, failureOf(u"ReadError"_s, QString())).matched, u"ReadError"_s);
        QCOMPARE(classify(RuleSet::Openprogram, failureOf(u"X"_s, QString(), 503)).rule, u"status 503"_s);
        QCOMPARE(classify(RuleSet::Openprogram, failureOf(u"X"_s, QString(), 503)).matched, u"503"_s);
        QCOMPARE(classify(RuleSet::Strict, failureOf(u"X"_s, u"ProviderStreamError: ConnectError: y"_s)).matched,
                 u"ConnectError"_s);
        QCOMPARE(classify(RuleSet::Strict, failureOf(u"X"_s, u"HTTP 503: y"_s)).rule, u"status 503 in the text"_s);
        QCOMPARE(sessionVerdict(RuleSet::Openprogram, errorMessage(u"order 14291"_s), {}).matched, u"429"_s);
        QCOMPARE(statusVerdict(RuleSet::Openprogram, 400, u"Rate_Limit hit"_s).matched, u"Rate_Limit"_s);
        QCOMPARE(overflowWords(u"the INPUT is too long for requested model"_s), u"INPUT is too long for requested model"_s);
    }

    void deadlineIsATimeoutUnderBothRuleSets()
    {
        for (const RuleSet rules : both) {
            Failure failure = failureOf(u"ConnectTimeout"_s, u"rate limit"_s, 503);
            failure.timedOutByDeadline = true;
            QCOMPARE(classify(rules, failure).reason, ErrorReason::Timeout);
            QVERIFY(!classify(rules, failure).retryable);
            failure.timedOutByDeadline = false;
            failure.reason = ErrorReason::Timeout;
            QCOMPARE(classify(rules, failure).reason, ErrorReason::Timeout);
        }
        // The reference reads an inner exec's final error as text, and finds the word timeout in it.
        Failure inner = failureOf(u"LLMError"_s, u"exec() failed permanently: x [reason=timeout, elapsed=61.0s]"_s);
        inner.kind = FailureKind::LlmError;
        inner.reason = ErrorReason::Timeout;
        QCOMPARE(classify(RuleSet::Openprogram, inner).reason, ErrorReason::Transport);
        QCOMPARE(classify(RuleSet::Strict, inner).reason, ErrorReason::Timeout);
    }

    void strictLayersAgree()
    {
        // A text that one layer takes for transient or final is that for all of them.
        for (const QString &text : {u"HTTP 529: overloaded"_s, u"ReadTimeout: "_s, u"invalid api key"_s, u"额度已用尽"_s,
                                    u"socket hang up"_s, u"pre-authorization"_s, u"1500 rows"_s}) {
            const bool retried = classify(RuleSet::Strict, failureOf(u"RuntimeError"_s, text)).retryable;
            QCOMPARE(sessionVerdict(RuleSet::Strict, errorMessage(text), {}).retryable, retried);
        }
        for (int status = 400; status < 600; ++status) {
            const bool retried = statusVerdict(RuleSet::Strict, status, QString()).retryable;
            QCOMPARE(classify(RuleSet::Strict, failureOf(u"X"_s, QString(), status)).retryable, retried);
            QCOMPARE(permanentVerdict(RuleSet::Strict, failureOf(u"X"_s, QString(), status)).retryable, retried);
            const QString text = u"ProviderStreamError: HTTP %1: x"_s.arg(status);
            QCOMPARE(sessionVerdict(RuleSet::Strict, errorMessage(text), {}).retryable, retried);
        }
    }

    void sessionSwitches()
    {
        SessionMessage message = errorMessage(u"boom"_s);
        message.retryable = true;
        SessionRule rule;
        rule.useVerdict = false;
        for (const RuleSet rules : both) {
            QVERIFY(!sessionVerdict(rules, message, rule).retryable);
            QVERIFY(sessionVerdict(rules, message, {}).retryable);
            rule.retryEmpty = false;
            QVERIFY(!sessionVerdict(rules, errorMessage(QString()), rule).retryable);
            rule.retryEmpty = true;
            QVERIFY(sessionVerdict(rules, errorMessage(QString()), rule).retryable);
        }
    }

    void overflowOfHugeUsageDoesNotWrap()
    {
        SessionMessage message;
        message.stopReason = u"stop"_s;
        message.usageInput = std::numeric_limits<qint64>::max();
        message.usageCacheRead = 1;
        for (const RuleSet rules : both)
            QVERIFY(isContextOverflow(rules, message, 128000));
    }

    void transportTypesAreExact()
    {
        for (const auto &type : openprogramTransportTypes) {
            for (const RuleSet rules : both)
                QVERIFY2(isTransportType(rules, type.name), qPrintable(type.name.toString()));
            QCOMPARE(type.name.toString().toLower(), type.lowered.toString());
            QVERIFY(!isTransportType(RuleSet::Openprogram, type.lowered));
            QVERIFY(!isTransportType(RuleSet::Openprogram, type.name.toString() + u'X'));
            QVERIFY(!isTransportType(RuleSet::Openprogram, type.name.chopped(1)));
        }
        for (const QString &other : {QString(), u"RuntimeError"_s, u"ThreadError"_s, QString(5000, u'E')}) {
            for (const RuleSet rules : both)
                QVERIFY(!isTransportType(rules, other));
        }
        QVERIFY(!isTransportType(RuleSet::Openprogram, u"APITimeoutError"));
        QVERIFY(isTransportType(RuleSet::Strict, u"APITimeoutError"));
        QVERIFY(!isTransportType(RuleSet::Strict, u"RateLimitError"));
    }

    void programmingTypes()
    {
        for (const RuleSet rules : both) {
            for (const QString &type : {u"TypeError"_s, u"NotImplementedError"_s, u"StructuredOutputError"_s}) {
                QVERIFY(isProgrammingType(rules, type));
                QVERIFY(isProgrammingType(rules, type, CallStyle::Async));
            }
            QVERIFY(isProgrammingType(rules, u"ImportError"));
            QVERIFY(isProgrammingType(rules, u"ModuleNotFoundError"));
            QVERIFY(!isProgrammingType(rules, u"ValueError"));
            QVERIFY(!isProgrammingType(rules, u"typeerror"));
        }
        QVERIFY(!isProgrammingType(RuleSet::Openprogram, u"ImportError", CallStyle::Async));
        QVERIFY(isProgrammingType(RuleSet::Strict, u"ModuleNotFoundError", CallStyle::Async));
    }

    void referenceTakesAnyCharacterBetweenTheWordsOfABody()
    {
        for (const QString &body : {u"connection_reset"_s, u"ConnectionResetError"_s, u"temporarily-unavailable"_s,
                                    u"upstreamconnect"_s, u"RATE/LIMIT"_s, u"\u017fervice unava\u0131lable"_s})
            QVERIFY2(statusVerdict(RuleSet::Openprogram, 418, body).retryable, qPrintable(body));
        for (const QString &body : {u"rate\nlimit"_s, u"connection  reset"_s, u"connection"_s, u"temporarily"_s})
            QVERIFY2(!statusVerdict(RuleSet::Openprogram, 418, body).retryable, qPrintable(body));
    }

    void listedStatusesDecide()
    {
        const std::vector<int> listed{408, 409, 429};
        for (const RuleSet rules : both) {
            QVERIFY(statusVerdict(rules, 409, QString(), listed).retryable);
            QVERIFY(!statusVerdict(rules, 503, QString(), listed).retryable);
            QVERIFY(statusVerdict(rules, 503, QString(), {}).retryable);
        }
        QVERIFY(statusVerdict(RuleSet::Openprogram, 429, u"insufficient_quota"_s, listed).retryable);
        QVERIFY(!statusVerdict(RuleSet::Strict, 429, u"insufficient_quota"_s, listed).retryable);
    }

    // Any text at all gets a verdict, and the same one twice.
    void hostileTexts()
    {
        std::mt19937 random(20250823); // NOLINT: a fixed seed, so that a failure can be repeated
        const QString pieces[] = {u"HTTP "_s, u"503"_s, u": "_s, u"rate_limit"_s, u"\u212a"_s, u"余额"_s, u"不足"_s, u"["_s,
                                  u"reason="_s, u"timeout"_s, u"]"_s, QString(QChar(0xd800)), QString(QChar(0)), u"_"_s,
                                  u"\n"_s, u"ConnectError"_s, u"\u0130"_s, u"🔥"_s, u"prompt is too long"_s};
        for (int i = 0; i < 4000; ++i) {
            QString text;
            for (auto n = random() % 9; n > 0; --n)
                text += pieces[random() % std::size(pieces)];
            for (const RuleSet rules : both) {
                const Failure failure = failureOf(text.left(12), text);
                const Classification once = classify(rules, failure);
                const Classification again = classify(rules, failure);
                QCOMPARE(again.reason, once.reason);
                QCOMPARE(again.retryable, once.retryable);
                QCOMPARE(again.matched, once.matched);
                (void)sessionVerdict(rules, errorMessage(text), {});
                (void)statusVerdict(rules, static_cast<int>(random() % 700) - 50, text);
                (void)permanentVerdict(rules, failure);
            }
        }
        const QString endless(2'000'000, u'a');
        for (const RuleSet rules : both)
            QCOMPARE(classify(rules, failureOf(u"X"_s, endless)).reason, ErrorReason::Unknown);
    }
};

QTEST_GUILESS_MAIN(TestVerdicts)
#include "tst_verdicts.moc"
