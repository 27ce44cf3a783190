// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/resultjson.h"
#include "app/cli/signals.h"
#include "app/runs/callinput.h"
#include "app/runs/liverun.h"
#include "app/runs/recording.h"

#include <QCoreApplication>
#include <QCoro/QCoroSignal>
#include <QCoro/QCoroTask>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

class Run final : public Command
{
public:
    void addTo(CLI::App &app) override
    {
        app.add_option("--url", m_url, "endpoint, http or https; without a path it gets the API's usual one")->required();
        app.add_option("--api", m_api, apiWords())->capture_default_str();
        app.add_option("--model", m_model, "the model's name");
        auto *prompt = app.add_option("--prompt", m_prompt, "the user's message")->capture_default_str();
        app.add_option("--body", m_body, "a file that is sent as the request body as it is")->check(fileName())->excludes(prompt);
        app.add_option("--key-env", m_keyVariable, "the environment variable that holds the API key")->check(notEmpty());
        app.add_option("--header", m_headers, "a request header \"Name: value\" (repeatable)")->take_all()->allow_extra_args(false);
        app.add_option("--ca-file", m_caFile, "certificates to trust instead of the system's (PEM)")->check(fileName());
        app.add_option("--proxy", m_proxy, "proxy URL, not used for this machine's own addresses; the same as --set http.proxy_url=URL");
        app.add_option("--count", m_count, "how many calls")->check(CLI::Range(1, 100'000))->capture_default_str();
        app.add_option("--concurrency", m_concurrency, "how many at a time")->check(CLI::Range(1, 10'000))->capture_default_str();
        app.add_option("--scale", m_scale, "nominal seconds a real second; only sensible against serve-faults")
            ->check(realBetween(0.001, 1'000'000))
            ->capture_default_str();
        app.add_flag("--content", m_content, "put raw lines and texts into the trace");
        app.add_flag("--json", m_json, "print one JSON object");
        m_policy.addTo(app);
        m_run.addTo(app);
    }

    Exit run() override
    {
        Expected<PolicyPtr> policy = m_policy.policy();
        if (!policy)
            return fail(policy.error());
        if (!m_proxy.empty()) {
            const Expected<Policy> changed =
                (*policy)->withAssignment(u"http.proxy_url="_s + QString::fromStdString(m_proxy), u"--proxy"_s);
            if (!changed)
                return fail(changed.error());
            policy = std::make_shared<const Policy>(*changed);
        }
        const Expected<Api> api = apiNamed(m_api);
        if (!api)
            return fail(api.error());
        CallInput input;
        input.url = QString::fromStdString(m_url);
        input.api = *api;
        input.model = QString::fromStdString(m_model);
        input.prompt = QString::fromStdString(m_prompt);
        input.bodyFile = QString::fromStdString(m_body);
        input.keyVariable = QString::fromStdString(m_keyVariable);
        for (const std::string &header : m_headers)
            input.headers << QString::fromStdString(header);
        const Expected<CallSpec> call = callFrom(input);
        if (!call)
            return fail(call.error());
        if (!isLoopback(call->url)) {
            const std::optional<qint64> most = mostRequests(**policy);
            printMessage(most ? u"at most %1 requests will be sent (%2 a call)"_s.arg(*most * m_count).arg(*most)
                              : u"the number of requests has no limit under this policy"_s);
        }

        LiveSpec spec;
        for (int i = 1; i <= m_count; ++i) {
            LiveTask task;
            task.name = m_count > 1 ? u"call %1"_s.arg(i) : u"call"_s;
            task.call = *call;
            tellFaultServer(task.call, i);
            task.policy = *policy;
            spec.tasks.push_back(std::move(task));
        }
        spec.concurrency = m_concurrency;
        spec.scale = m_scale;
        spec.seed = m_run.seed();
        spec.caFile = QString::fromStdString(m_caFile);
        spec.keepContent = m_content;
        Recording recording;
        if (m_run.isRecorded()) {
            TraceHeader header = headerFor(**policy, spec.seed, call->url.host());
            header.clock = m_scale == 1 ? ClockKind::Real : ClockKind::Scaled;
            header.scale = m_scale;
            header.startUtc = QDateTime::currentDateTimeUtc();
            if (const Expected<void> opened = recording.open(m_run.recorder(), header, secretsOf(*call)); !opened)
                return fail(opened.error());
            spec.sink = &recording.sink();
        }
        LiveRun run(std::move(spec));
        if (const Expected<void> started = run.start(); !started)
            return fail(started.error());
        Signals signalled;
        bool wasInterrupted = false;
        QObject::connect(&signalled, &Signals::interrupted, &run, [&run, &wasInterrupted] {
            wasInterrupted = true;
            run.stop(u"interrupted"_s);
        });
        QCoro::waitFor(untilFinished(&run));
        const std::vector<TaskEnding> &endings = run.endings();
        RedactionRules rules;
        rules.secrets = secretsOf(*call);
        const Redactor redactor(std::move(rules));
        if (m_json)
            printResult(m_count > 1 ? manyJson(endings, run.counts()) : callJson(endings.front(), run.counts()), redactor);
        else
            printResult(m_count > 1 ? manyLines(endings, run.counts()) : callLines(endings.front(), run.counts(), m_scale != 1),
                        redactor);
        // The result stands, whatever became of its recording.
        if (const Expected<void> closed = recording.close(); !closed)
            return fail(closed.error());
        if (wasInterrupted)
            return Exit::Interrupted;
        return std::ranges::all_of(endings, isSuccess) ? Exit::Done : Exit::Failed;
    }

private:
    // The run outlives the flow: it is the caller's.
    static QCoro::Task<> untilFinished(LiveRun *run)
    {
        if (run->isRunning())
            co_await qCoro(run, &LiveRun::finished);
    }

    PolicyOptions m_policy;
    RunOptions m_run;
    std::string m_url;
    std::string m_api = "openai-chat";
    std::string m_model;
    std::string m_prompt = "Say hello.";
    std::string m_body;
    std::string m_keyVariable;
    std::vector<std::string> m_headers;
    std::string m_caFile;
    std::string m_proxy;
    int m_count = 1;
    int m_concurrency = 1;
    double m_scale = 1;
    bool m_content = false;
    bool m_json = false;
};

} // namespace

CommandPtr runCommand()
{
    return std::make_unique<Run>();
}

} // namespace Waitscope
