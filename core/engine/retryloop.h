// SPDX-License-Identifier: GPL-3.0-or-later
// The one retry loop of every layer. What differs between layers is admit, attempt, judge and rest.
#pragma once

#include "engine/backoff.h"
#include "engine/task.h"

#include <optional>
#include <utility>

namespace Waitscope {

// A layer's judgement of one result: it is the layer's answer, or the loop rests and tries again.
template<class Result>
struct Judgement {
    Judgement(Result result)
        : answer(std::move(result))
    {
    }
    explicit Judgement(double pauseSeconds)
        : seconds(pauseSeconds)
    {
    }
    std::optional<Result> answer;
    double seconds = 0;
};

// Layer: using Result; CallContext &context();
//        optional<Result> admit(int n); Task<Result> attempt(int n); bool isSignal(const Result &);
//        Judgement<Result> judge(Result, int n);
//        Task<> beforeRest(double seconds, int n), an empty one where there is nothing to do;
//        Sleep restFor(double seconds, int n); Result restBroken(SleepEnd).
// n counts tries from 1. `layer` outlives the loop. A control signal goes straight through: no judge sees it.
template<class Layer>
Task<typename Layer::Result> retryLoop(Layer &layer)
{
    for (int n = 1;; ++n) {
        std::optional<typename Layer::Result> refused = layer.admit(n);
        if (refused)
            co_return std::move(*refused);
        auto attempt = layer.attempt(n);
        typename Layer::Result result = co_await std::move(attempt);
        if (layer.isSignal(result))
            co_return std::move(result);
        Judgement<typename Layer::Result> judgement = layer.judge(std::move(result), n);
        if (judgement.answer)
            co_return std::move(*judgement.answer);
        auto before = layer.beforeRest(judgement.seconds, n);
        if (before)
            co_await std::move(before);
        RunningSleep rest(layer.context(), layer.restFor(judgement.seconds, n));
        std::optional<SleepEnd> end;
        while (!end) {
            Wait wait(layer.context().strand(), rest.due());
            const Wake wake = co_await wait;
            end = rest.onWake(wake);
        }
        if (end != SleepEnd::Slept)
            co_return layer.restBroken(*end);
    }
}

} // namespace Waitscope
