// SPDX-License-Identifier: GPL-3.0-or-later
// ctest-timeout: 300
#include "engine/http/jsontext.h"
#include "engine/http/streamparser.h"
#include "fault/dialectwriter.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

// One word an item: "data", "data+" with content, "ping", "line", "error(type: text)", "end"; "[stop]" a finish reason,
// "<3/7>" tokens, "~" a cut.
QString shown(const StreamItem &item)
{
    QString text;
    switch (item.kind) {
    case StreamItem::Kind::Line:
        text = u"line"_s;
        break;
    case StreamItem::Kind::Data:
        text = u"data"_s;
        break;
    case StreamItem::Kind::Ping:
        text = u"ping"_s;
        break;
    case StreamItem::Kind::Error:
        text = u"error(%1: %2)"_s.arg(item.errorType, item.errorText);
        break;
    case StreamItem::Kind::End:
        text = u"end"_s;
        break;
    }
    if (item.content)
        text += u'+';
    if (item.cut)
        text += u'~';
    if (!item.text.isEmpty())
        text += u'"' + item.text + u'"';
    if (!item.finishReason.isEmpty())
        text += u'[' + item.finishReason + u']';
    const auto number = [](std::optional<qint64> n) { return n ? QString::number(*n) : u"-"_s; };
    if (item.inputTokens || item.outputTokens)
        text += u'<' + number(item.inputTokens) + u'/' + number(item.outputTokens) + u'>';
    return text;
}

QString shown(const std::vector<StreamItem> &items)
{
    QStringList words;
    for (const StreamItem &item : items)
        words << shown(item);
    return words.join(u' ');
}

struct Parsed {
    std::vector<StreamItem> items;
    bool complete = false;
    QString finishReason;
    QString tokens;
};

Parsed parse(Api api, RuleSet rules, const QByteArrayList &chunks, StreamParser::Keep keep = StreamParser::Keep::Content)
{
    StreamParser parser(api, rules, keep);
    Parsed parsed;
    for (const QByteArray &chunk : chunks)
        parser.feed(chunk, parsed.items);
    parser.finish(parsed.items);
    parsed.complete = parser.sawEndMarker();
    parsed.finishReason = parser.finishReason();
    parsed.tokens = u"%1/%2"_s.arg(parser.inputTokens().value_or(-1)).arg(parser.outputTokens().value_or(-1));
    return parsed;
}

QByteArray unnamed(const QByteArray &json)
{
    return "data: " + json + "\n\n";
}

QByteArray named(const QByteArray &name, const QByteArray &json)
{
    return "event: " + name + "\ndata: " + json + "\n\n";
}

// Qt's moc does not know raw strings: their braces must balance, or it finds no class.
constexpr RuleSet strict = RuleSet::Strict;
constexpr RuleSet openprogram = RuleSet::Openprogram;

// NaN and Infinity as the tables write them.
QJsonValue inTableWords(const QJsonValue &value)
{
    if (!value.isDouble() || std::isfinite(value.toDouble()))
        return value;
    return std::isnan(value.toDouble()) ? u"nan"_s : value.toDouble() > 0 ? u"inf"_s : u"-inf"_s;
}

QString compact(const QJsonValue &value)
{
    return QString::fromUtf8(QJsonDocument(QJsonArray{inTableWords(value)}).toJson(QJsonDocument::Compact));
}

} // namespace

class TestStreamParser : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void apiWords()
    {
        QStringList words;
        for (const Api api : allOf<Api>()) {
            words << wordOf(api);
            QCOMPARE(fromWord<Api>(QString(wordOf(api))), std::optional(api));
        }
        QCOMPARE(words, (QStringList{u"openai-responses"_s, u"openai-chat"_s, u"anthropic-messages"_s, u"gemini"_s, u"ollama"_s, u"sse"_s}));
        QVERIFY(!fromWord<Api>(u"OpenAI-Chat"));
    }

    void standard_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("expected");
        QTest::newRow("event") << "data: a\n\n"_ba << u"line data+\"a\""_s;
        QTest::newRow("no blank after the colon") << "data:a\n\n"_ba << u"line data+\"a\""_s;
        QTest::newRow("only one blank goes") << "data:  a\n\n"_ba << u"line data+\" a\""_s;
        QTest::newRow("lines are joined") << "data: a\ndata:\ndata: b\n\n"_ba << u"line line line data+\"a\n\nb\""_s;
        QTest::newRow("CRLF") << "data: a\r\n\r\n"_ba << u"line data+\"a\""_s;
        QTest::newRow("CR") << "data: a\r\rdata: b\r\r"_ba << u"line data+\"a\" line data+\"b\""_s;
        QTest::newRow("mark") << "\xEF\xBB\xBF" "data: a\n\n"_ba << u"line data+\"a\""_s;
        QTest::newRow("comment") << ": hello\n\n:\n\n"_ba << u"ping line ping line"_s;
        QTest::newRow("comment inside an event") << "data: a\n: x\ndata: b\n\n"_ba << u"line ping line data+\"a\nb\""_s;
        QTest::newRow("data without a colon") << "data\n\ndata\ndata\n\n"_ba << u"line data line line data+\"\n\""_s;
        QTest::newRow("id and retry") << "id: 7\nretry: 3000\nretry: soon\ndata: a\n\n"_ba << u"line line line line data+\"a\""_s;
        QTest::newRow("id alone") << "id: 7\n\n"_ba << u"line line"_s;
        QTest::newRow("unknown fields") << "foo: 1\nfoo\ndata : a\n data: a\nData: a\n\n"_ba << u"line line line line line line"_s;
        QTest::newRow("name without data is dropped") << "event: error\n\ndata: a\n\n"_ba << u"line line line data+\"a\""_s;
        QTest::newRow("name does not live on") << "event: error\ndata: boom\n\ndata: a\n\n"_ba
                                               << u"line line error(: boom) line data+\"a\""_s;
        QTest::newRow("last name counts") << "event: ping\nevent: x\ndata: a\n\n"_ba << u"line line line data+\"a\""_s;
        QTest::newRow("no blank line at the end") << "data: a\n\ndata: b\n"_ba << u"line data+\"a\" line"_s;
        QTest::newRow("no line end at the end") << "data: a\n\ndata: b"_ba << u"line data+\"a\" line"_s;
        QTest::newRow("end without its blank line") << "data: [DONE]\n"_ba << u"line end"_s;
        QTest::newRow("end without its line end") << "data: [DONE]"_ba << u"line end"_s;
        QTest::newRow("end with blanks") << "data:  [DONE] \n\n"_ba << u"line end"_s;
        QTest::newRow("error without its blank line") << "data: {\"error\":\"boom\"}\n"_ba << u"line error(: boom)"_s;
        QTest::newRow("named pings") << "event: ping\ndata: {}\n\nevent: keepalive\ndata: x\n\n"_ba << u"line line ping line line ping"_s;
        QTest::newRow("UTF-8") << "data: \xE4\xBD\xA0\xF0\x9F\x99\x82\n\n"_ba << u"line data+\"你🙂\""_s;
        QTest::newRow("broken UTF-8") << "data: a\xFF\xC3\n\n"_ba << u"line data+\"a\uFFFD\uFFFD\""_s;
    }

    void standard()
    {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QString, expected);
        QCOMPARE(shown(parse(Api::Sse, strict, {bytes}).items), expected);
    }

    void openprogramLines_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("expected");
        QTest::newRow("each line its own event") << "data: 1\ndata: {\"a\":1}\n\n"_ba << u"data+\"1\" data+\"{\"a\":1}\" line"_s;
        QTest::newRow("no blank") << "data:1\n"_ba << u"line"_s;
        QTest::newRow("blank in front") << " data: 1\n"_ba << u"line"_s;
        QTest::newRow("no JSON") << "data: hello\n"_ba << u"line"_s;
        QTest::newRow("done") << "data: [DONE]\n"_ba << u"end"_s;
        QTest::newRow("done with a blank behind") << "data: [DONE] \n"_ba << u"line"_s;
        QTest::newRow("done with two blanks before") << "data:  [DONE]\n"_ba << u"line"_s;
        QTest::newRow("done without a line end") << "data: [DONE]"_ba << u"end"_s;
        QTest::newRow("comment and fields") << ": x\nevent: ping\nid: 1\n"_ba << u"ping line line"_s;
        QTest::newRow("a ping's payload is data") << "data: {\"type\":\"ping\"}\n"_ba << u"data+\"{\"type\":\"ping\"}\""_s;
        QTest::newRow("mark hides the first line") << "\xEF\xBB\xBF" "data: 1\ndata: 2\n"_ba << u"line data+\"2\""_s;
    }

    void openprogramLines()
    {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QString, expected);
        QCOMPARE(shown(parse(Api::Sse, openprogram, {bytes}).items), expected);
    }

    // The public table of the reader: what each line's payload is, and what ends the stream.
    void openprogramTable()
    {
        QFile file(QStringLiteral(TEST_DATA_DIR "/vectors/sse_budget_traces.json"));
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
        int lines = 0;
        const QJsonArray cases = QJsonDocument::fromJson(file.readAll()).object().value("cases"_L1).toArray();
        for (const QJsonValue &one : cases) {
            const QJsonObject expect = one.toObject().value("expect"_L1).toObject();
            const QString kind = expect.value("end"_L1).toObject().value("kind"_L1).toString();
            if (kind == "raised"_L1 || kind == "ended_silently"_L1)
                continue; // decided by time, not by lines
            QStringList payloads;
            bool done = false;
            const QJsonArray script = one.toObject().value("input"_L1).toObject().value("lines"_L1).toArray();
            for (const QJsonValue &entry : script) {
                if (!entry.toObject().contains("line"_L1) || done)
                    break;
                const QByteArray line = entry.toObject().value("line"_L1).toString().toUtf8();
                ++lines;
                done = isDoneLine(line);
                if (const std::optional<QJsonValue> payload = openprogramPayload(line))
                    payloads << compact(*payload);
            }
            QStringList wanted;
            const QJsonArray events = expect.value("events"_L1).toArray();
            for (const QJsonValue &event : events)
                wanted << compact(event.toArray().at(1));
            const QString id = one.toObject().value("id"_L1).toString();
            QVERIFY2(payloads == wanted, qPrintable(id + u": "_s + payloads.join(u' ') + u" / "_s + wanted.join(u' ')));
            QVERIFY2(done == (kind == "done_marker"_L1), qPrintable(id));
        }
        QVERIFY(lines > 30);
    }

    void json_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("standard"); // "" = refused
        QTest::addColumn<QString>("python");
        const auto same = [](const char *name, const QByteArray &text, const QString &value) {
            QTest::newRow(name) << text << value << value;
        };
        same("object", R"({"b":[1,2.5,-3e2],"a":{"x":null,"y":true,"z":false}})",
             uR"([{"a":{"x":null,"y":true,"z":false},"b":[1,2.5,-300]}])"_s);
        same("blanks", " \t\r\n{ \"a\" : [ 1 , 2 ] } \n", uR"([{"a":[1,2]}])"_s);
        same("empty object", "{}", u"[{}]"_s);
        same("empty array", "[ ]", u"[[]]"_s);
        same("last of equal keys", R"({"a":1,"b":2,"a":3})", uR"([{"a":3,"b":2}])"_s);
        same("string", "\"a\\\"\\\\\\/\\b\\f\\n\\r\\tA\\u00e9\\ud83d\\ude42\"", u"[\"a\\\"\\\\/\\b\\f\\n\\r\\tAé🙂\"]"_s);
        same("broken UTF-8 in a string", "\"a\xFF\"", u"[\"a\uFFFD\"]"_s);
        same("broken UTF-8 in an object", "{\"a\":\"\xFF\"}", u"[{\"a\":\"\uFFFD\"}]"_s);
        same("tiny number in an object", "{\"a\":1e-400}", u"[{\"a\":0}]"_s);
        same("integers", "[0,-0,9223372036854775807]", u"[[0,0,9223372036854775807]]"_s);
        same("large integer", "9223372036854775808", u"[9223372036854776000]"_s);
        same("overflow without an exponent", QByteArray(400, '9'), uR"(["inf"])"_s);
        same("underflow", "1e-400", u"[0]"_s);
        same("overflow", "-1e400", uR"(["-inf"])"_s);
        same("null", "null", u"[null]"_s);
        QTest::newRow("NaN") << "NaN"_ba << QString() << uR"(["nan"])"_s;
        QTest::newRow("Infinity") << " Infinity "_ba << QString() << uR"(["inf"])"_s;
        QTest::newRow("-Infinity") << "-Infinity"_ba << QString() << uR"(["-inf"])"_s;
        QTest::newRow("NaN inside") << "[NaN]"_ba << QString() << u"[[null]]"_s; // as QJsonDocument writes it
        for (const char *bad :
             {"", " ", "{", "}", "[", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{'a':1}", "{1:2}", "01",
              "-", "+1", "1.", ".5", "1e", "1e+", "0x1", "1 2", "nul", "nulll", "True", "nan", "-NaN", "+Infinity", "\"", "\"a", "\"\\",
              "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\u+123\"", "\"a\nb\"", "\"\t\"", "[DONE]", "\xEF\xBB\xBF" "1", "1\v", "/**/1"})
            same(bad[0] == '\0' ? "nothing" : bad, bad, QString());
        same("a NUL", QByteArray("1\0", 2), QString());
    }

    void json()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QString, standard);
        QFETCH(const QString, python);
        const auto read = [&text](JsonReading reading) {
            const std::optional<QJsonValue> value = readJson(text, reading);
            return value ? compact(*value) : QString();
        };
        QCOMPARE(read(JsonReading::Standard), standard);
        QCOMPARE(read(JsonReading::Python), python);
    }

    void jsonNestingIsBounded()
    {
        const auto nested = [](int depth) { return QByteArray(depth, '[') + QByteArray(depth, ']'); };
        for (const JsonReading reading : {JsonReading::Standard, JsonReading::Python}) {
            QVERIFY(readJson(nested(500), reading));
            QVERIFY(!readJson(nested(1100), reading));
            QVERIFY(!readJson(nested(400'000), reading));
            QVERIFY(!readJson(QByteArray("{\"a\":").repeated(200'000), reading));
        }
    }

    // As many keys as a line can hold, in falling order: inserting each where it belongs would move a hundred gigabytes.
    // Only the comparison with rising order can show that, by real time; in fact it is sixtyfold, or none at all.
    void jsonManyKeys_data()
    {
        QTest::addColumn<bool>("python");
        QTest::newRow("standard") << false;
        QTest::newRow("python") << true;
    }

    void jsonManyKeys()
    {
        QFETCH(const bool, python);
        constexpr int count = 120'000;
        const auto seconds = [python](bool falling) {
            QByteArrayList members;
            for (int i = 0; i < count; ++i)
                members << "\"k" + QByteArray::number(1'000'000 + (falling ? count - i : i)) + "\":1";
            const QByteArray text = "{" + members.join(',') + "}";
            QElapsedTimer watch;
            watch.start();
            const std::optional<QJsonValue> value = readJson(text, python ? JsonReading::Python : JsonReading::Standard);
            const double elapsed = static_cast<double>(watch.nsecsElapsed()) / 1e9;
            return value && value->toObject().size() == count ? elapsed : -1;
        };
        const double rising = seconds(false);
        const double falling = seconds(true);
        QVERIFY(rising > 0 && falling > 0);
        QVERIFY2(falling < 15 * rising + 1, qPrintable(QString::number(falling) + u" s against "_s + QString::number(rising)));
    }

    void events_data()
    {
        QTest::addColumn<Api>("api");
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("inStrict");
        QTest::addColumn<QString>("inOpenprogram");
        Api api = Api::OpenaiChat;
        const auto row = [&api](const char *name, const QByteArray &json, const QString &inStrict, const QString &inOpenprogram = {}) {
            QTest::addRow("%s %s", wordOf(api).data(), name) << api << json << inStrict << (inOpenprogram.isEmpty() ? inStrict : inOpenprogram);
        };
        row("role", R"({"choices":[{"delta":{"role":"assistant","content":""},"finish_reason":null}]})", u"data"_s);
        row("text", R"({"choices":[{"delta":{"content":"hi"}}]})", u"data+\"hi\""_s);
        row("parts", R"({"choices":[{"delta":{"content":[{"type":"text","text":"a"},{"text":"b"}]}}]})", u"data+\"ab\""_s);
        row("completion text", R"({"choices":[{"text":"hi"}]})", u"data+\"hi\""_s);
        row("refusal", R"({"choices":[{"delta":{"refusal":"no"}}]})", u"data+\"no\""_s);
        row("reasoning", R"({"choices":[{"delta":{"reasoning_content":"hm","content":null}}]})", u"data"_s);
        row("tool", R"({"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"x"}}]}}]})", u"data+"_s);
        row("no tool", R"({"choices":[{"delta":{"tool_calls":[]}}]})", u"data"_s);
        row("finish", R"({"choices":[{"delta":{},"finish_reason":"stop"}]})", u"data[stop]"_s);
        row("usage", R"({"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":7}})", u"data<3/7>"_s);
        row("odd usage", R"({"choices":[],"usage":{"prompt_tokens":-3,"completion_tokens":"7"}})", u"data"_s);
        row("no usage", R"({"choices":[],"usage":null})", u"data"_s);
        row("odd shapes", R"({"choices":{"delta":1},"usage":[]})", u"data"_s);
        row("odd choices", R"({"choices":[1,null,{"delta":"x"},{"delta":{"content":5}}]})", u"data"_s);
        row("no object", "[1]", u"data"_s);
        row("error", R"({"error":{"message":"Overloaded","type":"overloaded_error","code":null}})", u"error(overloaded_error: Overloaded)"_s);
        row("error with a code", R"({"error":{"message":"slow","type":"requests","code":"rate_limit_exceeded"}})",
            u"error(rate_limit_exceeded: slow)"_s);
        row("error with a number", R"({"error":{"message":"bad","code":502}})", u"error(502: bad)"_s);
        row("error text", R"({"error":"boom"})", u"error(: boom)"_s);
        row("error object as text", R"({"error":{"message":{"why":"x"}}})", uR"(error(: {"why":"x"}))"_s);
        row("empty error", R"({"error":{}})", u"error(: empty error event (transient backend hiccup))"_s);
        row("error without text", R"({"error":{"type":"server_error"}})", u"error(server_error: server_error)"_s);
        row("no error", R"({"error":null,"choices":[{"delta":{"content":"hi"}}]})", u"data+\"hi\""_s);
        row("nor this", R"({"error":"","choices":[{"delta":{"content":"hi"}}]})", u"data+\"hi\""_s);
        row("finish as an error", R"({"choices":[{"delta":{},"finish_reason":"error"}]})",
            u"error(: stream ended with error stop_reason)[error]"_s);

        api = Api::OpenaiResponses;
        row("created", R"({"type":"response.created","response":{"status":"in_progress","usage":null}})", u"data"_s);
        row("text", R"({"type":"response.output_text.delta","delta":"hi"})", u"data+\"hi\""_s);
        row("empty text", R"({"type":"response.output_text.delta","delta":""})", u"data"_s);
        row("refusal", R"({"type":"response.refusal.delta","delta":"no"})", u"data+\"no\""_s);
        row("arguments", R"({"type":"response.function_call_arguments.delta","delta":"x"})", u"data+"_s);
        row("reasoning", R"({"type":"response.reasoning_summary_text.delta","delta":"hm"})", u"data"_s);
        row("tool begins", R"({"type":"response.output_item.added","item":{"type":"function_call","name":"f"}})", u"data+"_s);
        row("message begins", R"({"type":"response.output_item.added","item":{"type":"message"}})", u"data"_s);
        row("completed", R"({"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":3,"output_tokens":7}}})",
            u"end[completed]<3/7>"_s);
        row("incomplete",
            R"({"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}})",
            u"end[max_output_tokens]"_s);
        row("done", R"({"type":"response.done","response":{"status":"completed"}})", u"end[completed]"_s);
        row("failed", R"({"type":"response.failed","response":{"error":{"code":"server_error","message":"sorry"}}})",
            u"error(server_error: sorry)"_s, u"error(server_error: Error Code server_error: sorry)"_s);
        row("failed without words", R"({"type":"response.failed","response":{"error":null}})",
            u"error(: empty error event (transient backend hiccup))"_s);
        row("error", R"({"type":"error","code":"rate_limit_exceeded","message":"slow","param":null})", u"error(rate_limit_exceeded: slow)"_s,
            u"error(rate_limit_exceeded: Error Code rate_limit_exceeded: slow)"_s);
        row("nested error", R"({"type":"error","error":{"type":"overloaded_error","message":"busy"}})", u"error(overloaded_error: busy)"_s,
            u"error(overloaded_error: Error Code overloaded_error: busy)"_s);
        row("error without code", R"({"type":"error","message":"sorry"})", u"error(: sorry)"_s);
        row("error without text", R"({"type":"error","code":"oops"})", u"error(oops: oops)"_s, u"error(oops: Error Code oops: )"_s);
        row("empty error", R"({"type":"error"})", u"error(: empty error event (transient backend hiccup))"_s);
        row("a gateway's error", R"({"error":{"message":"bad gateway"}})", u"error(: bad gateway)"_s);
        row("keepalive", R"({"type":"keepalive","sequence_number":3})", u"ping"_s, u"data"_s);
        row("unknown", R"({"type":"response.something_new","delta":"x"})", u"data"_s);
        row("odd type", R"({"type":5,"response":[]})", u"data"_s);

        api = Api::AnthropicMessages;
        row("start", R"({"type":"message_start","message":{"usage":{"input_tokens":25,"output_tokens":1}}})", u"data<25/1>"_s);
        row("block", R"({"type":"content_block_start","content_block":{"type":"text","text":""}})", u"data"_s);
        row("tool block", R"({"type":"content_block_start","content_block":{"type":"tool_use","name":"f","input":{}}})", u"data+"_s);
        row("text", R"({"type":"content_block_delta","delta":{"type":"text_delta","text":"hi"}})", u"data+\"hi\""_s);
        row("tool", R"({"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"x"}})", u"data+"_s);
        row("no tool", R"({"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":""}})", u"data"_s);
        row("thinking", R"({"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"hm"}})", u"data"_s);
        row("stop reason", R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":15}})",
            u"data[end_turn]<-/15>"_s);
        row("stop", R"({"type":"message_stop"})", u"end"_s);
        row("ping", R"({"type":"ping"})", u"ping"_s, u"data"_s);
        row("error", R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})",
            u"error(overloaded_error: Overloaded)"_s);
        row("empty error", R"({"type":"error"})", u"error(: empty error event (transient backend hiccup))"_s);
        row("a gateway's error", R"({"error":"boom"})", u"error(: boom)"_s);
        row("odd", R"({"type":"content_block_delta","delta":[]})", u"data"_s);

        api = Api::Gemini;
        row("text", R"({"candidates":[{"content":{"parts":[{"text":"hi"},{"text":" you"}],"role":"model"},"index":0}]})",
            u"data+\"hi you\""_s);
        row("thought", R"({"candidates":[{"content":{"parts":[{"text":"hm","thought":true}]}}]})", u"data"_s);
        row("call", R"({"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":[]}}]}}]})", u"data+"_s);
        row("finish", R"({"candidates":[{"content":{"parts":[{"text":""}]},"finishReason":"STOP"}],"usageMetadata":)"
                      R"({"promptTokenCount":12,"candidatesTokenCount":15,"totalTokenCount":27}})",
            u"data[STOP]<12/15>"_s);
        row("blocked", R"({"promptFeedback":{"blockReason":"SAFETY"}})", u"data[SAFETY]"_s);
        row("error", R"({"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}})",
            u"error(UNAVAILABLE: The model is overloaded.)"_s);
        row("empty error", R"({"error":{}})", u"error(: empty error event (transient backend hiccup))"_s);
        row("odd", R"({"candidates":{"content":3}})", u"data"_s);

        api = Api::Sse;
        row("error", R"({"type":"error","message":"boom"})", u"error(: boom)"_s);
        row("nested error", R"({"error":{"type":"t","message":"boom"}})", u"error(t: boom)"_s);
    }

    void events()
    {
        QFETCH(const Api, api);
        QFETCH(const QByteArray, json);
        QFETCH(const QString, inStrict);
        QFETCH(const QString, inOpenprogram);
        QCOMPARE(shown(parse(api, strict, {unnamed(json)}).items), u"line "_s + inStrict);
        QCOMPARE(shown(parse(api, openprogram, {"data: " + json + "\n"}).items), inOpenprogram);
    }

    void jsonLines_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, const QByteArray &bytes, const QString &expected) {
            QTest::newRow(name) << bytes << expected;
        };
        row("text", R"({"model":"m","message":{"role":"assistant","content":"hi"},"done":false})"
                    "\n",
            u"data+\"hi\""_s);
        row("thinking", R"({"message":{"role":"assistant","content":"","thinking":"hm"},"done":false})"
                        "\n",
            u"data"_s);
        row("tool", R"({"message":{"content":"","tool_calls":[{"function":{"name":"f"}}]},"done":false})"
                    "\n",
            u"data+"_s);
        row("generate", R"({"response":"hi","done":false})"
                        "\r\n",
            u"data+\"hi\""_s);
        row("done", R"({"message":{"content":""},"done":true,"done_reason":"stop","prompt_eval_count":12,"eval_count":15})"
                    "\n",
            u"end[stop]<12/15>"_s);
        row("done without its line end", R"({"done":true,"done_reason":"length"})", u"end[length]"_s);
        row("error", R"({"error":"model 'x' not found"})"
                     "\n",
            u"error(: model 'x' not found)"_s);
        row("blank", "\n \n", u"ping ping"_s);
        row("half a line", R"({"done":tr)", u"line"_s);
        row("no object", "3\n[]\n", u"data data"_s);
        row("sse by mistake", "data: {\"done\":true}\n", u"line"_s);
    }

    void jsonLines()
    {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QString, expected);
        for (const RuleSet rules : {strict, openprogram}) {
            QCOMPARE(shown(parse(Api::Ollama, rules, {bytes}).items), expected);
            QByteArrayList single;
            for (const char c : bytes)
                single << QByteArray(1, c);
            QCOMPARE(shown(parse(Api::Ollama, rules, single).items), expected);
        }
    }

    void eventNames()
    {
        // The name stands in where the payload has no type of its own; openprogram does not look at it.
        QCOMPARE(shown(parse(Api::AnthropicMessages, strict, {named("message_stop", "{}")}).items), u"line line end"_s);
        QCOMPARE(shown(parse(Api::OpenaiResponses, strict, {named("response.completed", "{}")}).items), u"line line end"_s);
        QCOMPARE(shown(parse(Api::OpenaiChat, strict, {named("error", R"({"message":"boom"})")}).items), u"line line error(: boom)"_s);
        QCOMPARE(shown(parse(Api::OpenaiChat, strict, {named("error", "upstream died")}).items), u"line line error(: upstream died)"_s);
        QCOMPARE(shown(parse(Api::AnthropicMessages, openprogram, {named("message_stop", "{}")}).items), u"line data line"_s);
        // Bad JSON is no data event where JSON is spoken.
        QCOMPARE(shown(parse(Api::OpenaiChat, strict, {unnamed("{\"a\":")}).items), u"line line"_s);
        // Several lines of one JSON text are one event.
        QCOMPARE(shown(parse(Api::OpenaiChat, strict, {"data: {\"choices\":\ndata: [{\"delta\":{\"content\":\"hi\"}}]}\n\n"}).items),
                 u"line line data+\"hi\""_s);
    }

    void completion()
    {
        const QByteArray finish = R"({"choices":[{"delta":{},"finish_reason":"length"}]})";
        const Parsed chat = parse(Api::OpenaiChat, strict, {unnamed(finish)});
        QVERIFY(chat.complete); // a finish reason is enough in chat
        QCOMPARE(chat.finishReason, u"length"_s);
        const QByteArray stop = R"({"type":"message_delta","delta":{"stop_reason":"end_turn"}})";
        const Parsed half = parse(Api::AnthropicMessages, strict, {unnamed(stop)});
        QVERIFY(!half.complete);
        QCOMPARE(half.finishReason, u"end_turn"_s);
        QVERIFY(parse(Api::AnthropicMessages, strict, {unnamed(stop), unnamed(R"({"type":"message_stop"})")}).complete);
        QVERIFY(!parse(Api::Sse, strict, {unnamed("a")}).complete);
        QVERIFY(parse(Api::Gemini, strict, {unnamed(R"({"candidates":[{"finishReason":"MAX_TOKENS"}]})")}).complete);
        QVERIFY(!parse(Api::Gemini, strict, {unnamed(R"({"candidates":[{"content":{"parts":[{"text":"a"}]}}]})")}).complete);
        QVERIFY(!parse(Api::Ollama, strict, {R"({"message":{"content":"a"},"done":false})"}).complete);
        // An event cut off in the middle is no end.
        QVERIFY(!parse(Api::AnthropicMessages, strict, {"data: {\"type\":\"message_stop\""}).complete);
        QVERIFY(!parse(Api::OpenaiChat, strict, {"data: [DONE"}).complete);
    }

    void bytesAndRawLines()
    {
        const QByteArray payload = R"({"choices":[{"delta":{"content":"hi"}}]})";
        const std::vector<StreamItem> items = parse(Api::OpenaiChat, strict, {unnamed(payload)}).items;
        QCOMPARE(items[0].bytes, payload.size() + 6);
        QCOMPARE(items[0].dataBytes, 0);
        QCOMPARE(items[0].rawLine, "data: " + payload);
        QCOMPARE(items[1].bytes, 0);
        QCOMPARE(items[1].dataBytes, payload.size());
        const std::vector<StreamItem> own = parse(Api::OpenaiChat, openprogram, {unnamed(payload)}).items;
        QCOMPARE(own[0].bytes, payload.size() + 6);
        QCOMPARE(own[0].dataBytes, payload.size());
        QCOMPARE(own[0].rawLine, "data: " + payload);
        for (const RuleSet rules : {strict, openprogram}) {
            for (const Api api : allOf<Api>()) {
                const std::vector<StreamItem> facts = parse(api, rules, {unnamed(payload)}, StreamParser::Keep::Facts).items;
                for (const StreamItem &item : facts)
                    QVERIFY(item.rawLine.isEmpty() && item.text.isEmpty());
            }
        }
        const std::vector<StreamItem> large = parse(Api::Sse, strict, {": " + QByteArray(10'000, 'x') + '\n'}).items;
        QCOMPARE(large[0].rawLine.size(), 4096);
        QCOMPARE(large[0].bytes, 10'002);
    }

    // What our own fault server writes is understood, in every dialect and however the network cuts it.
    void everyCut_data()
    {
        QTest::addColumn<Api>("api");
        QTest::addColumn<RuleSet>("rules");
        QTest::addColumn<QByteArray>("lineEnd");
        for (const Api api : allOf<Api>()) {
            for (const RuleSet rules : {strict, openprogram}) {
                for (const QByteArray &end : {"\n"_ba, "\r"_ba, "\r\n"_ba}) {
                    QTest::addRow("%s %s %s", wordOf(api).data(), rules == strict ? "strict" : "openprogram", end.toHex().data())
                        << api << rules << end;
                }
            }
        }
    }

    void everyCut()
    {
        QFETCH(const Api, api);
        QFETCH(const RuleSet, rules);
        QFETCH(const QByteArray, lineEnd);
        const std::span<const ServedDialect> dialects = servedDialects();
        const auto dialect = std::find_if(dialects.begin(), dialects.end(), [&](ServedDialect d) { return wordOf(d) == wordOf(api); });
        QVERIFY(dialect != dialects.end());
        DialectWriter writer(*dialect);
        EndMarkerStep marker;
        marker.inputTokens = 3;
        QByteArray bytes = writer.ping();
        bytes += writer.event(u"12"_s);
        bytes += writer.event(u"\"你🙂\""_s);
        bytes += writer.ping();
        bytes += writer.end(marker);
        bytes.replace("\n", lineEnd);

        const Parsed whole = parse(api, rules, {bytes});
        QVERIFY(whole.complete);
        // Gemini ends with the data event that names the reason.
        const QString last = shown(whole.items.back());
        QVERIFY2(whole.items.back().kind == StreamItem::Kind::End || last == "line"_L1 || (api == Api::Gemini && last.contains(u"[STOP]"_s)),
                 qPrintable(last));
        int contents = 0;
        for (const StreamItem &item : whole.items)
            contents += item.content ? 1 : 0;
        QCOMPARE(contents, 2);
        if (api != Api::Sse)
            QCOMPARE(whole.tokens, u"3/2"_s);
        const QString expected = shown(whole.items);
        for (qsizetype cut = 0; cut <= bytes.size(); ++cut) {
            const Parsed parts = parse(api, rules, {bytes.left(cut), bytes.mid(cut)});
            QCOMPARE(shown(parts.items), expected);
            QCOMPARE(parts.tokens, whole.tokens);
        }
        QByteArrayList single;
        for (const char byte : bytes)
            single << QByteArray(1, byte);
        QCOMPARE(shown(parse(api, rules, single).items), expected);
    }

    void servedErrors()
    {
        for (const ServedDialect dialect : servedDialects()) {
            const std::optional<Api> api = fromWord<Api>(QString(wordOf(dialect)));
            if (!api)
                continue;
            DialectWriter writer(dialect);
            const Parsed parsed = parse(*api, strict, {writer.event(u"1"_s), writer.error(u"overloaded_error"_s, u"busy"_s)});
            // Ollama's errors are a text alone.
            const QString expected = *api == Api::Ollama ? u"error(: busy)"_s : u"error(overloaded_error: busy)"_s;
            QVERIFY2(shown(parsed.items).endsWith(expected), qPrintable(shown(parsed.items)));
            QVERIFY(!parsed.complete);
        }
    }

    void hugeLines()
    {
        const QByteArray text(2 * 1024 * 1024, 'x');
        for (const RuleSet rules : {strict, openprogram}) {
            // The closing event repeats the whole answer: its end must not be missed for its size.
            const QByteArray completed = "{\"type\":\"response.completed\",\"response\":{\"output\":\"" + text + "\"}}";
            const Parsed end = parse(Api::OpenaiResponses, rules, {unnamed(completed)});
            QVERIFY(end.complete);
            QCOMPARE(end.finishReason, u"completed"_s);
            const QByteArray delta = "{\"type\":\"response.output_text.delta\",\"delta\":\"" + text + "\"}";
            const QString seen = shown(parse(Api::OpenaiResponses, rules, {unnamed(delta)}).items);
            QCOMPARE(seen, rules == strict ? u"line~ data+~"_s : u"data+~ line"_s);
        }
        // Many data lines of one event are bounded as well.
        StreamParser parser(Api::OpenaiChat, strict);
        std::vector<StreamItem> items;
        for (int i = 0; i < 200; ++i) {
            parser.feed("data: " + QByteArray(512 * 1024, 'x') + "\n", items);
            items.clear();
        }
        parser.feed("\n", items);
        QCOMPARE(shown(items), u"data+~"_s);
        QCOMPARE(items[0].dataBytes, qint64(LineReader::defaultLongest));
    }

    // Whatever comes: no crash, no end, no memory.
    void endlessGarbage()
    {
        quint32 state = 1;
        QByteArray chunk(64 * 1024, Qt::Uninitialized);
        for (const Api api : allOf<Api>()) {
            for (const RuleSet rules : {strict, openprogram}) {
                StreamParser parser(api, rules, StreamParser::Keep::Content);
                std::vector<StreamItem> items;
                for (int i = 0; i < 15; ++i) {
                    for (char &byte : chunk) {
                        state = state * 1664525u + 1013904223u;
                        byte = static_cast<char>(state >> 24);
                    }
                    items.clear();
                    parser.feed(chunk, items);
                }
                parser.finish(items);
                QVERIFY(!parser.sawEndMarker());
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestStreamParser)
#include "tst_streamparser.moc"
