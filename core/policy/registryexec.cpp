// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/registryrow.h"

namespace Waitscope {

std::span<const SettingInfo> execSettings()
{
    using enum SettingType;
    constexpr Layer layer = Layer::Exec;
    static const SettingInfo rows[] = {
        RegistryRow(Setting::ExecMaxAttempts, layer, "exec.max_attempts", Count, "6")
            .range(1, mostTries)
            .orOff(endlessTries)
            .variable("OPENPROGRAM_MAX_RETRIES", ReadAt::PerUse)
            .when("6", "6", "6", "1")
            .says(QT_TRANSLATE_NOOP("Setting", "How often exec runs the call, the first time included.")),
        RegistryRow(Setting::ExecTimeout, layer, "exec.timeout_s", Seconds, "off")
            .range(0.001, longestSeconds)
            .orOff(QLatin1StringView("0"))
            .reaches(Reach::Exec)
            .variable("OPENPROGRAM_EXEC_TIMEOUT_S", ReadAt::PerUse)
            .when("off", "off", "off", "off")
            .says(QT_TRANSLATE_NOOP("Setting", "The deadline of one exec, counted from its start, over all its tries and sleeps.")),
        RegistryRow(Setting::ExecBackoffBase, layer, "exec.backoff_base_s", Seconds, "1.5")
            .reaches(Reach::Sleep)
            .variable("OPENPROGRAM_RETRY_BACKOFF_BASE", ReadAt::Start)
            .when("1.5", "1.5", "1.5", "0", QT_TRANSLATE_NOOP("Setting", "the first sleep raises ValueError and ends the exec"))
            .says(QT_TRANSLATE_NOOP("Setting", "exec's sleep after the first failed try, before jitter.")),
        RegistryRow(Setting::ExecBackoffFactor, layer, "exec.backoff_factor", Number, "2")
            .fixedAs("2")
            .range(1, 100)
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "By how much each further sleep of exec is longer than the one before.")),
        RegistryRow(Setting::ExecBackoffMax, layer, "exec.backoff_max_s", Seconds, "off")
            .fixedAs("off")
            .orOff()
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "The longest sleep of exec before jitter; a server's hint is limited apart.")),
        RegistryRow(Setting::ExecJitter, layer, "exec.jitter", Word, "symmetric")
            .fixedAs("symmetric")
            .words(jitterWords)
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "How chance moves exec's sleeps, so that many clients do not come back together.")),
        RegistryRow(Setting::ExecJitterShare, layer, "exec.jitter_share", Number, "0.25")
            .fixedAs("0.25")
            .range(0, 1)
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "How much of exec's sleep chance may take away or add: 0.25 is a quarter.")),
        RegistryRow(Setting::ExecHintForms, layer, "exec.hint_forms", Text, "ms,seconds,date")
            .fixedAs("ms,seconds,date")
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "Which spellings of Retry-After exec understands: ms, seconds, date, or none.")),
        RegistryRow(Setting::ExecHintJitterShare, layer, "exec.hint_jitter_share", Number, "0.25")
            .fixedAs("0.25")
            .range(0, 1)
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "How much longer than the server asked exec may sleep; never shorter.")),
        RegistryRow(Setting::ExecHintMax, layer, "exec.hint_max_s", Seconds, "120")
            .fixedAs("off")
            .orOff()
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "The longest wait that exec lets a server ask for.")),
        RegistryRow(Setting::ExecHintAbove, layer, "exec.hint_above", Word, "stop")
            .fixedAs("obey")
            .words(hintAboveWords)
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "What exec does when a server asks for more than the limit: obey, cut it, "
                                               "sleep its own time, or stop and show the hint.")),
        RegistryRow(Setting::ExecHonorExhausted, layer, "exec.honor_exhausted", Flag, "true")
            .fixedAs("true")
            .says(QT_TRANSLATE_NOOP("Setting", "Do not start another exec try on a failure that an inner layer has already "
                                               "retried to its limit.")),
        RegistryRow(Setting::ExecPropagateDeadline, layer, "exec.propagate_deadline", Flag, "true")
            .fixedAs("true")
            .reaches(Reach::Exec)
            .says(QT_TRANSLATE_NOOP("Setting", "Let the layers below look at exec's deadline; otherwise only exec does, between tries.")),
        RegistryRow(Setting::ExecHardCap, layer, "exec.hard_cap", Word, "off")
            .fixedAs("off")
            .words(hardCapWords)
            .reaches(Reach::Exec)
            .says(QT_TRANSLATE_NOOP("Setting", "What the hard cap does to a call that outlives it: nothing, abort it, or return "
                                               "and leave it running as an orphan.")),
        RegistryRow(Setting::ExecHardCapAfter, layer, "exec.hard_cap_s", Seconds, "off")
            .fixedAs("off")
            .range(0.001, longestSeconds)
            .orOff()
            .reaches(Reach::Exec)
            .says(QT_TRANSLATE_NOOP("Setting", "When the hard cap ends a call that no other timer has ended.")),
    };
    return rows;
}

} // namespace Waitscope
