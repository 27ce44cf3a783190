// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/registryrow.h"

namespace Waitscope {

std::span<const SettingInfo> harnessSettings()
{
    using enum SettingType;
    static const SettingInfo rows[] = {
        RegistryRow(Setting::Rules, Layer::Task, "rules", Word, "strict")
            .fixedAs("openprogram")
            .words(ruleSetWords)
            .says(QT_TRANSLATE_NOOP("Setting", "Which rules decide what a failure is and whether to try again: OpenProgram's own "
                                               "with their quirks, or the careful ones.")),
        RegistryRow(Setting::HarnessRounds, Layer::Task, "harness.rounds", Count, "1")
            .fixedAs("1")
            .range(1, 1000)
            .reaches(Reach::Exec)
            .says(QT_TRANSLATE_NOOP("Setting", "How often the caller's own outer loop starts the call anew inside one task.")),
        RegistryRow(Setting::HarnessWatchdog, Layer::Task, "harness.watchdog", Word, "interrupt")
            .fixedAs("interrupt")
            .words(watchdogWords)
            .reaches(Reach::Exec)
            .says(QT_TRANSLATE_NOOP("Setting", "How the end of a task's budget reaches the call: not at all, as an ordinary "
                                               "failure that retries swallow, never delivered, or as an interrupt.")),
        RegistryRow(Setting::HarnessTaskTimeout, Layer::Task, "harness.task_timeout_s", Seconds, "off")
            .fixedAs("off")
            .range(0.001, longestSeconds)
            .orOff()
            .reaches(Reach::Exec)
            .says(QT_TRANSLATE_NOOP("Setting", "The wall-clock budget of one task; the watchdog fires when it is spent.")),
        RegistryRow(Setting::HarnessAbortOnAuth, Layer::Task, "harness.abort_on_auth", Flag, "true")
            .fixedAs("true")
            .says(QT_TRANSLATE_NOOP("Setting", "Stop the whole run when the provider refuses the key: every further task "
                                               "would fail the same way.")),
    };
    return rows;
}

} // namespace Waitscope
