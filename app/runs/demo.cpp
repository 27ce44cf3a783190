// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/demo.h"

#include "fault/scenarioreader.h"
#include "policy/profile.h"

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

DemoTask task(QString name, QString scenario, QString profile, QStringList overrides = {})
{
    DemoTask made;
    made.name = std::move(name);
    made.scenario = std::move(scenario);
    made.profile = std::move(profile);
    made.overrides = std::move(overrides);
    return made;
}

} // namespace

std::vector<Demo> demos()
{
    Demo storm;
    storm.name = u"connect-storm"_s;
    storm.title = u"Connect storm"_s;
    storm.scale = 100;
    storm.tasks = {
        task(u"black hole, openprogram-2026-08"_s, u"connect-blackhole"_s, u"openprogram-2026-08"_s),
        task(u"black hole, hardened"_s, u"connect-blackhole"_s, u"hardened"_s),
        task(u"stall mid-stream, hardened"_s, u"idle-stall"_s, u"hardened"_s),
        // 604.5 s a round: the alarm at 900 s falls into the second one, and a third follows.
        task(u"legacy, watchdog swallowed"_s, u"connect-blackhole"_s, u"legacy"_s,
             {u"harness.task_timeout_s=900"_s, u"harness.rounds=3"_s}),
    };
    return {storm};
}

Expected<Demo> demoNamed(const QString &name)
{
    QStringList names;
    for (const Demo &demo : demos()) {
        if (demo.name == name)
            return demo;
        names << demo.name;
    }
    return usageProblem(u"--demo"_s, u"\"%1\" is not known"_s.arg(name), u"there is "_s + names.join(u", "_s));
}

Expected<std::unique_ptr<DemoRun>> DemoRun::create(const Demo &demo, quint64 seed, EventSink &sink)
{
    std::unique_ptr<DemoRun> made(new DemoRun);
    FaultServerOptions options;
    options.scale = demo.scale;
    for (const DemoTask &wanted : demo.tasks) {
        const auto isWanted = [&wanted](const Scenario &known) { return known.name == wanted.scenario; };
        if (std::ranges::any_of(options.scenarios, isWanted))
            continue;
        const Expected<Scenario> scenario = findScenario(wanted.scenario);
        if (!scenario)
            return tl::unexpected(scenario.error());
        options.scenarios.push_back(*scenario);
    }
    made->m_server = std::make_unique<FaultServer>(std::move(options));
    if (const Expected<void> started = made->m_server->start(); !started)
        return tl::unexpected(started.error());

    LiveSpec spec;
    for (const DemoTask &wanted : demo.tasks) {
        const Expected<Profile> profile = findProfile(wanted.profile);
        if (!profile)
            return tl::unexpected(profile.error());
        Policy policy = profile->policy;
        for (const QString &change : wanted.overrides) {
            const Expected<Policy> changed = policy.withAssignment(change, u"demo"_s);
            if (!changed)
                return tl::unexpected(changed.error());
            policy = *changed;
        }
        LiveTask live;
        live.name = wanted.name;
        live.call.url = made->m_server->urlFor(wanted.scenario);
        live.call.url.setPath(live.call.url.path() + u"/v1/chat/completions"_s);
        live.call.api = Api::OpenaiChat;
        live.call.model = u"demo"_s;
        live.call.prompt = u"Say hello."_s;
        live.policy = std::make_shared<const Policy>(std::move(policy));
        spec.tasks.push_back(std::move(live));
    }
    spec.concurrency = static_cast<int>(spec.tasks.size());
    spec.scale = demo.scale;
    spec.seed = seed;
    spec.keepContent = true; // nothing in it is anybody's
    spec.sink = &sink;
    made->m_run = std::make_unique<LiveRun>(std::move(spec));
    return made;
}

} // namespace Waitscope
