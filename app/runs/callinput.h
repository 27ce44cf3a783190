// SPDX-License-Identifier: GPL-3.0-or-later
// What a person typed for a call, checked: the same texts on the command line and in the window.
#pragma once

#include "base/problem.h"
#include "engine/http/requestbuilder.h"
#include "trace/redaction.h"

namespace Waitscope {

struct CallInput {
    CallInput() = default;
    QString url;
    Api api = Api::OpenaiChat;
    QString model;
    QString prompt;
    QString bodyFile;    // sent as it is instead of model and prompt
    QString keyVariable; // the name of the environment variable, never the key
    QByteArray key;      // one that was kept in a keychain, instead
    QStringList headers; // "Name: value"
};

// Reads the key from the environment and the body from its file. A problem names the option or file, never the key.
[[nodiscard]] Expected<CallSpec> callFrom(const CallInput &input);

// What must not appear anywhere: the key, the values of the given headers but those that are known to carry none, and query
// values whose names speak of credentials.
[[nodiscard]] std::vector<KnownSecret> secretsOf(const CallSpec &call);

// A fault server counts its scenario's requests for each call apart, by a header that says which call it is. It is only given
// to calls to this machine: elsewhere nobody can use it.
void tellFaultServer(CallSpec &call, int number);

[[nodiscard]] bool isLoopback(const QUrl &url);

} // namespace Waitscope
