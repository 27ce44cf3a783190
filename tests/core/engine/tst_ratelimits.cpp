// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/ratelimits.h"

#include <QTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;

class TestRateLimits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void names_data();
    void names();
    void values_data();
    void values();
    void othersAreLeftAlone();
};

namespace {

const QDateTime now = QDateTime::fromString(u"2026-03-01T12:00:00Z"_s, Qt::ISODate);

QString shown(const QByteArray &name, const QByteArray &value)
{
    QStringList list;
    for (const RateLimitSample &sample : rateLimitsOf({{name, value}}, now))
        list << u"%1=%2"_s.arg(sample.name).arg(sample.value, 0, 'g', 12);
    return list.join(u' ');
}

} // namespace

void TestRateLimits::names_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QString>("name");
    const auto row = [](const char *header, const QString &name) { QTest::newRow(header) << QByteArray(header) << name; };
    row("x-ratelimit-limit-requests", u"ratelimit.requests.limit"_s);
    row("X-RateLimit-Remaining-Tokens", u"ratelimit.tokens.remaining"_s);
    row("x-ratelimit-reset-tokens", u"ratelimit.tokens.reset_s"_s);
    row("anthropic-ratelimit-requests-remaining", u"ratelimit.requests.remaining"_s);
    row("anthropic-ratelimit-input-tokens-limit", u"ratelimit.input_tokens.limit"_s);
    row("anthropic-ratelimit-output-tokens-reset", u"ratelimit.output_tokens.reset_s"_s);
    row("ratelimit-remaining", u"ratelimit.remaining"_s);
    row("x-ratelimit-reset", u"ratelimit.reset_s"_s);
}

void TestRateLimits::names()
{
    QFETCH(QByteArray, header);
    QFETCH(QString, name);
    QCOMPARE(shown(header, "7"), name + u"=7"_s);
}

void TestRateLimits::values_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("seconds"); // empty = cannot be read
    const auto row = [](const char *text, const QString &seconds) { QTest::newRow(text) << QByteArray(text) << seconds; };
    row("12", u"12"_s);
    row("0.5", u"0.5"_s);
    row("6m0s", u"360"_s);
    row("1h2m3.5s", u"3723.5"_s);
    row("120ms", u"0.12"_s);
    row("1d", u"86400"_s);
    row("2026-03-01T12:01:30Z", u"90"_s);
    row("2026-03-01T11:00:00Z", u"0"_s); // past
    row("1772366460", u"60"_s);           // a moment
    row("soon", {});
    row("", {});
    row("5x", {});
    row("-3", {});
    row("nan", {});
    row("1e999", {});
    row("m", {});
}

void TestRateLimits::values()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, seconds);
    QCOMPARE(shown("x-ratelimit-reset-requests", text), seconds.isEmpty() ? QString() : u"ratelimit.requests.reset_s="_s + seconds);
}

void TestRateLimits::othersAreLeftAlone()
{
    for (const char *name : {"retry-after", "ratelimit", "x-ratelimit", "x-ratelimit-policy", "myratelimit-remaining", "x-ratelimit-", ""})
        QCOMPARE(shown(name, "1"), QString());
}

QTEST_GUILESS_MAIN(TestRateLimits)
#include "tst_ratelimits.moc"
