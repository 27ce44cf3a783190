// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/policy.h"

#include <QTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

// The policy with these assignments; the test fails where one is refused.
Policy policyWith(std::initializer_list<QLatin1StringView> assignments)
{
    Policy policy;
    for (const QLatin1StringView assignment : assignments) {
        Expected<Policy> next = policy.withAssignment(QString(assignment), u"command line"_s);
        if (!next)
            qFatal("%s", qPrintable(next.error().line()));
        policy = *std::move(next);
    }
    return policy;
}

} // namespace

class TestPolicy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void defaultsAreThoseOfHardened()
    {
        const Policy policy;
        QCOMPARE(policy.version(), 1);
        QCOMPARE(policy.rules(), RuleSet::Strict);
        QCOMPARE(policy.watchdog(), WatchdogMode::Interrupt);
        QCOMPARE(policy.hardCap(), HardCap::Off);
        QCOMPARE(policy.carryVerdict(), CarryVerdict::Everywhere);
        QCOMPARE(policy.streamKind(), StreamKind::Loop);
        QCOMPARE(policy.count(Setting::ExecMaxAttempts), 6);
        QCOMPARE(policy.count(Setting::SessionMaxAttempts), 4);
        QCOMPARE(policy.count(Setting::StreamMaxAttempts), 3);
        QVERIFY(policy.flag(Setting::ExecHonorExhausted));
        QVERIFY(policy.flag(Setting::ExecPropagateDeadline));
        QVERIFY(policy.flag(Setting::HttpClampToDeadline));
        QVERIFY(!policy.seconds(Setting::ExecTimeout));
        QVERIFY(!policy.seconds(Setting::ExecHardCapAfter));
        for (const Setting limit : {Setting::ExecHintMax, Setting::SessionHintMax, Setting::StreamHintMax})
            QCOMPARE(policy.seconds(limit), std::optional(120.0));
        QCOMPARE(policy.origin(Setting::Rules), u"default"_s);
    }

    void durationsAreExactAndOffIsNoLimit()
    {
        using namespace std::chrono_literals;
        const Policy policy = policyWith({"http.connect_timeout_s=0.25"_L1, "http.write_timeout_s=off"_L1});
        QVERIFY(policy.duration(Setting::HttpConnectTimeout) == std::optional<Duration>(250ms));
        QVERIFY(!policy.duration(Setting::HttpWriteTimeout));
        QVERIFY(policyWith({"http.connect_timeout_s=0"_L1}).duration(Setting::HttpConnectTimeout) == Duration::zero());
    }

    void readTimeoutFollowsIdle()
    {
        QCOMPARE(Policy().seconds(Setting::HttpReadTimeout), std::optional(1860.0));
        QCOMPARE(policyWith({"http.idle_timeout_s=5"_L1}).seconds(Setting::HttpReadTimeout), std::optional(65.0));
        QCOMPARE(policyWith({"http.idle_timeout_s=off"_L1}).seconds(Setting::HttpReadTimeout), std::nullopt);
        QCOMPARE(policyWith({"http.read_timeout_s=7"_L1, "http.idle_timeout_s=5"_L1}).seconds(Setting::HttpReadTimeout),
                 std::optional(7.0));
        QCOMPARE(policyWith({"http.read_timeout_s=off"_L1}).seconds(Setting::HttpReadTimeout), std::nullopt);
        QCOMPARE(policyWith({"http.read_timeout_s=7"_L1, "http.read_timeout_s=auto"_L1}).seconds(Setting::HttpReadTimeout),
                 std::optional(1860.0));
    }

    // A word's number is cast to its enumeration: the order of both must be the same.
    void everyWordIsItsEnumerationValue()
    {
        QCOMPARE(policyWith({"rules=openprogram"_L1}).rules(), RuleSet::Openprogram);
        QCOMPARE(policyWith({"harness.watchdog=off"_L1}).watchdog(), WatchdogMode::Off);
        QCOMPARE(policyWith({"harness.watchdog=swallowed"_L1}).watchdog(), WatchdogMode::Swallowed);
        QCOMPARE(policyWith({"harness.watchdog=undelivered"_L1}).watchdog(), WatchdogMode::Undelivered);
        QCOMPARE(policyWith({"exec.hard_cap=abort"_L1}).hardCap(), HardCap::Abort);
        QCOMPARE(policyWith({"exec.hard_cap=abandon"_L1}).hardCap(), HardCap::Abandon);
        QCOMPARE(policyWith({"session.carry_verdict=none"_L1}).carryVerdict(), CarryVerdict::None);
        QCOMPARE(policyWith({"session.carry_verdict=to_exec"_L1}).carryVerdict(), CarryVerdict::ToExec);
        QCOMPARE(policyWith({"stream.kind=sdk"_L1}).streamKind(), StreamKind::Sdk);
        QCOMPARE(policyWith({"stream.kind=none"_L1}).streamKind(), StreamKind::None);
        const auto jitterOf = [](QLatin1StringView assignment) {
            return policyWith({assignment}).retryPolicy(Layer::Exec).jitter;
        };
        QCOMPARE(jitterOf("exec.jitter=none"_L1), JitterForm::None);
        QCOMPARE(jitterOf("exec.jitter=symmetric"_L1), JitterForm::Symmetric);
        QCOMPARE(jitterOf("exec.jitter=shorten"_L1), JitterForm::Shorten);
        QCOMPARE(jitterOf("exec.jitter=lengthen"_L1), JitterForm::Lengthen);
        QCOMPARE(jitterOf("exec.jitter=additive"_L1), JitterForm::Additive);
        const auto aboveOf = [](QLatin1StringView assignment) {
            return policyWith({assignment}).retryPolicy(Layer::Stream).hintAbove;
        };
        QCOMPARE(aboveOf("stream.hint_above=obey"_L1), HintAbove::Obey);
        QCOMPARE(aboveOf("stream.hint_above=cut"_L1), HintAbove::Cut);
        QCOMPARE(aboveOf("stream.hint_above=own_backoff"_L1), HintAbove::OwnBackoff);
        QCOMPARE(aboveOf("stream.hint_above=stop"_L1), HintAbove::Stop);
    }

    void retryPolicyCollectsItsLayer()
    {
        const RetryPolicy exec = Policy().retryPolicy(Layer::Exec);
        QCOMPARE(exec.maxAttempts, std::optional(6));
        QCOMPARE(exec.baseS, 1.5);
        QCOMPARE(exec.factor, 2.0);
        QCOMPARE(exec.capS, std::nullopt);
        QCOMPARE(exec.jitter, JitterForm::Symmetric);
        QCOMPARE(exec.jitterShare, 0.25);
        QCOMPARE(exec.hintJitterShare, 0.25);
        QCOMPARE(exec.hintMaxS, std::optional(120.0));
        QCOMPARE(exec.hintAbove, HintAbove::Stop);
        QVERIFY(exec.hintForms.milliseconds && exec.hintForms.seconds && exec.hintForms.date);
        QVERIFY(exec.retryStatuses.empty());

        const RetryPolicy session = policyWith({"session.backoff_base_s=3"_L1, "session.backoff_factor=4"_L1,
                                                "session.backoff_max_s=40"_L1, "session.jitter_share=0.5"_L1,
                                                "session.hint_forms=date"_L1, "session.hint_max_s=off"_L1})
                                        .retryPolicy(Layer::Session);
        QCOMPARE(session.maxAttempts, std::optional(4));
        QCOMPARE(session.baseS, 3.0);
        QCOMPARE(session.factor, 4.0);
        QCOMPARE(session.capS, std::optional(40.0));
        QCOMPARE(session.jitterShare, 0.5);
        QCOMPARE(session.hintMaxS, std::nullopt);
        QVERIFY(!session.hintForms.milliseconds && !session.hintForms.seconds && session.hintForms.date);

        const RetryPolicy stream = policyWith({"stream.retry_statuses=408, 500-502"_L1, "stream.hint_forms=none"_L1})
                                       .retryPolicy(Layer::Stream);
        QCOMPARE(stream.maxAttempts, std::optional(3));
        QCOMPARE(stream.baseS, 1.0);
        QCOMPARE(stream.capS, std::optional(30.0));
        QCOMPARE(stream.retryStatuses, (std::vector<int>{408, 500, 501, 502}));
        QVERIFY(!stream.hintForms.milliseconds && !stream.hintForms.seconds && !stream.hintForms.date && !stream.hintForms.body);
        QVERIFY(Policy().retryPolicy(Layer::Stream).hintForms.body);
    }

    void layersThatAreAbsentTryOnce()
    {
        QCOMPARE(policyWith({"stream.kind=none"_L1}).retryPolicy(Layer::Stream).maxAttempts, std::optional(1));
        QCOMPARE(policyWith({"session.enabled=false"_L1}).retryPolicy(Layer::Session).maxAttempts, std::optional(1));
        QCOMPARE(Policy().retryPolicy(Layer::Http).maxAttempts, std::optional(1));
    }

    void sdkCountsRetriesAndOffIsUnlimited()
    {
        const Policy sdk = policyWith({"stream.kind=sdk"_L1, "stream.sdk_max_retries=3"_L1, "stream.max_attempts=9"_L1});
        QCOMPARE(sdk.retryPolicy(Layer::Stream).maxAttempts, std::optional(4));
        QCOMPARE(policyWith({"stream.max_attempts=off"_L1}).retryPolicy(Layer::Stream).maxAttempts, std::nullopt);
        QCOMPARE(policyWith({"exec.max_attempts=off"_L1}).retryPolicy(Layer::Exec).maxAttempts, std::nullopt);
    }

    void aChangeIsANewSnapshot()
    {
        const Policy before;
        const Policy after = before.with(Setting::ExecTimeout, SettingValue::number(60), u"window"_s);
        QCOMPARE(after.version(), 2);
        QCOMPARE(after.seconds(Setting::ExecTimeout), std::optional(60.0));
        QCOMPARE(after.origin(Setting::ExecTimeout), u"window"_s);
        QCOMPARE(after.origin(Setting::ExecMaxAttempts), u"default"_s);
        QVERIFY(!before.seconds(Setting::ExecTimeout));
        QCOMPARE(before.version(), 1);
        QVERIFY(!(before == after));
        // Who set a value is not part of it.
        QVERIFY(before == after.with(Setting::ExecTimeout, SettingValue::off(), u"window"_s));
    }

    void textOfEveryTypeIsItsSpelling()
    {
        const Policy policy;
        QCOMPARE(policy.text(Setting::ExecHintForms), u"ms,seconds,date"_s);
        QCOMPARE(policy.text(Setting::Rules), u"strict"_s);
        QCOMPARE(policy.text(Setting::HttpReadTimeout), u"auto"_s);
        QCOMPARE(policy.text(Setting::ExecTimeout), u"off"_s);
        QCOMPARE(policy.text(Setting::HttpKeepalive), u"true"_s);
        QCOMPARE(policy.text(Setting::ExecBackoffBase), u"1.5"_s);
    }

    void badAssignments_data()
    {
        QTest::addColumn<QString>("assignment");
        QTest::addColumn<QString>("line");
        const auto row = [](QLatin1StringView assignment, QLatin1StringView line) {
            QTest::newRow(assignment.data()) << QString(assignment) << QString(line);
        };
        row("exec.max_attemps=3"_L1, "\"exec.max_attemps\": no setting has this name; did you mean exec.max_attempts?"_L1);
        row("qwertyuiop=3"_L1, "\"qwertyuiop\": no setting has this name; the command `settings` lists them all"_L1);
        row("=3"_L1, "\"\": no setting has this name; the command `settings` lists them all"_L1);
        row(""_L1, "\"\": no setting has this name; the command `settings` lists them all"_L1);
        row("exec.timeout_s"_L1, "exec.timeout_s: no value given; write exec.timeout_s=VALUE"_L1);
        row("exec.timeout_s="_L1, "exec.timeout_s: \"\" is not a value for it; it takes a number of seconds from 0.001 to "
                                  "1000000, or off"_L1);
        row("exec.timeout_s=0"_L1,
            "exec.timeout_s: 0 is out of range; it takes a number of seconds from 0.001 to 1000000, or off"_L1);
        row("exec.timeout_s=-5"_L1,
            "exec.timeout_s: -5 is out of range; it takes a number of seconds from 0.001 to 1000000, or off"_L1);
        row("exec.timeout_s=inf"_L1, "exec.timeout_s: \"inf\" is not a value for it; it takes a number of seconds from 0.001 "
                                     "to 1000000, or off"_L1);
        row("exec.timeout_s=60s"_L1, "exec.timeout_s: \"60s\" is not a value for it; it takes a number of seconds from 0.001 "
                                     "to 1000000, or off"_L1);
        row("exec.max_attempts=2.5"_L1,
            "exec.max_attempts: \"2.5\" is not a value for it; it takes a whole number from 1 to 10000, or off"_L1);
        row("exec.max_attempts=0"_L1,
            "exec.max_attempts: 0 is out of range; it takes a whole number from 1 to 10000, or off"_L1);
        row("rules=Strict"_L1, "rules: \"Strict\" is not a value for it; it takes one of openprogram, strict"_L1);
        row("http.keepalive=maybe"_L1, "http.keepalive: \"maybe\" is not a value for it; it takes true or false"_L1);
        row("http.connect_timeout_s=auto"_L1, "http.connect_timeout_s: \"auto\" is not a value for it; it takes a number of "
                                              "seconds from 0 to 1000000, or off"_L1);
        row("http.keepalive_idle_s=off"_L1, "http.keepalive_idle_s: \"off\" is not a value for it; it takes a whole number of "
                                            "seconds from 1 to 32767"_L1);
        row("exec.hint_forms=ms,hours"_L1, "exec.hint_forms: \"ms,hours\" is not a value for it; it takes ms, seconds, date "
                                           "and body in any number with commas between, or none"_L1);
        row("stream.retry_statuses=599-500"_L1, "stream.retry_statuses: \"599-500\" is not a value for it; it takes statuses "
                                                "from 100 to 599 and ranges of them with commas between (408,429,500-599), or "
                                                "nothing"_L1);
        row("http.proxy_url=ftp://me:secret@host"_L1, "http.proxy_url: \"ftp://***@host\" is not a value for it; it takes an "
                                                      "address like http://host:port (http, https, socks5 or socks5h), or "
                                                      "nothing"_L1);
    }

    void badAssignments()
    {
        QFETCH(const QString, assignment);
        QFETCH(const QString, line);
        const Expected<Policy> policy = Policy().withAssignment(assignment, u"command line"_s);
        QVERIFY(!policy);
        QCOMPARE(policy.error().kind, ProblemKind::Usage);
        QCOMPARE(policy.error().line(), line);
    }

    void assignmentsAllowBlanksAndEqualsInTexts()
    {
        const Policy policy = policyWith({" exec.timeout_s = 60 "_L1, "http.proxy_url=http://host:3128/?a=b"_L1});
        QCOMPARE(policy.seconds(Setting::ExecTimeout), std::optional(60.0));
        QCOMPARE(policy.text(Setting::HttpProxyUrl), u"http://host:3128/?a=b"_s);
        QCOMPARE(policy.origin(Setting::ExecTimeout), u"command line"_s);
    }
};

QTEST_GUILESS_MAIN(TestPolicy)
#include "tst_policy.moc"
