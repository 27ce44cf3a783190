// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with something a person gave us, as a value: where, what, and what to do about it.
#pragma once

#include <tl/expected.hpp>

#include <QString>

namespace Waitscope {

// How a command ends when this problem stops it; the command line's documented exit codes.
enum class ProblemKind : quint8 {
    Usage,       // exit 2: bad URL, unset key variable, unknown or out-of-range setting, malformed scenario
    Unavailable, // exit 3: a file or an own port could not be had
};

struct Problem {
    Problem(ProblemKind how, QString place, QString fault, QString cure = {})
        : kind(how)
        , where(std::move(place))
        , what(std::move(fault))
        , advice(std::move(cure))
    {
    }

    // One line: "where: what; advice". Never holds a secret.
    [[nodiscard]] QString line() const;

    ProblemKind kind;
    QString where;  // file, file:line, setting or option
    QString what;   // what is wrong, without a full stop
    QString advice; // what to do; may be empty
};

template<class T>
using Expected = tl::expected<T, Problem>;

[[nodiscard]] inline tl::unexpected<Problem> usageProblem(QString where, QString what, QString advice = {})
{
    return tl::unexpected<Problem>(Problem(ProblemKind::Usage, std::move(where), std::move(what), std::move(advice)));
}

[[nodiscard]] inline tl::unexpected<Problem> unavailable(QString where, QString what, QString advice = {})
{
    return tl::unexpected<Problem>(
        Problem(ProblemKind::Unavailable, std::move(where), std::move(what), std::move(advice)));
}

} // namespace Waitscope
