// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault/dialectwriter.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

struct Block {
    QByteArray event;
    QByteArray data;
};

// Strict reading of what an SSE client sees: blocks end with an empty line; comments and unknown fields make no block.
std::vector<Block> blocksOf(const QByteArray &stream)
{
    std::vector<Block> blocks;
    Block block;
    bool hasData = false;
    for (const QByteArray &line : stream.split('\n')) {
        if (line.isEmpty()) {
            if (hasData)
                blocks.push_back(block);
            block = {};
            hasData = false;
        } else if (line.startsWith("event: ")) {
            block.event = line.mid(7);
        } else if (line.startsWith("data: ")) {
            block.data += (hasData ? QByteArray("\n") : QByteArray()) + line.mid(6);
            hasData = true;
        }
    }
    return blocks;
}

QJsonObject jsonOf(const QByteArray &data)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(data, &error);
    if (error.error != QJsonParseError::NoError)
        qWarning() << "not JSON:" << data << error.errorString();
    return document.object();
}

const QString nasty = u"a \"quote\" \\ tab\t line\nend \u00e9 \U0001F600 \u0001"_s;

// Operands of + are evaluated in no particular order, and a writer's calls have one.
QByteArray joined(std::initializer_list<QByteArray> pieces)
{
    QByteArray all;
    for (const QByteArray &piece : pieces)
        all += piece;
    return all;
}

} // namespace

class DialectWriterTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void dialectFollowsTheUrl_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("dialect");
        QTest::newRow("chat") << u"http://h/ok-stream/v1/chat/completions"_s << u"openai-chat"_s;
        QTest::newRow("slash at the end") << u"http://h/v1/chat/completions/"_s << u"openai-chat"_s;
        QTest::newRow("responses") << u"http://h/x/v1/responses"_s << u"openai-responses"_s;
        QTest::newRow("messages") << u"http://h/x/v1/messages"_s << u"anthropic-messages"_s;
        QTest::newRow("gemini") << u"http://h/v1beta/models/g:streamGenerateContent?alt=sse"_s << u"gemini"_s;
        QTest::newRow("ollama") << u"http://h/x/api/chat"_s << u"ollama"_s;
        QTest::newRow("nothing known") << u"http://h/x"_s << u"sse"_s;
        QTest::newRow("query wins") << u"http://h/x/v1/messages?dialect=ollama"_s << u"ollama"_s;
        QTest::newRow("unknown query") << u"http://h/x/v1/messages?dialect=morse"_s << u"anthropic-messages"_s;
    }

    void dialectFollowsTheUrl()
    {
        QFETCH(QString, url);
        QFETCH(QString, dialect);
        QCOMPARE(QString(wordOf(dialectOf({QUrl(url), {}, false, false}))), dialect);
    }

    // A path of no API: the request itself tells.
    void dialectFollowsTheRequest_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<bool>("anthropic");
        QTest::addColumn<bool>("lines");
        QTest::addColumn<QString>("dialect");
        const auto row = [](const char *name, const QByteArray &body, bool anthropic, bool lines, const QString &dialect) {
            QTest::newRow(name) << body << anthropic << lines << dialect;
        };
        row("chat", R"({"model":"m","messages" : []})", false, false, u"openai-chat"_s);
        row("responses", R"({"input":"x"})", false, false, u"openai-responses"_s);
        row("gemini", R"({"contents":[{"role":"user"}]})", false, false, u"gemini"_s);
        row("anthropic", R"({"max_tokens":5,"messages":[]})", true, false, u"anthropic-messages"_s);
        row("ollama", R"({"messages":[]})", false, true, u"ollama"_s);
        row("nothing", R"({"prompt":"x"})", false, false, u"sse"_s);
        row("only a text", R"({"prompt":"say \"messages\": 1", "x": "messages"})", false, false, u"sse"_s);
        row("cut in the middle", R"({"input":"xxxxxxxx)", false, false, u"openai-responses"_s);
        row("empty", {}, false, false, u"sse"_s);
    }

    void dialectFollowsTheRequest()
    {
        QFETCH(QByteArray, body);
        QFETCH(bool, anthropic);
        QFETCH(bool, lines);
        QFETCH(QString, dialect);
        QCOMPARE(QString(wordOf(dialectOf({QUrl(u"http://h/ok-stream"_s), body, anthropic, lines}))), dialect);
        // What the address says goes first.
        QCOMPARE(QString(wordOf(dialectOf({QUrl(u"http://h/x/v1/responses"_s), body, anthropic, lines}))), u"openai-responses"_s);
    }

    void chat()
    {
        DialectWriter writer(ServedDialect::OpenAiChat);
        const auto first = blocksOf(writer.event(nasty));
        QCOMPARE(first.size(), size_t(2));
        QCOMPARE(jsonOf(first[0].data)["choices"_L1][0]["delta"_L1]["role"_L1].toString(), u"assistant"_s);
        const QJsonObject chunk = jsonOf(first[1].data);
        QCOMPARE(chunk["object"_L1].toString(), u"chat.completion.chunk"_s);
        QCOMPARE(chunk["choices"_L1][0]["delta"_L1]["content"_L1].toString(), nasty);
        QVERIFY(chunk["choices"_L1][0]["finish_reason"_L1].isNull());
        QCOMPARE(blocksOf(writer.event(u"b"_s)).size(), size_t(1));

        EndMarkerStep marker;
        marker.inputTokens = 7;
        const auto end = blocksOf(writer.end(marker));
        QCOMPARE(end.size(), size_t(3));
        QCOMPARE(jsonOf(end[0].data)["choices"_L1][0]["finish_reason"_L1].toString(), u"stop"_s);
        QVERIFY(jsonOf(end[1].data)["choices"_L1].toArray().isEmpty());
        QCOMPARE(jsonOf(end[1].data)["usage"_L1]["prompt_tokens"_L1].toInt(), 7);
        QCOMPARE(jsonOf(end[1].data)["usage"_L1]["completion_tokens"_L1].toInt(), 2);
        QCOMPARE(jsonOf(end[1].data)["usage"_L1]["total_tokens"_L1].toInt(), 9);
        QCOMPARE(end[2].data, QByteArray("[DONE]"));

        const auto error = blocksOf(writer.error(u"server_error"_s, nasty));
        QCOMPARE(jsonOf(error[0].data)["error"_L1]["type"_L1].toString(), u"server_error"_s);
        QCOMPARE(jsonOf(error[0].data)["error"_L1]["message"_L1].toString(), nasty);
    }

    void responses()
    {
        DialectWriter writer(ServedDialect::OpenAiResponses);
        EndMarkerStep marker;
        marker.outputTokens = 40;
        marker.cutByLength = true;
        const QByteArray stream = joined({writer.event(u"ab"_s), writer.event(nasty), writer.end(marker)});
        const auto blocks = blocksOf(stream);
        const QByteArrayList expected{"response.created",        "response.in_progress",       "response.output_item.added",
                                      "response.content_part.added", "response.output_text.delta", "response.output_text.delta",
                                      "response.output_text.done", "response.content_part.done", "response.output_item.done",
                                      "response.incomplete"};
        QByteArrayList names;
        for (size_t i = 0; i < blocks.size(); ++i) {
            names << blocks[i].event;
            const QJsonObject json = jsonOf(blocks[i].data);
            QCOMPARE(json["type"_L1].toString().toUtf8(), blocks[i].event);
            QCOMPARE(json["sequence_number"_L1].toInt(-1), int(i));
        }
        QCOMPARE(names, expected);
        QCOMPARE(jsonOf(blocks[5].data)["delta"_L1].toString(), nasty);
        QCOMPARE(jsonOf(blocks[6].data)["text"_L1].toString(), u"ab"_s + nasty);
        const QJsonObject final = jsonOf(blocks[9].data)["response"_L1].toObject();
        QCOMPARE(final["status"_L1].toString(), u"incomplete"_s);
        QCOMPARE(final["incomplete_details"_L1]["reason"_L1].toString(), u"max_output_tokens"_s);
        QCOMPARE(final["usage"_L1]["output_tokens"_L1].toInt(), 40);
        QCOMPARE(final["output"_L1][0]["content"_L1][0]["text"_L1].toString(), u"ab"_s + nasty);

        const auto complete = blocksOf(DialectWriter(ServedDialect::OpenAiResponses).end({}));
        QCOMPARE(complete.back().event, QByteArray("response.completed"));
        QVERIFY(jsonOf(complete.back().data)["response"_L1]["incomplete_details"_L1].isNull());
        const auto error = blocksOf(DialectWriter(ServedDialect::OpenAiResponses).error(u"server_error"_s, u"gone"_s));
        QCOMPARE(error[0].event, QByteArray("error"));
        QCOMPARE(jsonOf(error[0].data)["code"_L1].toString(), u"server_error"_s);
        QCOMPARE(jsonOf(error[0].data)["message"_L1].toString(), u"gone"_s);
    }

    // The closing events repeat the text; a script that runs for days must not fill the memory with it.
    void responsesKeepABoundedText()
    {
        DialectWriter writer(ServedDialect::OpenAiResponses);
        const QString piece(10'000, u'x');
        for (int i = 0; i < 100; ++i)
            QVERIFY(!writer.event(piece).isEmpty());
        QVERIFY(writer.end({}).size() < 300'000);
    }

    void anthropic()
    {
        DialectWriter writer(ServedDialect::AnthropicMessages);
        const auto blocks = blocksOf(joined({writer.event(nasty), writer.ping(), writer.end({})}));
        QByteArrayList names;
        for (const Block &block : blocks) {
            names << block.event;
            QCOMPARE(jsonOf(block.data)["type"_L1].toString().toUtf8(), block.event);
        }
        QCOMPARE(names, QByteArrayList({"message_start", "content_block_start", "content_block_delta", "ping",
                                        "content_block_stop", "message_delta", "message_stop"}));
        QCOMPARE(jsonOf(blocks[2].data)["delta"_L1]["text"_L1].toString(), nasty);
        QCOMPARE(jsonOf(blocks[5].data)["delta"_L1]["stop_reason"_L1].toString(), u"end_turn"_s);
        QCOMPARE(jsonOf(blocks[5].data)["usage"_L1]["output_tokens"_L1].toInt(), 1);
        const auto error = blocksOf(DialectWriter(ServedDialect::AnthropicMessages).error(u"overloaded_error"_s, u"Overloaded"_s));
        QCOMPARE(error.size(), size_t(1));
        QCOMPARE(error[0].event, QByteArray("error"));
        QCOMPARE(jsonOf(error[0].data)["error"_L1]["type"_L1].toString(), u"overloaded_error"_s);
    }

    void gemini()
    {
        DialectWriter writer(ServedDialect::Gemini);
        const auto blocks = blocksOf(joined({writer.event(nasty), writer.end({})}));
        QCOMPARE(blocks.size(), size_t(2));
        QCOMPARE(jsonOf(blocks[0].data)["candidates"_L1][0]["content"_L1]["parts"_L1][0]["text"_L1].toString(), nasty);
        QVERIFY(jsonOf(blocks[0].data)["candidates"_L1][0]["finishReason"_L1].isUndefined());
        QCOMPARE(jsonOf(blocks[1].data)["candidates"_L1][0]["finishReason"_L1].toString(), u"STOP"_s);
        QCOMPARE(jsonOf(blocks[1].data)["usageMetadata"_L1]["candidatesTokenCount"_L1].toInt(), 1);
        QCOMPARE(jsonOf(blocksOf(writer.error(u"UNAVAILABLE"_s, u"x"_s))[0].data)["error"_L1]["status"_L1].toString(),
                 u"UNAVAILABLE"_s);
    }

    void ollama()
    {
        DialectWriter writer(ServedDialect::Ollama);
        const QByteArrayList lines = joined({writer.event(nasty), writer.ping(), writer.end({}), writer.error(u"t"_s, u"bad"_s)}).split('\n');
        QCOMPARE(lines.size(), 5);
        QCOMPARE(jsonOf(lines[0])["message"_L1]["content"_L1].toString(), nasty);
        QCOMPARE(jsonOf(lines[0])["done"_L1].toBool(true), false);
        QCOMPARE(lines[1], QByteArray());
        QCOMPARE(jsonOf(lines[2])["done"_L1].toBool(false), true);
        QCOMPARE(jsonOf(lines[2])["done_reason"_L1].toString(), u"stop"_s);
        QCOMPARE(jsonOf(lines[2])["eval_count"_L1].toInt(), 1);
        QCOMPARE(jsonOf(lines[3])["error"_L1].toString(), u"bad"_s);
        QCOMPARE(contentTypeOf(ServedDialect::Ollama), QByteArray("application/x-ndjson"));
    }

    void plainSse()
    {
        DialectWriter writer(ServedDialect::Sse);
        QCOMPARE(writer.event(u"hello"_s), QByteArray("data: hello\n\n"));
        QCOMPARE(blocksOf(writer.event(u"two\r\nlines\rthree"_s))[0].data, QByteArray("two\nlines\nthree"));
        QCOMPARE(writer.end({}), QByteArray("data: [DONE]\n\n"));
    }

    // A ping must never be read as data, whatever the dialect.
    void pingsCarryNoData()
    {
        for (const ServedDialect dialect : servedDialects()) {
            const auto blocks = blocksOf(DialectWriter(dialect).ping());
            if (dialect == ServedDialect::AnthropicMessages)
                QCOMPARE(blocks[0].event, QByteArray("ping"));
            else
                QVERIFY(blocks.empty());
        }
    }

    void sameCallsGiveSameBytes()
    {
        for (const ServedDialect dialect : servedDialects()) {
            DialectWriter a(dialect);
            DialectWriter b(dialect);
            QCOMPARE(joined({a.event(u"x"_s), a.ping(), a.end({})}), joined({b.event(u"x"_s), b.ping(), b.end({})}));
        }
    }
};

QTEST_GUILESS_MAIN(DialectWriterTest)
#include "tst_dialectwriter.moc"
