// SPDX-License-Identifier: GPL-3.0-or-later
// The one retry loop of every layer. What differs between layers is admit, attempt, judge and rest.
#pragma once

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

// Layer: using Result; optional<Result> admit(int n); Task<Result> attempt(int n); bool isSignal(const Result &);
//        Judgement<Result> judge(Result, int n); Task<optional<Result>> rest(double seconds, int n).
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
        auto rest = layer.rest(judgement.seconds, n);
        std::optional<typename Layer::Result> ended = co_await std::move(rest);
        if (ended)
            co_return std::move(*ended);
    }
}

} // namespace Waitscope
