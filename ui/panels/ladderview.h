// SPDX-License-Identifier: GPL-3.0-or-later
// The stack of layers a call is in, outermost on top, the one that holds it marked.
#pragma once

#include "analysis/verdict.h"

#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace Waitscope {

class Readout;

// One layer: its colour as a strip, its name, what it is at. Enter or a click chooses its span.
class RungRow final : public QWidget
{
    Q_OBJECT
public:
    explicit RungRow(QWidget *parent = nullptr);
    // `controls` is a tip: the settings the layer owns.
    void showRung(const LadderRung &rung, int depth, const QString &controls);

Q_SIGNALS:
    void chosen(SpanId span);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    Readout *m_name = nullptr;
    Readout *m_mark = nullptr;
    Readout *m_text = nullptr;
    Layer m_layer = Layer::Task;
    int m_depth = -1;
    bool m_holds = false;
    SpanId m_span;
};

class LadderView final : public QWidget
{
    Q_OBJECT
public:
    explicit LadderView(QWidget *parent = nullptr);
    void showVerdict(const Verdict &verdict, const TraceHeader &header);

Q_SIGNALS:
    void spanChosen(SpanId span);

private:
    std::vector<RungRow *> m_rows;
    QVBoxLayout *m_layout = nullptr;
};

} // namespace Waitscope
