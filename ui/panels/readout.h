// SPDX-License-Identifier: GPL-3.0-or-later
// A text that ticks: repaints only when it changes and never moves its neighbours, unlike a label.
#pragma once

#include "ui/style/palette.h"

#include <QWidget>

namespace Waitscope {

// What a text means; the colour follows from the palette of the scheme.
enum class Ink : quint8 { Text, Dim, Good, Warning, Bad, Neutral, Alarm, Timer };

[[nodiscard]] QColor colourOf(const Palette &palette, Ink ink);

class Readout final : public QWidget
{
    Q_OBJECT
public:
    // One line, cut with an ellipsis where it does not fit; the whole text is then in the tip.
    explicit Readout(QWidget *parent = nullptr);
    // Wrapped: so many lines are always reserved; a text that needs more gets more.
    Readout(int lines, QWidget *parent);

    void setText(const QString &text);
    [[nodiscard]] QString text() const { return m_text; }
    void setInk(Ink ink);
    void setAlignment(Qt::Alignment alignment);
    void setElideMode(Qt::TextElideMode mode);
    // Room for this text is kept whatever stands there; for columns of numbers.
    void setRoomFor(const QString &text);

    [[nodiscard]] bool hasHeightForWidth() const override { return m_wrapped; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

    [[nodiscard]] int paints() const noexcept { return m_paints; } // for tests of idleness

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    [[nodiscard]] int linesNeeded(int width) const;
    void fitLines(bool sameButForDigits);
    void showWholeTextAsTip();

    QString m_text;
    QString m_room;
    Qt::Alignment m_alignment = Qt::AlignLeft | Qt::AlignTop;
    Qt::TextElideMode m_elide = Qt::ElideRight;
    Ink m_ink = Ink::Text;
    bool m_wrapped = false;
    int m_lines = 1;
    int m_shownLines = 1; // at the present width
    int m_paints = 0;
};

} // namespace Waitscope
