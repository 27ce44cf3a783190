// SPDX-License-Identifier: GPL-3.0-or-later
// Reads scenarios from JSON as FORMAT.md describes it, and finds the built-in ones.
#pragma once

#include "base/problem.h"
#include "fault/faultscript.h"

#include <span>

namespace Waitscope {

// The problem names the file, the place in it and what is allowed there. `fileName` is only shown.
[[nodiscard]] Expected<Scenario> readScenario(const QByteArray &json, const QString &fileName);

// Sorted by name; read once. A program that does not link the resources has none.
[[nodiscard]] std::span<const Scenario> builtInScenarios();

// A built-in name, or a path to a file (whatever holds a slash or ends in .json).
[[nodiscard]] Expected<Scenario> findScenario(const QString &nameOrFile);

} // namespace Waitscope
