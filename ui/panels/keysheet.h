// SPDX-License-Identifier: GPL-3.0-or-later
// The list of keys, and beside it what the timeline's colours and signs mean.
#pragma once

#include <QDialog>

namespace Waitscope {

class KeySheet final : public QDialog
{
    Q_OBJECT
public:
    explicit KeySheet(QWidget *parent = nullptr);
};

} // namespace Waitscope
