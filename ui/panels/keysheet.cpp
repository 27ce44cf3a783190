// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/keysheet.h"

#include "ui/style/theme.h"
#include "ui/timeline/legend.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>

#include <utility>

namespace Waitscope {

namespace {

constexpr int legendWidth = 680;

} // namespace

using namespace Qt::StringLiterals;

KeySheet::KeySheet(QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Keys"));
    const std::pair<QString, QString> keys[] = {
        {u"W  S"_s, tr("zoom in and out at the pointer")},
        {u"A  D"_s, tr("earlier and later")},
        {u"F"_s, tr("everything in view")},
        {u"End"_s, tr("follow the present")},
        {u"Home"_s, tr("to the beginning")},
        {u"Space"_s, tr("hold the view still; the run goes on")},
        {u".  ,"_s, tr("next and previous event")},
        {u"[  ]"_s, tr("back and forth along the chain of causes")},
        {tr("arrow keys"), tr("to the span beside, above, below")},
        {u"Enter"_s, tr("show the span in the inspector")},
        {u"+  −"_s, tr("unfold and fold rows")},
        {u"M"_s, tr("set or remove a bookmark")},
        {tr("Ctrl+wheel"), tr("zoom")},
        {tr("Shift+wheel, middle button"), tr("move in time")},
        {tr("left button, drawn"), tr("measure a stretch of time")},
        {u"Ctrl+R"_s, tr("run a call")},
        {u"Ctrl+T"_s, tr("simulate a fault")},
        {u"Ctrl+."_s, tr("stop every call")},
        {u"Ctrl+O"_s, tr("open a recording")},
        {u"Ctrl+Q"_s, tr("quit")},
        {u"?"_s, tr("this sheet")},
    };
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(5);
    constexpr int perColumn = 11;
    int i = 0;
    for (const auto &[key, what] : keys) {
        auto *name = new QLabel(key, this);
        QFont fixed = fixedFont(font().pointSizeF());
        fixed.setBold(true);
        name->setFont(fixed);
        grid->addWidget(name, i % perColumn, i / perColumn * 2);
        grid->addWidget(new QLabel(what, this), i % perColumn, i / perColumn * 2 + 1);
        ++i;
    }
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(grid);
    layout->addSpacing(8);
    auto *legend = new Legend(this);
    legend->setMinimumSize(legendWidth, legend->heightForWidth(legendWidth));
    layout->addWidget(legend);
    layout->addWidget(buttons);
}

} // namespace Waitscope
