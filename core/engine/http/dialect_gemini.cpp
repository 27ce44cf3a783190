// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/dialect.h"

#include <QJsonArray>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

void readCandidate(const DialectEvent &event, const QJsonObject &candidate, StreamItem &item)
{
    const QJsonArray parts = candidate.value("content"_L1).toObject().value("parts"_L1).toArray();
    for (const auto &value : parts) {
        const QJsonObject part = value.toObject();
        if (part.value("thought"_L1).toBool())
            continue; // reasoning commits nothing
        addText(event, part.value("text"_L1).toString(), item);
        if (part.contains("functionCall"_L1) || part.contains("inlineData"_L1) || part.contains("executableCode"_L1))
            item.content = true;
    }
    if (const QString reason = candidate.value("finishReason"_L1).toString(); !reason.isEmpty())
        item.finishReason = reason;
}

} // namespace

void readGeminiEvent(const DialectEvent &event, StreamItem &item)
{
    const QJsonValue error = event.payload.value("error"_L1);
    if (isErrorValue(error) || event.name == "error") {
        setError(isErrorValue(error) ? error : QJsonValue(event.payload), item);
        // The word ("UNAVAILABLE") says more than the number beside it.
        if (const QString word = error.toObject().value("status"_L1).toString(); !word.isEmpty())
            setErrorWords(word, item.errorText == emptyErrorEvent ? QString() : item.errorText, item);
        return;
    }
    const QJsonArray candidates = event.payload.value("candidates"_L1).toArray();
    for (const auto &candidate : candidates)
        readCandidate(event, candidate.toObject(), item);
    // A prompt that was blocked gets no candidate at all, only the reason.
    const QString blocked = event.payload.value("promptFeedback"_L1).toObject().value("blockReason"_L1).toString();
    if (!blocked.isEmpty())
        item.finishReason = blocked;
    readUsage(event.payload.value("usageMetadata"_L1), "promptTokenCount"_L1, "candidatesTokenCount"_L1, item);
}

} // namespace Waitscope
