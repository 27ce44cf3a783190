// SPDX-License-Identifier: GPL-3.0-or-later
// What a person asks of the program through the window, and what the program tells the window of a run: plain values.
#pragma once

#include "policy/policy.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <vector>

namespace Waitscope {

// As the command line's options of the same names.
struct RunRequest {
    QString url;
    QString api;
    QString model;
    QString prompt;
    QString keyVariable; // the name of the environment variable that holds the key, never the key
    QString keyName;     // or its name in the desktop's keychain
    int count = 1;
    int concurrency = 1;
    QString profile;
    QStringList overrides; // "key=value"
};

struct SimulateRequest {
    QString scenario;
    QString profile;
    QString jitter;
    int tasks = 1;
    int concurrency = 1;
    QStringList overrides;
};

struct ScenarioChoice {
    QString name;
    QString title;
    QString about;
};

// What the forms offer and ask; whoever starts runs knows it.
struct FormChoices {
    QStringList apis;
    QStringList profiles; // built-in ones; the forms take a file's path too
    QStringList jitters;
    std::vector<ScenarioChoice> scenarios;
    // What is wrong with URL, key and the rest of a call, in the command line's words; nullopt = nothing.
    std::function<std::optional<Problem>(const RunRequest &)> check;
    // The most requests one call under a policy could send; nullopt = without limit.
    std::function<std::optional<qint64>(const Policy &)> mostRequests;
};

// A recording that the start page offers.
struct OfferedRecording {
    QString path;
    QString title;
    QDateTime made; // invalid = not known
    qint64 bytes = 0;
    bool unfinished = false; // the program ended while it was recording
};

struct RunState {
    bool running = false;
    bool stopping = false;  // asked to stop, not there yet
    int tasks = 0;          // planned; 0 = unknown
    double scale = 1.0;     // nominal seconds a real second
    QString recordingPath;  // empty = not recorded
};

} // namespace Waitscope
