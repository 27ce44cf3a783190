// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/staticwords.h"

#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>

namespace Waitscope {

namespace {

struct WordHash {
    using is_transparent = void;
    size_t operator()(std::string_view word) const noexcept { return std::hash<std::string_view>{}(word); }
};

struct Words {
    std::mutex mutex;
    std::unordered_set<std::string, WordHash, std::equal_to<>> set;
};

Words &words()
{
    // Never destroyed: events of other statics may still point into it.
    static Words *const theWords = new Words;
    return *theWords;
}

} // namespace

std::optional<QLatin1StringView> staticWord(QByteArrayView latin1)
{
    if (latin1.isEmpty())
        return QLatin1StringView();
    if (latin1.size() > 128)
        return std::nullopt;
    const std::string_view word(latin1.data(), static_cast<size_t>(latin1.size()));
    Words &w = words();
    const std::scoped_lock lock(w.mutex);
    auto it = w.set.find(word);
    if (it == w.set.end()) {
        if (w.set.size() >= 4096)
            return std::nullopt;
        it = w.set.emplace(word).first;
    }
    return QLatin1StringView(it->data(), static_cast<qsizetype>(it->size()));
}

} // namespace Waitscope
