// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/tips.h"

#include "trace/spanquery.h"
#include "ui/style/format.h"
#include "ui/style/glyphs.h"
#include "ui/style/words.h"

#include <QCoreApplication>
#include <QStringList>

namespace Waitscope {

using namespace Qt::StringLiterals;

// The context of translations.
class Tips
{
    Q_DECLARE_TR_FUNCTIONS(Tips)
};

namespace {

constexpr qsizetype longestText = 300;

QString shortened(const QString &text)
{
    return text.size() > longestText ? text.left(longestText - 1) + u'…' : text;
}

class Table
{
public:
    void row(const QString &name, const QString &value)
    {
        if (value.isEmpty())
            return;
        m_rows += u"<tr><td style='white-space:nowrap'>%1:&nbsp;</td><td>%2</td></tr>"_s.arg(name.toHtmlEscaped(),
                                                                                             shortened(value).toHtmlEscaped());
    }
    [[nodiscard]] QString html(const QString &title) const
    {
        return u"<b>%1</b><table cellspacing='0' cellpadding='1'>%2</table>"_s.arg(title.toHtmlEscaped(), m_rows);
    }

private:
    QString m_rows;
};

QString taskOf(const TraceStore &store, const SpanInfo &span)
{
    const std::vector<SpanId> above = ancestorsOf(store, span.id);
    if (above.empty())
        return {};
    const std::optional<SpanInfo> root = store.span(above.back());
    return root ? shownName(*root) : QString();
}

} // namespace

QString spanTip(const TraceStore &store, SpanId id, Instant now)
{
    const std::optional<SpanInfo> span = store.span(id);
    if (!span)
        return {};
    Table table;
    table.row(Tips::tr("layer"), shownWord(span->layer));
    if (span->kind == SpanKind::Phase)
        table.row(Tips::tr("doing"), shownWord(span->phase));
    else if (span->kind == SpanKind::Request || span->kind == SpanKind::Backoff)
        table.row(span->kind == SpanKind::Request ? Tips::tr("peer") : Tips::tr("why"), span->label);
    if (span->kind != SpanKind::Backoff)
        table.row(Tips::tr("count"), shownAttempt(span->attempt, span->maxAttempts));
    if (span->role != Role::First)
        table.row(Tips::tr("role"), shownWord(span->role));
    table.row(Tips::tr("began"), shownInstant(span->begin));
    if (span->isOpen()) {
        table.row(Tips::tr("open for"), shownDuration(span->length(now)));
    } else {
        table.row(Tips::tr("ended"), shownInstant(span->end));
        table.row(Tips::tr("lasted"), shownDuration(span->end - span->begin));
        table.row(Tips::tr("outcome"), shownEnd(*span));
    }
    if (!span->isOpen() && span->outcome != Outcome::Ok) {
        if (span->reason != ErrorReason::None) {
            table.row(Tips::tr("reason"), span->retryable ? Tips::tr("%1, worth another try").arg(shownWord(span->reason))
                                                          : Tips::tr("%1, final").arg(shownWord(span->reason)));
        }
        if (span->status > 0)
            table.row(Tips::tr("status"), QString::number(span->status));
        // An empty text is a fact of its own: some client errors have none.
        table.row(Tips::tr("text"), span->text.isEmpty() && !span->type.isEmpty() ? Tips::tr("(empty)") : span->text);
        table.row(Tips::tr("rule"), span->rule);
        if (span->hintSeconds > 0)
            table.row(Tips::tr("server asked for"), shownDuration(fromSeconds(span->hintSeconds)));
        if (span->exhausted)
            table.row(Tips::tr("budget"), Tips::tr("used up by this layer"));
    }
    for (const ShownTimer &timer : store.timersOf(id)) {
        if (timer.state == TimerState::Fired && timer.kind != TimerKind::BackoffEnd) {
            table.row(Tips::tr("fired"), Tips::tr("%1 (%2) at %3")
                                             .arg(shownWord(timer.kind), shownDuration(timer.value), shownInstant(timer.ended)));
        }
    }
    for (const ShownMark &mark : store.marksOf(id)) {
        if (isShownMark(mark.kind))
            table.row(shownInstant(mark.at), mark.text.isEmpty() ? shownWord(mark.kind)
                                                                 : u"%1: %2"_s.arg(shownWord(mark.kind), mark.text));
    }
    return table.html(shownName(*span));
}

QString timerTip(const TraceStore &store, const ShownTimer &timer, Instant now)
{
    Table table;
    if (const std::optional<SpanInfo> owner = store.span(timer.owner))
        table.row(Tips::tr("of"), shownName(*owner));
    table.row(Tips::tr("armed with"), shownDuration(timer.value));
    if (timer.state == TimerState::Armed) {
        table.row(Tips::tr("fires"), Tips::tr("%1, at %2").arg(shownOffset(timer.effectiveDue - now),
                                                               shownInstant(timer.effectiveDue)));
    } else {
        table.row(shownWord(timer.state), shownInstant(timer.ended));
    }
    table.row(Tips::tr("then"), shownWord(timer.kills));
    table.row(Tips::tr("traffic"), shownWord(timer.resets));
    if (timer.clamped)
        table.row(Tips::tr("cut"), Tips::tr("to the deadline"));
    table.row(Tips::tr("setting"), timer.setting);
    table.row(Tips::tr("variable"), timer.variable);
    return table.html(Tips::tr("%1 timer").arg(shownWord(timer.kind)));
}

QString spokenName(const SpanInfo &span)
{
    return Tips::tr("%1, %2").arg(shownName(span), shownEnd(span));
}

QString spokenDescription(const TraceStore &store, const SpanInfo &span, Instant now)
{
    const QString times = span.isOpen()
        ? Tips::tr("started at %1, open for %2").arg(shownInstant(span.begin), shownDuration(span.length(now)))
        : Tips::tr("started at %1, lasted %2").arg(shownInstant(span.begin), shownDuration(span.end - span.begin));
    const QString task = taskOf(store, span);
    return task.isEmpty() ? times : Tips::tr("%1, in %2").arg(times, task);
}

} // namespace Waitscope
