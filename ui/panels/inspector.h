// SPDX-License-Identifier: GPL-3.0-or-later
// Everything known of the selected span: times, outcome and its rule, tries, raw lines, timers, marks; all of it can be copied.
#pragma once

#include "trace/tracestore.h"

#include <QTabWidget>

namespace Waitscope {

class FactTable;

class Inspector final : public QTabWidget
{
    Q_OBJECT
public:
    explicit Inspector(QWidget *parent = nullptr);

    void setStore(const TraceStore *store);
    void setSpan(SpanId span);
    [[nodiscard]] SpanId span() const noexcept { return m_span; }
    // Looks again when the store has grown or the span is still open.
    void refresh(Instant now);

    [[nodiscard]] QSize sizeHint() const override { return {720, 240}; }
    [[nodiscard]] FactTable *facts() const noexcept { return m_facts; }
    [[nodiscard]] FactTable *attempts() const noexcept { return m_attempts; }
    [[nodiscard]] FactTable *lines() const noexcept { return m_lines; }
    [[nodiscard]] FactTable *timers() const noexcept { return m_timers; }
    [[nodiscard]] FactTable *marks() const noexcept { return m_marks; }

private:
    void fill();
    void titleTab(QWidget *page, const QString &title, size_t count);

    const TraceStore *m_store = nullptr;
    SpanId m_span;
    Instant m_now{};
    quint64 m_revision = 0;
    FactTable *m_facts = nullptr;
    FactTable *m_attempts = nullptr;
    FactTable *m_lines = nullptr;
    FactTable *m_timers = nullptr;
    FactTable *m_marks = nullptr;
};

} // namespace Waitscope
