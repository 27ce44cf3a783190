// SPDX-License-Identifier: GPL-3.0-or-later
// The labelled spans in view as a list for assistive technology.
#pragma once

#include "trace/spaninfo.h"

#include <QRect>
#include <QString>

#include <vector>

class QWidget;

namespace Waitscope {

struct SpokenSpan {
    SpanId id;
    QRect rect; // in the timeline widget's coordinates
    QString name;
    QString description;
};

// What the interface asks of the timeline; never more than mostSpokenSpans.
class SpokenSpans
{
public:
    SpokenSpans() = default;
    virtual ~SpokenSpans() = default;
    Q_DISABLE_COPY_MOVE(SpokenSpans)

    [[nodiscard]] virtual std::vector<SpokenSpan> spokenSpans() const = 0;
    // Grows whenever the answer may be another one.
    [[nodiscard]] virtual quint64 generation() const = 0;
    [[nodiscard]] virtual SpanId selectedSpan() const = 0;
    virtual void selectSpan(SpanId id) = 0;
    [[nodiscard]] virtual QString spokenTitle() const = 0;
};

inline constexpr size_t mostSpokenSpans = 2000;

// Before the first timeline exists: Qt keeps whichever interface a widget was given first.
void installAccessibleTimeline();
void tellSelection(QWidget *timeline); // to assistive technology, if there is any

} // namespace Waitscope
