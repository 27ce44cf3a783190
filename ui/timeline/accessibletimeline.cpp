// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/accessibletimeline.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QWidget>

#include <algorithm>
#include <unordered_map>

namespace Waitscope {

namespace {

class AccessibleTimeline;

class AccessibleSpan final : public QAccessibleInterface, public QAccessibleActionInterface
{
public:
    AccessibleSpan(QWidget *timeline, SpokenSpan span)
        : m_timeline(timeline)
        , m_span(std::move(span))
    {
    }
    void setSpan(SpokenSpan span) { m_span = std::move(span); }
    [[nodiscard]] SpanId span() const { return m_span.id; }

    bool isValid() const override { return true; }
    QObject *object() const override { return nullptr; }
    QWindow *window() const override { return nullptr; }
    QAccessibleInterface *parent() const override { return QAccessible::queryAccessibleInterface(m_timeline); }
    QAccessibleInterface *child(int) const override { return nullptr; }
    QAccessibleInterface *childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface *) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    QRect rect() const override { return QRect(m_timeline->mapToGlobal(m_span.rect.topLeft()), m_span.rect.size()); }
    void setText(QAccessible::Text, const QString &) override { }
    QString text(QAccessible::Text kind) const override
    {
        if (kind == QAccessible::Name)
            return m_span.name;
        return kind == QAccessible::Description ? m_span.description : QString();
    }
    QAccessible::State state() const override;
    void *interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface *>(this) : nullptr;
    }

    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString &name) override;
    QStringList keyBindingsForAction(const QString &) const override { return {}; }

private:
    QWidget *m_timeline;
    SpokenSpan m_span;
};

SpokenSpans *spansOf(QWidget *timeline)
{
    return dynamic_cast<SpokenSpans *>(timeline);
}

QAccessible::State AccessibleSpan::state() const
{
    QAccessible::State state;
    state.selectable = true;
    state.readOnly = true;
    state.selected = spansOf(m_timeline)->selectedSpan() == m_span.id;
    return state;
}

void AccessibleSpan::doAction(const QString &name)
{
    if (name == pressAction())
        spansOf(m_timeline)->selectSpan(m_span.id);
}

class AccessibleTimeline final : public QAccessibleWidget
{
public:
    explicit AccessibleTimeline(QWidget *timeline)
        : QAccessibleWidget(timeline, QAccessible::List)
    {
    }
    ~AccessibleTimeline() override
    {
        for (const QAccessible::Id id : m_order)
            QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override
    {
        renew();
        return static_cast<int>(m_order.size());
    }
    QAccessibleInterface *child(int index) const override
    {
        renew();
        if (index < 0 || index >= static_cast<int>(m_order.size()))
            return nullptr;
        return QAccessible::accessibleInterface(m_order[static_cast<size_t>(index)]);
    }
    int indexOfChild(const QAccessibleInterface *child) const override
    {
        renew();
        const auto it = std::find_if(m_order.begin(), m_order.end(), [child](QAccessible::Id id) {
            return QAccessible::accessibleInterface(id) == child;
        });
        return it == m_order.end() ? -1 : static_cast<int>(it - m_order.begin());
    }
    QAccessibleInterface *childAt(int x, int y) const override
    {
        renew();
        for (const QAccessible::Id id : m_order) {
            QAccessibleInterface *child = QAccessible::accessibleInterface(id);
            if (child && child->rect().contains(x, y))
                return child;
        }
        return nullptr;
    }
    QAccessibleInterface *focusChild() const override
    {
        renew();
        const auto it = m_ids.find(spansOf(widget())->selectedSpan());
        return it == m_ids.end() ? nullptr : QAccessible::accessibleInterface(it->second);
    }
    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Name ? spansOf(widget())->spokenTitle() : QAccessibleWidget::text(kind);
    }

private:
    // Interfaces of spans that stay in view stay the same: a reader may hold them.
    void renew() const
    {
        SpokenSpans *spans = spansOf(widget());
        if (m_generation == spans->generation())
            return;
        m_generation = spans->generation();
        std::unordered_map<SpanId, QAccessible::Id> before;
        std::swap(before, m_ids);
        m_order.clear();
        for (SpokenSpan &span : spans->spokenSpans()) {
            const SpanId id = span.id;
            QAccessible::Id known = 0;
            if (const auto it = before.find(id); it != before.end()) {
                known = it->second;
                before.erase(it);
                static_cast<AccessibleSpan *>(QAccessible::accessibleInterface(known))->setSpan(std::move(span));
            } else {
                known = QAccessible::registerAccessibleInterface(new AccessibleSpan(widget(), std::move(span)));
            }
            m_ids.emplace(id, known);
            m_order.push_back(known);
        }
        for (const auto &[span, id] : before)
            QAccessible::deleteAccessibleInterface(id);
    }

    mutable std::vector<QAccessible::Id> m_order;
    mutable std::unordered_map<SpanId, QAccessible::Id> m_ids;
    mutable quint64 m_generation = 0;
};

QAccessibleInterface *accessibleOf(const QString &, QObject *object)
{
    auto *widget = qobject_cast<QWidget *>(object);
    return widget && spansOf(widget) ? new AccessibleTimeline(widget) : nullptr;
}

} // namespace

void installAccessibleTimeline()
{
    static const bool installed = [] {
        QAccessible::installFactory(accessibleOf);
        return true;
    }();
    Q_UNUSED(installed)
}

void tellSelection(QWidget *timeline)
{
    if (!QAccessible::isActive())
        return;
    QAccessibleEvent event(timeline, QAccessible::Selection);
    QAccessible::updateAccessibility(&event);
}

} // namespace Waitscope
