// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/registryrow.h"

namespace Waitscope {

std::span<const SettingInfo> sessionSettings()
{
    using enum SettingType;
    constexpr Layer layer = Layer::Session;
    static const SettingInfo rows[] = {
        RegistryRow(Setting::SessionEnabled, layer, "session.enabled", Flag, "true")
            .fixedAs("true")
            .says(QT_TRANSLATE_NOOP("Setting", "Whether there is a session layer that re-runs the agent after a failed message.")),
        RegistryRow(Setting::SessionMaxAttempts, layer, "session.max_attempts", Count, "4")
            .fixedAs("4")
            .range(1, mostTries)
            .orOff()
            .says(QT_TRANSLATE_NOOP("Setting", "How often the session runs the agent, the first time included; OpenProgram counts "
                                               "re-runs, one less.")),
        RegistryRow(Setting::SessionBackoffBase, layer, "session.backoff_base_s", Seconds, "2")
            .fixedAs("2")
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "The session's sleep after the first failed run, before jitter.")),
        RegistryRow(Setting::SessionBackoffFactor, layer, "session.backoff_factor", Number, "2")
            .fixedAs("2")
            .range(1, 100)
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "By how much each further sleep of the session is longer than the one before.")),
        RegistryRow(Setting::SessionBackoffMax, layer, "session.backoff_max_s", Seconds, "off")
            .fixedAs("off")
            .orOff()
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "The longest sleep of the session before jitter; a server's hint is limited apart.")),
        RegistryRow(Setting::SessionJitter, layer, "session.jitter", Word, "none")
            .fixedAs("none")
            .words(jitterWords)
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "How chance moves the session's sleeps; OpenProgram's session has none.")),
        RegistryRow(Setting::SessionJitterShare, layer, "session.jitter_share", Number, "0")
            .fixedAs("0")
            .range(0, 1)
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "How much of the session's sleep chance may take away or add.")),
        RegistryRow(Setting::SessionHintForms, layer, "session.hint_forms", Text, "ms,seconds,date")
            .fixedAs("none")
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "Which spellings of Retry-After the session understands, if a hint gets that far: "
                                               "ms, seconds, date, or none.")),
        RegistryRow(Setting::SessionHintJitterShare, layer, "session.hint_jitter_share", Number, "0")
            .fixedAs("0")
            .range(0, 1)
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "How much longer than the server asked the session may sleep; never shorter.")),
        RegistryRow(Setting::SessionHintMax, layer, "session.hint_max_s", Seconds, "120")
            .fixedAs("off")
            .orOff()
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "The longest wait that the session lets a server ask for.")),
        RegistryRow(Setting::SessionHintAbove, layer, "session.hint_above", Word, "stop")
            .fixedAs("obey")
            .words(hintAboveWords)
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "What the session does when a server asks for more than the limit: obey, cut it, "
                                               "sleep its own time, or stop and show the hint.")),
        RegistryRow(Setting::SessionUseVerdict, layer, "session.use_verdict", Flag, "true")
            .fixedAs("true")
            .says(QT_TRANSLATE_NOOP("Setting", "Let an explicit verdict on the failed message decide before its text does.")),
        RegistryRow(Setting::SessionRetryEmpty, layer, "session.retry_empty", Flag, "true")
            .fixedAs("true")
            .says(QT_TRANSLATE_NOOP("Setting", "Run again after an error without any text: that is what a dropped stream looks like.")),
        RegistryRow(Setting::SessionCarryVerdict, layer, "session.carry_verdict", Word, "everywhere")
            .fixedAs("none")
            .words(carryWords)
            .says(QT_TRANSLATE_NOOP("Setting", "How far verdict, status, hint and exhausted mark survive the session: lost, up to "
                                               "exec, or everywhere.")),
        RegistryRow(Setting::SessionContextWindow, layer, "session.context_window", Count, "0")
            .fixedAs("0")
            .range(0, 100'000'000)
            .unit("tokens")
            .says(QT_TRANSLATE_NOOP("Setting", "The model's context window, for telling an overflow from other errors; 0 is unknown.")),
    };
    return rows;
}

} // namespace Waitscope
