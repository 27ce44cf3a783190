// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline widget: ruler, lane headers, rows and legend over one store; keyboard and mouse as the key sheet says.
#pragma once

#include "trace/tracestore.h"
#include "ui/timeline/accessibletimeline.h"
#include "ui/timeline/viewport.h"

#include <QAbstractScrollArea>
#include <QImage>

#include <functional>
#include <memory>

namespace Waitscope {

class TimelineView final : public QAbstractScrollArea, public SpokenSpans
{
    Q_OBJECT
public:
    explicit TimelineView(QWidget *parent = nullptr);
    ~TimelineView() override;

    // The store is read in this thread and outlives its use here; null shows an empty timeline. Fits what is there.
    void setStore(const TraceStore *store);
    // The run's nominal time for open spans; an empty function when the run has ended (now = the store's last time).
    void setNow(std::function<Instant()> now);
    // Bars of a simulated run are hatched.
    void setSimulated(bool simulated);
    void setLegendVisible(bool visible);

    // Range, follow, pause, selection, measured range and bookmarks, with their signals.
    [[nodiscard]] Viewport &shown() noexcept;

    // Draws what is visible at another size or on paper: headers, ruler, rows and legend. `vector`: shapes and text instead
    // of an image of pixels.
    void paint(QPainter &painter, const QRectF &rect, bool vector);
    [[nodiscard]] QImage renderToImage(QSize size, double pixelRatio = 1.0);

    // Lane of the selected span scrolled into view, the span in the visible range.
    void reveal(SpanId id);

    struct Counters {
        quint64 paints = 0;    // paint events of the rows
        quint64 rowsDrawn = 0; // rows composed anew
    };
    [[nodiscard]] Counters counters() const noexcept;

    [[nodiscard]] std::vector<SpokenSpan> spokenSpans() const override;
    [[nodiscard]] quint64 generation() const override;
    [[nodiscard]] SpanId selectedSpan() const override;
    void selectSpan(SpanId id) override;
    [[nodiscard]] QString spokenTitle() const override;

    [[nodiscard]] QSize sizeHint() const override { return {1000, 500}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {360, 160}; }

public Q_SLOTS:
    void storeChanged(); // after each batch of events

    void zoomIn();
    void zoomOut();
    void panLeft();
    void panRight();
    void fit();
    void goToStart();
    void follow();
    void togglePaused();
    void goToNextEvent();
    void goToPreviousEvent();
    void goToNextInChain();
    void goToPreviousInChain();
    void toggleBookmark();
    void collapseAll();
    void expandAll();

Q_SIGNALS:
    void spanActivated(SpanId id); // double click or Enter: the inspector should show it

protected:
    bool event(QEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    struct Parts;
    std::unique_ptr<Parts> d;
};

} // namespace Waitscope
