// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/registryrow.h"

namespace Waitscope {

namespace {

constexpr const char *instantFailure = QT_TRANSLATE_NOOP("Setting", "every request fails at once");

// OpenProgram's http and SSE timers share one way of reading: bad text is the default, 0 is no time at all.
constexpr RegistryRow timer(Setting id, const char *name, const char *defaultValue, const char *variable, ReadAt readAt)
{
    RegistryRow row(id, Layer::Http, name, SettingType::Seconds, defaultValue);
    row.orOff(endlessSeconds).reaches(Reach::AtOnce).variable(variable, readAt);
    row.when(defaultValue, defaultValue, defaultValue, instantFailure);
    return row;
}

} // namespace

std::span<const SettingInfo> httpSettings()
{
    using enum SettingType;
    constexpr Layer layer = Layer::Http;
    static constexpr const char *toTheSocket = QT_TRANSLATE_NOOP("Setting", "is handed to the socket as it is");
    static const SettingInfo rows[] = {
        timer(Setting::HttpConnectTimeout, "http.connect_timeout_s", "30", "OPENPROGRAM_HTTPX_CONNECT_TIMEOUT_S", ReadAt::Start)
            .says(QT_TRANSLATE_NOOP("Setting", "The longest time for finding the host, connecting and the TLS handshake together.")),
        timer(Setting::HttpWriteTimeout, "http.write_timeout_s", "30", "OPENPROGRAM_HTTPX_WRITE_TIMEOUT_S", ReadAt::Start)
            .says(QT_TRANSLATE_NOOP("Setting", "The longest time without progress while the request is being sent.")),
        timer(Setting::HttpPoolTimeout, "http.pool_timeout_s", "30", "OPENPROGRAM_HTTPX_POOL_TIMEOUT_S", ReadAt::Start)
            .says(QT_TRANSLATE_NOOP("Setting", "The longest wait for a free connection of the pool.")),
        RegistryRow(Setting::HttpFirstByteTimeout, layer, "http.first_byte_timeout_s", Seconds, "off")
            .fixedAs("off")
            .orOff()
            .reaches(Reach::AtOnce)
            .says(QT_TRANSLATE_NOOP("Setting", "The longest time from the request being sent to complete response headers; "
                                               "OpenProgram has no such timer.")),
        timer(Setting::HttpReadTimeout, "http.read_timeout_s", "auto", "OPENPROGRAM_HTTPX_READ_TIMEOUT_S", ReadAt::PerUse)
            .orAuto()
            .says(QT_TRANSLATE_NOOP("Setting", "The longest time without a single byte once the request is sent; auto is the idle "
                                               "timeout plus 60 s.")),
        timer(Setting::HttpIdleTimeout, "http.idle_timeout_s", "1800", "OPENPROGRAM_SSE_IDLE_TIMEOUT_S", ReadAt::Start)
            .says(QT_TRANSLATE_NOOP("Setting", "The longest time between two lines of a stream; pings count as lines.")),
        timer(Setting::HttpDataStallTimeout, "http.data_stall_timeout_s", "900", "OPENPROGRAM_SSE_DATA_STALL_TIMEOUT_S",
              ReadAt::Start)
            .says(QT_TRANSLATE_NOOP("Setting", "The longest time between two data events of a stream; pings do not count.")),
        timer(Setting::HttpTotalTimeout, "http.total_timeout_s", "7200", "OPENPROGRAM_SSE_TOTAL_TIMEOUT_S", ReadAt::Start)
            .says(QT_TRANSLATE_NOOP("Setting", "The longest time one stream may take, whatever arrives.")),
        RegistryRow(Setting::HttpPoolSize, layer, "http.pool_size", Count, "100")
            .fixedAs("100")
            .range(1, 100'000)
            .says(QT_TRANSLATE_NOOP("Setting", "How many connections may be open at once; further requests queue.")),
        RegistryRow(Setting::HttpClampToDeadline, layer, "http.clamp_to_deadline", Flag, "true")
            .fixedAs("false")
            .reaches(Reach::Exec)
            .says(QT_TRANSLATE_NOOP("Setting", "Cut every http timer to the time left until exec's deadline.")),
        RegistryRow(Setting::HttpKeepalive, layer, "http.keepalive", Flag, "true")
            .variable("OPENPROGRAM_TCP_KEEPALIVE", ReadAt::PerUse)
            .when("true", "false", "false", "false")
            .says(QT_TRANSLATE_NOOP("Setting", "Let TCP ask a silent peer whether it is still there.")),
        RegistryRow(Setting::HttpKeepaliveIdle, layer, "http.keepalive_idle_s", Count, "30")
            .range(1, 32'767)
            .unit("s")
            .variable("OPENPROGRAM_TCP_KEEPIDLE_S", ReadAt::PerUse)
            .when("30", "30", "30", toTheSocket)
            .says(QT_TRANSLATE_NOOP("Setting", "How long a connection is silent before TCP asks for the first time; whole seconds.")),
        RegistryRow(Setting::HttpKeepaliveInterval, layer, "http.keepalive_interval_s", Count, "10")
            .range(1, 32'767)
            .unit("s")
            .variable("OPENPROGRAM_TCP_KEEPINTVL_S", ReadAt::PerUse)
            .when("10", "10", "10", toTheSocket)
            .says(QT_TRANSLATE_NOOP("Setting", "How long TCP waits between two unanswered questions; whole seconds.")),
        RegistryRow(Setting::HttpKeepaliveCount, layer, "http.keepalive_count", Count, "3")
            .range(1, 127)
            .variable("OPENPROGRAM_TCP_KEEPCNT", ReadAt::PerUse)
            .when("3", "3", "3", toTheSocket)
            .says(QT_TRANSLATE_NOOP("Setting", "After how many unanswered questions TCP gives the connection up.")),
        RegistryRow(Setting::HttpPromptScaling, layer, "http.prompt_scaling", Flag, "false")
            .fixedAs("false")
            .says(QT_TRANSLATE_NOOP("Setting", "Lengthen idle and data stall for large prompts: x1.25, x1.5, x2 above 50k, 100k, "
                                               "200k tokens.")),
        RegistryRow(Setting::HttpIpv4Only, layer, "http.ipv4_only", Flag, "false")
            .variable("OPENPROGRAM_FORCE_IPV4", ReadAt::PerUse)
            .when("false", "false", "false", "false")
            .says(QT_TRANSLATE_NOOP("Setting", "Connect over IPv4 only; helps where IPv6 is announced and leads nowhere.")),
        RegistryRow(Setting::HttpProxyUrl, layer, "http.proxy_url", Text, "")
            .variable("OPENPROGRAM_PROXY_URL", ReadAt::PerUse, "HTTPS_PROXY HTTP_PROXY")
            .says(QT_TRANSLATE_NOOP("Setting", "The proxy for all requests; empty takes the system's.")),
    };
    return rows;
}

} // namespace Waitscope
