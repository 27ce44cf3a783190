// SPDX-License-Identifier: GPL-3.0-or-later
// Words with static storage for events that come from a file: setting and variable names are views, never owners.
#pragma once

#include <QByteArrayView>
#include <QLatin1StringView>

#include <optional>

namespace Waitscope {

// The one copy of this word, kept until the program ends; safe to ask for from any thread. Nothing for a word longer than
// 128 characters, or once 4096 different words are kept: names are few, anything else is a broken file.
[[nodiscard]] std::optional<QLatin1StringView> staticWord(QByteArrayView latin1);

} // namespace Waitscope
