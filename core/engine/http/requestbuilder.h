// SPDX-License-Identifier: GPL-3.0-or-later
// Turns what a person asked for into the request on the wire: path, JSON body and headers of the API.
#pragma once

#include "base/problem.h"
#include "engine/http/api.h"
#include "engine/ports/transport.h"

#include <optional>

namespace Waitscope {

struct CallSpec {
    QUrl url;
    Api api = Api::OpenaiResponses;
    QString model;
    QString prompt;
    std::optional<QByteArray> body;  // sent as it is instead of one made from model and prompt
    QByteArray key;                  // empty = no authorization header
    std::vector<WireHeader> headers; // replace headers of the same name that are made here
};

// The URL the request goes to. A path beyond "/" or the API's version is used as it is; else the API's usual path is put
// there: /v1/responses, /v1/chat/completions, /v1/messages, /v1beta/models/MODEL:streamGenerateContent, /api/chat. Plain
// `sse` has no usual path: its URL is always used as it is. The query stays, and Gemini's gets alt=sse; a fragment is dropped.
[[nodiscard]] QUrl endpointOf(const QUrl &url, Api api, const QString &model);

// A problem names "--url" or "--header" and never repeats a password, a key or a header's value.
[[nodiscard]] Expected<WireRequest> buildRequest(const CallSpec &spec);

} // namespace Waitscope
