// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/waitscope/windowflow.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <QApplication>

#include <cstdio>

namespace {

// Qt would abort without a word that helps. Whoever names a platform knows what to do.
bool hasDisplay()
{
    for (const char *variable : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"}) {
        if (!qEnvironmentVariableIsEmpty(variable))
            return true;
    }
    return false;
}

} // namespace

int main(int argc, char *argv[])
{
    // Arguments first: --help needs no display.
    CLI::App parser("Shows what a language-model call is waiting for.", "waitscope");
    parser.set_version_flag("--version", WAITSCOPE_VERSION);
    std::vector<std::string> files;
    std::string demo;
    std::string screenshot;
    std::string size;
    std::string theme = "system";
    int afterMs = -1;
    parser.add_option("files", files, "recordings to open");
    const CLI::Validator notEmpty([](const std::string &text) { return text.empty() ? std::string("is empty") : std::string(); }, {});
    parser.add_option("--demo", demo, "run a demonstration: connect-storm")->check(notEmpty);
    parser.add_option("--screenshot", screenshot, "write the window to this PNG and quit")->check(notEmpty);
    parser.add_option("--after", afterMs, "take it so many milliseconds after the start (default: when the run has ended)")
        ->check(CLI::Range(0, 86'400'000))
        ->needs("--screenshot");
    parser.add_option("--size", size, "window size, WxH");
    parser.add_option("--theme", theme, "light, dark or system")->check(CLI::IsMember({"light", "dark", "system"}));
    try {
        parser.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return parser.exit(error) == 0 ? 0 : 2;
    }

    Waitscope::WindowOptions options;
    for (const std::string &file : files)
        options.files << QString::fromStdString(file);
    options.demo = QString::fromStdString(demo);
    options.screenshot = QString::fromStdString(screenshot);
    options.theme = QString::fromStdString(theme);
    if (afterMs >= 0)
        options.after = std::chrono::milliseconds(afterMs);
    if (!size.empty()) {
        int width = 0;
        int height = 0;
        if (std::sscanf(size.c_str(), "%dx%d", &width, &height) != 2 || width < 200 || height < 150 || width > 16384
            || height > 16384) {
            std::fputs("waitscope: --size: give width and height as 1280x800, 200x150 at least\n", stderr);
            return 2;
        }
        options.size = QSize(width, height);
    }
    if (!hasDisplay()) {
        std::fputs("waitscope: there is no display; QT_QPA_PLATFORM=offscreen with --screenshot FILE makes a picture all the same\n",
                   stderr);
        return 3;
    }
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("Waitscope"));
    QApplication::setOrganizationName(QStringLiteral("Waitscope"));
    QApplication::setApplicationVersion(QStringLiteral(WAITSCOPE_VERSION));
    return Waitscope::runWindow(options);
}
