// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector.h"

#include "ui/models/spanfacts.h"
#include "ui/panels/facttable.h"
#include "ui/style/theme.h"

namespace Waitscope {

Inspector::Inspector(QWidget *parent)
    : QTabWidget(parent)
    , m_facts(new FactTable({tr("Name"), tr("Value")}, tr("Span"), this))
    , m_attempts(new FactTable(attemptHeaders(), tr("Tries"), this))
    , m_lines(new FactTable(lineHeaders(), tr("Raw lines"), this))
    , m_timers(new FactTable(timerHeaders(), tr("Timers"), this))
    , m_marks(new FactTable(markHeaders(), tr("Marks"), this))
{
    m_facts->setFormLike();
    m_lines->setFont(fixedFont(font().pointSizeF() * 0.95));
    setDocumentMode(true);
    addTab(m_facts, tr("Span"));
    addTab(m_attempts, tr("Tries"));
    addTab(m_lines, tr("Lines"));
    addTab(m_timers, tr("Timers"));
    addTab(m_marks, tr("Marks"));
    setMinimumWidth(300);
    fill();
}

void Inspector::setStore(const TraceStore *store)
{
    m_store = store;
    m_span = {};
    m_revision = 0;
    fill();
}

void Inspector::setSpan(SpanId span)
{
    if (span == m_span)
        return;
    m_span = span;
    fill();
}

void Inspector::refresh(Instant now)
{
    m_now = now;
    if (!m_store || !m_span)
        return;
    if (m_store->revision() != m_revision || m_store->isOpen(m_span))
        fill();
}

void Inspector::fill()
{
    if (!m_store || !m_store->kindOf(m_span)) {
        m_facts->setRows({{tr("Nothing selected"), tr("Click a bar in the timeline, or move to one with the arrow keys.")}});
        for (FactTable *table : {m_attempts, m_lines, m_timers, m_marks})
            table->setRows({});
    } else {
        m_revision = m_store->revision();
        m_facts->setRows(spanFacts(*m_store, m_span, m_now));
        m_attempts->setRows(attemptFacts(*m_store, m_span, m_now));
        m_lines->setRows(lineFacts(*m_store, m_span));
        m_timers->setRows(timerFacts(*m_store, m_span, m_now));
        m_marks->setRows(markFacts(*m_store, m_span));
    }
    titleTab(m_attempts, tr("Tries"), m_attempts->rows().size());
    titleTab(m_lines, tr("Lines"), m_lines->rows().size());
    titleTab(m_timers, tr("Timers"), m_timers->rows().size());
    titleTab(m_marks, tr("Marks"), m_marks->rows().size());
}

void Inspector::titleTab(QWidget *page, const QString &title, size_t count)
{
    const int tab = indexOf(page);
    const QString text = count > 0 ? tr("%1 (%2)").arg(title).arg(count) : title;
    if (tabText(tab) != text)
        setTabText(tab, text);
    setTabEnabled(tab, count > 0);
}

} // namespace Waitscope
