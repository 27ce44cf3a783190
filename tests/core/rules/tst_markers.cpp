// SPDX-License-Identifier: GPL-3.0-or-later
// The marker automaton in both ways of matching, the Python pattern, and statuses read out of texts.
#include "rules/markers.h"
#include "rules/pythonpattern.h"
#include "rules/statusintext.h"

#include <QTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;

Q_DECLARE_METATYPE(std::optional<int>)

namespace {

const std::array words{
    MarkerWords{MarkerGroup::Auth, {u"login failed", u"he", u"she", u"hers", u"re auth"}},
    MarkerWords{MarkerGroup::Transient, {u"timed out", u"timeout", u"余额不足"}},
};

} // namespace

class TestMarkers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void substrings_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("auth");
        QTest::addColumn<QString>("transient");
        QTest::newRow("nothing") << u"all is well"_s << QString() << QString();
        QTest::newRow("empty") << QString() << QString() << QString();
        QTest::newRow("inside a word") << u"untimed outage"_s << QString() << u"timed out"_s;
        QTest::newRow("upper case") << u"TIMEOUT"_s << QString() << u"timeout"_s;
        QTest::newRow("one marker ends inside another") << u"ushers"_s << u"she"_s << QString();
        QTest::newRow("both groups") << u"xhex timeouts"_s << u"he"_s << u"timeout"_s;
        QTest::newRow("a false start") << u"timetimeout"_s << QString() << u"timeout"_s;
        QTest::newRow("other script") << u"您的余额不足。"_s << QString() << u"余额不足"_s;
        QTest::newRow("two blanks are not one") << u"timed  out"_s << QString() << QString();
        QTest::newRow("dotted capital I keeps its dot") << u"T\u0130MEOUT"_s << QString() << QString();
        QTest::newRow("long s is no s") << u"\u017fhe"_s << u"he"_s << QString();
        QTest::newRow("surrogates") << u"🔥timeout🔥"_s << QString() << u"timeout"_s;
    }
    void substrings()
    {
        const MarkerTable table(MarkerTable::Match::Substring, words);
        QFETCH(QString, text);
        const MarkerHits hits = table.find({text});
        QTEST(hits.words(MarkerGroup::Auth), "auth");
        QTEST(hits.words(MarkerGroup::Transient), "transient");
        QCOMPARE(hits.has(MarkerGroup::Auth), !hits.words(MarkerGroup::Auth).isEmpty());
        QCOMPARE(hits.any(), hits.has(MarkerGroup::Auth) || hits.has(MarkerGroup::Transient));
        QVERIFY(!hits.has(MarkerGroup::Quota));
    }

    void kelvinSignLowersToK()
    {
        const std::array kay{MarkerWords{MarkerGroup::Auth, {u"api key"}}};
        const MarkerTable table(MarkerTable::Match::Substring, kay);
        QVERIFY(table.find({u"API \u212aEY"}).any());
    }

    void piecesAreOneText()
    {
        const MarkerTable table(MarkerTable::Match::Substring, words);
        QVERIFY(table.find({u"login", u" ", u"failed"}).has(MarkerGroup::Auth));
        QVERIFY(!table.find({u"login ", u" ", u"failed"}).has(MarkerGroup::Auth));
    }

    void wholeWords_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("auth");
        QTest::addColumn<QString>("transient");
        QTest::newRow("alone") << u"timeout"_s << QString() << u"timeout"_s;
        QTest::newRow("inside a word") << u"untimed outage"_s << QString() << QString();
        QTest::newRow("at both borders") << u"(timeout)"_s << QString() << u"timeout"_s;
        QTest::newRow("plural") << u"timeouts"_s << QString() << QString();
        QTest::newRow("two blanks") << u"timed  out"_s << QString() << u"timed out"_s;
        QTest::newRow("line break") << u"timed\r\nout"_s << QString() << u"timed out"_s;
        QTest::newRow("hyphen") << u"Timed-Out!"_s << QString() << u"timed out"_s;
        QTest::newRow("non-breaking blank") << u"timed\u00a0out"_s << QString() << u"timed out"_s;
        QTest::newRow("punctuation parts words") << u"timed, out"_s << QString() << QString();
        QTest::newRow("blank around punctuation parts words") << u"timed - . out"_s << QString() << QString();
        QTest::newRow("one word of an identifier") << u"no_timeout_set"_s << QString() << QString();
        QTest::newRow("identifier ends with it") << u"no_timeout"_s << QString() << QString();
        QTest::newRow("identifier begins with another word") << u"she_said"_s << QString() << QString();
        QTest::newRow("identifier begins with it") << u"timeout_ms"_s << QString() << QString();
        QTest::newRow("phrase joined") << u"timed_out"_s << QString() << u"timed out"_s;
        QTest::newRow("fault phrase that goes on") << u"timed_out_jobs"_s << QString() << QString();
        QTest::newRow("other phrase that goes on") << u"login_failed_error"_s << u"login failed"_s << QString();
        QTest::newRow("hyphenated marker") << u"please re-auth now"_s << u"re auth"_s << QString();
        QTest::newRow("not in a longer word") << u"pre-authorization"_s << QString() << QString();
        QTest::newRow("between ideographs") << u"请timeout请"_s << QString() << u"timeout"_s;
        QTest::newRow("no blanks in Chinese") << u"您的余额不足请充值"_s << QString() << u"余额不足"_s;
        QTest::newRow("Chinese behind a word") << u"err余额不足"_s << QString() << u"余额不足"_s;
        QTest::newRow("Chinese broken by a blank") << u"余额 不足"_s << QString() << QString();
        QTest::newRow("accents belong to words") << u"étimeout"_s << QString() << QString();
        QTest::newRow("zero width space parts words") << u"timed\u200bout"_s << QString() << QString();
    }
    void wholeWords()
    {
        const MarkerTable table(MarkerTable::Match::Words, words);
        QFETCH(QString, text);
        const MarkerHits hits = table.find({text});
        QTEST(hits.words(MarkerGroup::Auth), "auth");
        QTEST(hits.words(MarkerGroup::Transient), "transient");
    }

    void hitsOfTwoTablesAreJoined()
    {
        const MarkerTable table(MarkerTable::Match::Words, words);
        MarkerHits hits = table.find({u"timeout"});
        hits.add(table.find({u"login failed, timed out"}));
        QCOMPARE(hits.words(MarkerGroup::Auth), u"login failed"_s);
        QCOMPARE(hits.words(MarkerGroup::Transient), u"timeout"_s);
    }

    void pythonPattern_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("matches");
        QTest::newRow("any character between") << u"RATE/LIMIT"_s << true;
        QTest::newRow("no character between") << u"ratelimit"_s << true;
        QTest::newRow("no line feed between") << u"rate\nlimit"_s << false;
        QTest::newRow("carriage return between") << u"rate\rlimit"_s << true;
        QTest::newRow("dotless i") << u"rate l\u0131m\u0130t"_s << true;
        QTest::newRow("long s and kelvin sign") << u"ma\u017f\u212a"_s << true;
        QTest::newRow("digits of any script") << u"code ٤٢"_s << true;
        QTest::newRow("control separator is a space") << u"a\u001cb"_s << true;
        QTest::newRow("anchor without the rest") << u"rates of limits"_s << false;
        QTest::newRow("no anchor") << u"nothing"_s << false;
    }
    void pythonPattern()
    {
        const PythonPattern pattern(uR"(rate.?limit|mask|code \d+|a\sb)", {u"rate", u"mask", u"code", u"a"});
        QFETCH(QString, text);
        QTEST(!pattern.match(text).isNull(), "matches");
    }

    void statuses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<std::optional<int>>("status");
        const auto row = [](const char *text, std::optional<int> status) {
            QTest::newRow(text) << QString::fromUtf8(text) << status;
        };
        row("503", 503);
        row(" 429\n", 429);
        row("HTTP 503: busy", 503);
        row("http/1.1 502", 502);
        row("HTTP/2 529", 529);
        row("status code: 408", 408);
        row("Status=520", 520);
        row("statusCode\":429", 429);
        row("\"code\": 404,", 404);
        row("Error code: 401 - no", 401);
        row("got 504 Gateway Time-out", 504);
        row("(status code 500)", 500);
        row("of 1500, HTTP 503", 503);
        row("", std::nullopt);
        row("600", std::nullopt);
        row("399", std::nullopt);
        row("HTTP 5030", std::nullopt);
        row("HTTP 503.5", std::nullopt);
        row("v1.503", std::nullopt);
        row("code 429", std::nullopt);
        row("exit code: 429", std::nullopt);
        row("stream ID 503; INTERNAL_ERROR", std::nullopt);
        row("503 lines", std::nullopt);
        row("429 internal server error", std::nullopt);
        row("mystatus 503", std::nullopt);
        row("127.0.0.1:503", std::nullopt);
        row("503Service Unavailable", std::nullopt);
        row("HTTP ５０３", std::nullopt);
        row("59", std::nullopt);
    }
    void statuses()
    {
        QFETCH(QString, text);
        QTEST(statusInText(text), "status");
    }
};

QTEST_GUILESS_MAIN(TestMarkers)
#include "tst_markers.moc"
