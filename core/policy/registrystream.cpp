// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/registryrow.h"

namespace Waitscope {

std::span<const SettingInfo> streamSettings()
{
    using enum SettingType;
    constexpr Layer layer = Layer::Stream;
    static constexpr const char *cannotStart =
        QT_TRANSLATE_NOOP("Setting", "the program cannot start: reading it raises ValueError");
    static constexpr const char *callFails = QT_TRANSLATE_NOOP("Setting", "every call fails: reading it raises ValueError");
    static const SettingInfo rows[] = {
        RegistryRow(Setting::StreamKind, layer, "stream.kind", Word, "loop")
            .fixedAs("loop")
            .words(streamKindWords)
            .says(QT_TRANSLATE_NOOP("Setting", "Who retries one request: OpenProgram's own loop, the vendor's SDK, or nobody.")),
        RegistryRow(Setting::StreamMaxAttempts, layer, "stream.max_attempts", Count, "3")
            .range(1, mostTries)
            .orOff(endlessTries)
            .variable("OPENPROGRAM_PROVIDER_STREAM_RETRIES", ReadAt::Start)
            .when("5", cannotStart, cannotStart,
                  QT_TRANSLATE_NOOP("Setting", "every call reports success without sending a request"))
            .says(QT_TRANSLATE_NOOP("Setting", "How often the stream loop sends one request, the first time included.")),
        RegistryRow(Setting::StreamSdkMaxRetries, layer, "stream.sdk_max_retries", Count, "3")
            .range(0, mostTries)
            .variable("OPENPROGRAM_OPENAI_MAX_RETRIES", ReadAt::PerUse,
                      "OPENPROGRAM_ANTHROPIC_MAX_RETRIES OPENPROGRAM_GOOGLE_MAX_RETRIES OPENPROGRAM_BEDROCK_MAX_RETRIES")
            .when("3", callFails, callFails, "0")
            .says(QT_TRANSLATE_NOOP("Setting", "How often the vendor's SDK repeats a request after the first; used with "
                                               "stream.kind = sdk.")),
        RegistryRow(Setting::StreamBackoffBase, layer, "stream.backoff_base_s", Seconds, "1")
            .reaches(Reach::Sleep)
            .variable("OPENPROGRAM_PROVIDER_STREAM_BACKOFF_S", ReadAt::Start)
            .when("2", cannotStart, cannotStart, "0")
            .says(QT_TRANSLATE_NOOP("Setting", "The stream layer's sleep after the first failed request, before jitter.")),
        RegistryRow(Setting::StreamBackoffFactor, layer, "stream.backoff_factor", Number, "2")
            .fixedAs("2")
            .range(1, 100)
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "By how much each further sleep of the stream layer is longer than the one before.")),
        RegistryRow(Setting::StreamBackoffMax, layer, "stream.backoff_max_s", Seconds, "30")
            .orOff(endlessSeconds)
            .reaches(Reach::Sleep)
            .variable("OPENPROGRAM_PROVIDER_STREAM_BACKOFF_MAX_S", ReadAt::Start)
            .when("30", cannotStart, cannotStart, "0")
            .says(QT_TRANSLATE_NOOP("Setting", "The longest sleep of the stream layer before jitter; a server's hint is limited apart.")),
        RegistryRow(Setting::StreamJitter, layer, "stream.jitter", Word, "symmetric")
            .fixedAs("symmetric")
            .words(jitterWords)
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "How chance moves the stream layer's sleeps, so that many clients do not come back "
                                               "together.")),
        RegistryRow(Setting::StreamJitterShare, layer, "stream.jitter_share", Number, "0.25")
            .fixedAs("0.25")
            .range(0, 1)
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "How much of the stream layer's sleep chance may take away or add.")),
        RegistryRow(Setting::StreamHintForms, layer, "stream.hint_forms", Text, "ms,seconds,date,body")
            .fixedAs("ms,seconds,date")
            .says(QT_TRANSLATE_NOOP("Setting", "Where the stream layer reads how long the server asks it to wait: Retry-After as ms, "
                                               "seconds or date, the words of the error's body, or none.")),
        RegistryRow(Setting::StreamHintJitterShare, layer, "stream.hint_jitter_share", Number, "0.25")
            .fixedAs("0.25")
            .range(0, 1)
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "How much longer than the server asked the stream layer may sleep; never shorter.")),
        RegistryRow(Setting::StreamHintMax, layer, "stream.hint_max_s", Seconds, "120")
            .fixedAs("off")
            .orOff()
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "The longest wait that the stream layer lets a server ask for.")),
        RegistryRow(Setting::StreamHintAbove, layer, "stream.hint_above", Word, "stop")
            .fixedAs("obey")
            .words(hintAboveWords)
            .reaches(Reach::Sleep)
            .says(QT_TRANSLATE_NOOP("Setting", "What the stream layer does when a server asks for more than the limit: obey, cut "
                                               "it, sleep its own time, or stop and show the hint.")),
        RegistryRow(Setting::StreamRetryStatuses, layer, "stream.retry_statuses", Text, "")
            .fixedAs("")
            .says(QT_TRANSLATE_NOOP("Setting", "The HTTP statuses to retry, such as 408,429,500-599; empty leaves it to the rules.")),
        RegistryRow(Setting::StreamPartialRecovery, layer, "stream.partial_recovery", Flag, "true")
            .variable("OPENPROGRAM_PARTIAL_RECOVERY", ReadAt::PerUse)
            .when("true", "true", "true", "false", "true")
            .says(QT_TRANSLATE_NOOP("Setting", "Keep what has arrived when a stream breaks after its first content, as a partial "
                                               "answer instead of an error.")),
    };
    return rows;
}

} // namespace Waitscope
