// SPDX-License-Identifier: GPL-3.0-or-later
// Named policies: those that come with the program, and files of the same form.
#pragma once

#include "policy/policy.h"

#include <QStringList>

namespace Waitscope {

struct Profile {
    QString name;
    QString title;
    QString about;       // one or two sentences
    QStringList sources; // where its numbers come from
    Policy policy;       // the defaults with the profile's settings over them; their origin is "profile <name>"
    std::vector<Setting> unknown; // null in the file: not found in the sources; the default stands in, its origin
                                  // is "unknown in profile <name>"
};

// The program's own first, then the comparisons by name.
[[nodiscard]] std::vector<Profile> builtInProfiles();

// The problem names file, line and key.
[[nodiscard]] Expected<Profile> readProfile(const QString &path);
[[nodiscard]] Expected<Profile> parseProfile(const QByteArray &json, const QString &file);

// A built-in profile's name, or the path of a file.
[[nodiscard]] Expected<Profile> findProfile(const QString &nameOrPath);

} // namespace Waitscope
