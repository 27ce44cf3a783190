// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/ladderview.h"

#include "ui/panels/readout.h"
#include "ui/style/palette.h"
#include "ui/style/words.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOptionFocusRect>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int stripWidth = 6;
constexpr int indent = 10;

QString prefixOf(Layer layer)
{
    return layer == Layer::Task ? u"harness."_s : QString(wordOf(layer)) + u'.';
}

// The stream rung stands for the request too.
QString controlsOf(Layer layer, const TraceHeader &header)
{
    QStringList lines;
    for (const ShownSetting &setting : header.policy) {
        if (setting.name.startsWith(prefixOf(layer)) || (layer == Layer::Stream && setting.name.startsWith(u"http."_s)))
            lines << setting.name + u" = "_s + setting.value;
    }
    return lines.join(u'\n');
}

} // namespace

RungRow::RungRow(QWidget *parent)
    : QWidget(parent)
    , m_name(new Readout(this))
    , m_mark(new Readout(this))
    , m_text(new Readout(1, this))
{
    QFont bold = font();
    bold.setBold(true);
    m_name->setFont(bold);
    m_name->setRoomFor(u"session"_s);
    m_mark->setFont(bold);
    m_mark->setInk(Ink::Timer);
    setFocusPolicy(Qt::TabFocus);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    auto *names = new QVBoxLayout;
    names->setSpacing(0);
    names->addWidget(m_name);
    names->addWidget(m_mark);
    names->addStretch(1);
    auto *line = new QHBoxLayout(this);
    line->setSpacing(8);
    line->addLayout(names);
    line->addWidget(m_text, 1);
}

void RungRow::showRung(const LadderRung &rung, int depth, const QString &controls)
{
    m_span = rung.span;
    const QString name = shownWord(rung.layer);
    m_name->setText(name);
    m_mark->setText(rung.holds ? tr("holds it") : QString());
    m_mark->setVisible(rung.holds);
    m_text->setText(rung.text);
    m_text->setInk(rung.holds ? Ink::Text : Ink::Dim);
    if (toolTip() != controls)
        setToolTip(controls);
    if (accessibleName() != name)
        setAccessibleName(name);
    if (depth != m_depth) {
        m_depth = depth;
        layout()->setContentsMargins(stripWidth + 8 + depth * indent, 4, 4, 4);
    }
    if (rung.layer != m_layer || rung.holds != m_holds) {
        m_layer = rung.layer;
        m_holds = rung.holds;
        update();
    }
    setVisible(true);
}

void RungRow::paintEvent(QPaintEvent *)
{
    const Palette &colours = paletteOf(schemeOf(palette()));
    QPainter painter(this);
    const QRect body = rect().adjusted(m_depth * indent, 1, 0, -1);
    painter.fillRect(body, m_holds ? colours.base : colours.alternate);
    painter.fillRect(QRect(body.left(), body.top(), stripWidth, body.height()), colours.layer(m_layer));
    if (m_holds) {
        painter.setPen(QPen(colours.timer, 1));
        painter.drawRect(body.adjusted(0, 0, -1, -1));
    }
    if (hasFocus()) {
        QStyleOptionFocusRect focus;
        focus.initFrom(this);
        focus.rect = body.adjusted(stripWidth + 1, 1, -2, -2);
        style()->drawPrimitive(QStyle::PE_FrameFocusRect, &focus, &painter, this);
    }
}

void RungRow::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        Q_EMIT chosen(m_span);
}

void RungRow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
        Q_EMIT chosen(m_span);
    else
        QWidget::keyPressEvent(event);
}

LadderView::LadderView(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(2);
}

void LadderView::showVerdict(const Verdict &verdict, const TraceHeader &header)
{
    while (m_rows.size() < verdict.rungs.size()) {
        auto *row = new RungRow(this);
        connect(row, &RungRow::chosen, this, &LadderView::spanChosen);
        m_layout->addWidget(row);
        m_rows.push_back(row);
    }
    for (size_t i = 0; i < m_rows.size(); ++i) {
        if (i < verdict.rungs.size())
            m_rows[i]->showRung(verdict.rungs[i], static_cast<int>(i), controlsOf(verdict.rungs[i].layer, header));
        else
            m_rows[i]->hide();
    }
}

} // namespace Waitscope
