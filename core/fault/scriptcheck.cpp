// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault/scriptcheck.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

template<class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template<class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

enum class Stage : quint8 { BeforeHead, InBody, AfterBody, Over };

// What playing a list once costs and brings.
struct Extent {
    qint64 actions = 0;
    Duration waits{};
    bool sends = false;
};

qint64 product(qint64 a, qint64 b)
{
    qint64 result = 0;
    return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<qint64>::max() : result;
}

Duration sum(Duration a, Duration b)
{
    return a > Duration::max() - b ? Duration::max() : a + b;
}

Duration manifold(Duration d, qint64 times)
{
    return Duration{product(d.count(), times)};
}

class Walk
{
public:
    explicit Walk(const StreamStyle &style)
        : m_style(style)
    {
    }

    [[nodiscard]] std::optional<ScriptProblem> list(const std::vector<FaultStep> &steps, const QString &path, int depth,
                                                    Extent &extent)
    {
        for (size_t i = 0; i < steps.size(); ++i) {
            m_path = path + u'[' + QString::number(i) + u']';
            if (m_stage == Stage::Over)
                return problem(u"this step is never reached"_s, u"remove it, or what comes before it and never ends"_s);
            extent.waits = sum(extent.waits, steps[i].after);
            if (auto found = step(steps[i], depth, extent))
                return found;
            if (extent.actions > mostActions)
                return problem(u"the script has too many actions up to here"_s, u"at most %L1 are played"_s.arg(mostActions));
        }
        return std::nullopt;
    }

private:
    using Result = std::optional<ScriptProblem>;

    [[nodiscard]] Result problem(QString what, QString advice) const
    {
        return ScriptProblem{m_path, std::move(what), std::move(advice)};
    }

    [[nodiscard]] Result step(const FaultStep &step, int depth, Extent &extent)
    {
        return std::visit(
            Overloaded{
                [&](const WaitStep &s) -> Result {
                    extent.waits = sum(extent.waits, s.length);
                    return {};
                },
                [&](const HeadStep &s) -> Result { return head(s.head, 1, Duration::zero(), extent); },
                [&](const HeadDripStep &s) -> Result {
                    qint64 size = 64 + s.head.reason.size();
                    for (const ScriptHeader &header : s.head.headers)
                        size += header.name.size() + header.value.size() + 40;
                    return head(s.head, size, s.every, extent);
                },
                [&](const ReplyStep &s) -> Result {
                    auto found = head(s.head, 3, Duration::zero(), extent);
                    m_stage = Stage::AfterBody;
                    return found;
                },
                [&](const EventsStep &s) -> Result {
                    qsizetype longest = 0;
                    for (const QString &text : s.texts)
                        longest = std::max(longest, text.size());
                    return series(s.count, s.every, extent, piecesOf(longest));
                },
                [&](const PingStep &s) -> Result { return series(s.count, s.every, extent, piecesOf(0)); },
                [&](const ErrorEventStep &s) -> Result {
                    return series(1, Duration::zero(), extent, piecesOf(s.type.size() + s.text.size()));
                },
                [&](const EndMarkerStep &) -> Result { return series(1, Duration::zero(), extent, piecesOf(0)); },
                [&](const BodyStep &) -> Result { return series(1, Duration::zero(), extent); },
                [&](const DripStep &s) -> Result { return series(s.bytes.size(), s.every, extent); },
                [&](const RawStep &) -> Result {
                    ++extent.actions;
                    extent.sends = true;
                    return {};
                },
                [&](const EndBodyStep &) -> Result {
                    auto found = series(1, Duration::zero(), extent);
                    m_stage = Stage::AfterBody;
                    return found;
                },
                [&](const HangStep &) -> Result { return over(extent); },
                [&](const CloseStep &) -> Result { return over(extent); },
                [&](const ResetStep &) -> Result { return over(extent); },
                [&](const RepeatStep &s) -> Result { return repeat(s, depth, extent); },
            },
            step.what);
    }

    [[nodiscard]] Result head(const Head &head, qint64 actions, Duration every, Extent &extent)
    {
        if (m_stage == Stage::InBody)
            return problem(u"a second head inside a body"_s, u"only informational heads (status 100-199) come before another one"_s);
        if (m_stage == Stage::AfterBody)
            return problem(u"a head after a complete reply"_s, u"one script answers one request"_s);
        if (head.status >= 200)
            m_stage = Stage::InBody;
        extent.actions += actions;
        extent.waits = sum(extent.waits, manifold(every, actions));
        extent.sends = true;
        return {};
    }

    // Of a dialect's block with so much text in it, roughly.
    [[nodiscard]] qint64 piecesOf(qsizetype textSize) const
    {
        constexpr qint64 frame = 2048;
        constexpr qint64 bytesPerCharacter = 6; // of one that JSON escapes
        return m_style.pieceBytes == 0 ? 1 : 1 + (frame + textSize * bytesPerCharacter) / m_style.pieceBytes;
    }

    [[nodiscard]] Result series(std::optional<qint64> count, Duration every, Extent &extent, qint64 actionsEach = 1)
    {
        if (m_stage == Stage::BeforeHead)
            return problem(u"a body without a head"_s, u"put a head step before it, or use raw"_s);
        if (m_stage == Stage::AfterBody)
            return problem(u"more body after the body's end"_s, u"only wait, raw, hang, close and reset can follow"_s);
        extent.sends = true;
        if (!count) {
            m_stage = Stage::Over;
            if (every < shortestEndlessRound)
                return problem(u"an endless step needs a wait"_s, u"set every_s to 0.0001 or more"_s);
            return {};
        }
        const qint64 all = product(*count, actionsEach);
        extent.actions = all > mostActions ? mostActions + 1 : extent.actions + all;
        extent.waits = sum(extent.waits, manifold(every, *count));
        return {};
    }

    [[nodiscard]] Result over(Extent &extent)
    {
        ++extent.actions;
        m_stage = Stage::Over;
        return {};
    }

    [[nodiscard]] Result repeat(const RepeatStep &step, int depth, Extent &extent)
    {
        if (depth >= deepestRepeat)
            return problem(u"repeats are nested too deep"_s, u"at most %1 inside each other"_s.arg(deepestRepeat));
        if (step.steps.empty())
            return problem(u"nothing to repeat"_s, u"give it steps"_s);
        const QString here = m_path;
        Extent round;
        // The second walk finds what only goes wrong when the steps come again, such as a second head.
        const int walks = step.count == 1 ? 1 : 2;
        for (int i = 0; i < walks; ++i) {
            round = Extent();
            if (auto found = list(step.steps, here + u".steps"_s, depth + 1, round))
                return found;
            m_path = here;
        }
        extent.sends = extent.sends || round.sends;
        if (!step.count) {
            m_stage = Stage::Over;
            if (!round.sends || round.waits < shortestEndlessRound)
                return problem(u"an endless repeat needs something sent and a wait in each round"_s,
                               u"wait 0.0001 s or more in it, or use hang"_s);
            return {};
        }
        // Waits count as well: a long loop of nothing but waits must end soon for whoever plays it.
        const qint64 perRound = round.actions + static_cast<qint64>(step.steps.size());
        const qint64 all = product(perRound, *step.count);
        extent.actions = all > mostActions ? mostActions + 1 : extent.actions + all;
        extent.waits = sum(extent.waits, manifold(round.waits, *step.count));
        return {};
    }

    const StreamStyle &m_style;
    QString m_path;
    Stage m_stage = Stage::BeforeHead;
};

} // namespace

std::optional<ScriptProblem> problemOf(const FaultScript &script)
{
    const bool answers = script.connection != ConnectionFault::Refuse && script.connection != ConnectionFault::BlackHole;
    if (script.connectAfter > Duration::zero() && !answers)
        return ScriptProblem{u"connect_after_s"_s, u"a connect that is refused or never answered is not answered late"_s,
                             u"remove it, or use another connection"_s};
    if (script.connection != ConnectionFault::Accept) {
        if (script.steps.empty())
            return std::nullopt;
        return ScriptProblem{u"steps"_s, u"steps are only played on an accepted connection"_s,
                             u"remove them, or set connection to accept"_s};
    }
    if (script.steps.empty())
        return ScriptProblem{u"steps"_s, u"an accepted request needs at least one step"_s,
                             u"hang and close are the shortest"_s};
    Extent extent;
    return Walk(script.style).list(script.steps, u"steps"_s, 0, extent);
}

} // namespace Waitscope
