// SPDX-License-Identifier: GPL-3.0-or-later
// One line of a recording taken apart and understood; knows nothing of files or order.
#pragma once

#include "event/event.h"
#include "event/header.h"

#include <QString>

#include <memory>
#include <string_view>

namespace Waitscope {

// The outcome of reading one line.
struct TraceLine {
    enum class What : quint8 { Broken, Header, Known, Unknown, Stopped };
    What what = What::Broken;
    bool hasMore = false; // fields that this version does not know: only the raw line has everything
    Event event;
    TraceHeader header;
    QString text; // Broken: what is wrong; Stopped: why; Unknown: the word or kind that is not known
};

class TraceLineReader
{
public:
    TraceLineReader();
    ~TraceLineReader();
    Q_DISABLE_COPY_MOVE(TraceLineReader)

    // So many bytes behind a line must be readable; what they hold does not matter.
    static constexpr qsizetype padding = 64;

    // `line` is without its end of line. The result is valid until the next call.
    const TraceLine &read(std::string_view line);

private:
    struct Parts;
    std::unique_ptr<Parts> d;
};

} // namespace Waitscope
