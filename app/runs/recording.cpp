// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/recording.h"

#include "app/runs/recordingfolder.h"

#include <utility>

namespace Waitscope {

TraceHeader headerFor(const Policy &policy, quint64 seed, const QString &title)
{
    TraceHeader header;
    header.title = title;
    header.seed = seed;
    header.programVersion = QStringLiteral(WAITSCOPE_VERSION);
    for (const SettingInfo &info : settings()) {
        ShownSetting shown;
        shown.name = info.name;
        shown.value = showValue(info, policy.value(info.id));
        shown.origin = policy.origin(info.id);
        header.policy.push_back(std::move(shown));
    }
    return header;
}

Recording::~Recording()
{
    (void)close();
}

Expected<void> Recording::open(RecorderOptions options, TraceHeader header, std::vector<KnownSecret> secrets,
                               std::function<void(const Problem &)> onProblem)
{
    RedactionRules rules;
    rules.secrets = std::move(secrets);
    m_redactor = std::make_unique<Redactor>(std::move(rules));
    m_redactor->redact(header);
    if (!onProblem)
        onProblem = [](const Problem &) {}; // close() tells it
    Expected<std::unique_ptr<Recorder>> recorder = Recorder::open(std::move(options), header, std::move(onProblem));
    if (!recorder)
        return tl::unexpected(recorder.error());
    m_recorder = std::move(*recorder);
    m_sink = std::make_unique<RedactingSink>(*m_redactor, *m_recorder);
    return {};
}

Expected<void> Recording::close()
{
    m_sink.reset();
    if (!m_recorder)
        return {};
    const Expected<void> closed = m_recorder->close();
    m_recorder.reset();
    if (m_finishAs.isEmpty())
        return closed;
    const Expected<void> named = finishRecording(std::exchange(m_finishAs, {}));
    return closed ? named : closed;
}

} // namespace Waitscope
