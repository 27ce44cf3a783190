// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/policy.h"

#include "policy/texts.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// OpenProgram's read timeout is a backstop behind its idle timeout.
constexpr double readBehindIdleS = 60;

// The settings of one retrying layer; all three have the same shape.
struct RetrySettings {
    Setting maxAttempts;
    Setting base;
    Setting factor;
    Setting cap;
    Setting jitter;
    Setting jitterShare;
    Setting hintForms;
    Setting hintJitterShare;
    Setting hintMax;
    Setting hintAbove;
};

constexpr RetrySettings execRetry{Setting::ExecMaxAttempts, Setting::ExecBackoffBase,     Setting::ExecBackoffFactor,
                                  Setting::ExecBackoffMax,  Setting::ExecJitter,          Setting::ExecJitterShare,
                                  Setting::ExecHintForms,   Setting::ExecHintJitterShare, Setting::ExecHintMax,
                                  Setting::ExecHintAbove};
constexpr RetrySettings sessionRetry{
    Setting::SessionMaxAttempts, Setting::SessionBackoffBase,     Setting::SessionBackoffFactor,
    Setting::SessionBackoffMax,  Setting::SessionJitter,          Setting::SessionJitterShare,
    Setting::SessionHintForms,   Setting::SessionHintJitterShare, Setting::SessionHintMax,
    Setting::SessionHintAbove};
constexpr RetrySettings streamRetry{Setting::StreamMaxAttempts, Setting::StreamBackoffBase, Setting::StreamBackoffFactor,
                                    Setting::StreamBackoffMax,  Setting::StreamJitter,      Setting::StreamJitterShare,
                                    Setting::StreamHintForms,   Setting::StreamHintJitterShare,
                                    Setting::StreamHintMax,     Setting::StreamHintAbove};

RetryPolicy collect(const Policy &policy, const RetrySettings &from)
{
    RetryPolicy retry;
    if (!policy.value(from.maxAttempts).isOff())
        retry.maxAttempts = policy.count(from.maxAttempts);
    retry.baseS = policy.number(from.base);
    retry.factor = policy.number(from.factor);
    retry.capS = policy.seconds(from.cap);
    retry.jitter = static_cast<JitterForm>(policy.count(from.jitter));
    retry.jitterShare = policy.number(from.jitterShare);
    retry.hintForms = readHintForms(policy.value(from.hintForms).toText());
    retry.hintJitterShare = policy.number(from.hintJitterShare);
    retry.hintMaxS = policy.seconds(from.hintMax);
    retry.hintAbove = static_cast<HintAbove>(policy.count(from.hintAbove));
    return retry;
}

// A layer that is not there runs what is below it once.
RetryPolicy once()
{
    RetryPolicy retry;
    retry.maxAttempts = 1;
    return retry;
}

} // namespace

Policy::Policy()
{
    // Parsed once: a policy is copied at every change and made anew in every simulated run.
    static const std::array<SettingValue, settingCount> defaults = [] {
        std::array<SettingValue, settingCount> values;
        for (const SettingInfo &info : settings())
            values[indexOf(info.id)] = parseValue(info, QString(info.defaultValue)).value();
        return values;
    }();
    m_values = defaults;
    m_origins.fill(u"default"_s);
    resolveRetries();
}

QString Policy::text(Setting setting) const
{
    return spellValue(infoOf(setting), value(setting));
}

std::optional<double> Policy::seconds(Setting setting) const noexcept
{
    const SettingValue &own = value(setting);
    if (own.isOff())
        return std::nullopt;
    if (!own.isDerived())
        return own.toNumber();
    // http.read_timeout_s is the only setting with `auto`.
    const std::optional<double> idle = seconds(Setting::HttpIdleTimeout);
    return idle ? std::optional(*idle + readBehindIdleS) : std::nullopt;
}

std::optional<Duration> Policy::duration(Setting setting) const noexcept
{
    const std::optional<double> s = seconds(setting);
    return s ? std::optional(fromSeconds(*s)) : std::nullopt;
}

const RetryPolicy &Policy::retryPolicy(Layer layer) const noexcept
{
    switch (layer) {
    case Layer::Exec:
        return m_execRetry;
    case Layer::Session:
        return m_sessionRetry;
    case Layer::Stream:
        return m_streamRetry;
    case Layer::Task:
    case Layer::Http:
        break;
    }
    static const RetryPolicy none = once();
    return none;
}

void Policy::resolveRetries()
{
    m_execRetry = collect(*this, execRetry);
    m_sessionRetry = flag(Setting::SessionEnabled) ? collect(*this, sessionRetry) : once();
    const Waitscope::StreamKind kind = streamKind();
    if (kind == Waitscope::StreamKind::None) {
        m_streamRetry = once();
        return;
    }
    m_streamRetry = collect(*this, streamRetry);
    if (kind == Waitscope::StreamKind::Sdk)
        m_streamRetry.maxAttempts = count(Setting::StreamSdkMaxRetries) + 1;
    m_streamRetry.retryStatuses = readStatuses(value(Setting::StreamRetryStatuses).toText());
}

Policy Policy::with(Setting setting, SettingValue value, QString origin) const
{
    Policy next = *this;
    next.m_values[indexOf(setting)] = std::move(value);
    next.m_origins[indexOf(setting)] = std::move(origin);
    ++next.m_version;
    const Layer layer = infoOf(setting).layer;
    if (layer == Layer::Exec || layer == Layer::Session || layer == Layer::Stream)
        next.resolveRetries();
    return next;
}

Expected<Policy> Policy::withAssignment(QStringView assignment, const QString &origin) const
{
    const qsizetype equals = assignment.indexOf(u'=');
    const QStringView name = (equals < 0 ? assignment : assignment.left(equals)).trimmed();
    const std::optional<Setting> setting = settingNamed(name);
    if (!setting)
        return unknownSetting(name);
    if (equals < 0)
        return usageProblem(name.toString(), u"no value given"_s, u"write %1=VALUE"_s.arg(name));
    Expected<SettingValue> value = parseValue(infoOf(*setting), assignment.mid(equals + 1));
    if (!value)
        return tl::unexpected(std::move(value).error());
    return with(*setting, *std::move(value), origin);
}

} // namespace Waitscope
