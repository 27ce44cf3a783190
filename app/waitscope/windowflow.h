// SPDX-License-Identifier: GPL-3.0-or-later
// The window program after its arguments: shows the window, starts what was asked for, takes a picture where one is wanted.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

#include <chrono>
#include <optional>

namespace Waitscope {

struct WindowOptions {
    WindowOptions() = default;
    QStringList files;
    QString demo;
    QString screenshot;                              // empty = no picture
    std::optional<std::chrono::milliseconds> after;  // nullopt = when the run has ended
    QString theme = QStringLiteral("system");
    QSize size{1280, 800};
};

// Returns the program's exit code.
[[nodiscard]] int runWindow(const WindowOptions &options);

} // namespace Waitscope
