// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of the timeline at 1920 x 1080 over 1e5 and 1e6 spans, beside a frame that only draws an image of that size.
//
// The machine's speed drifts by tens of percent: look at `ratio` (median frame to median image-only frame of the same run)
// before the milliseconds. Times are of the window's thread.
#include "support/synthetictrace.h"
#include "trace/tracestore.h"
#include "ui/style/theme.h"
#include "ui/timeline/timelineview.h"

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QThread>

#include <algorithm>
#include <ctime>
#include <map>

using namespace Waitscope;

namespace {

constexpr int frames = 300;
constexpr QSize screenSize(1920, 1080);

double threadMs()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

double quantile(std::vector<double> values, double q)
{
    std::sort(values.begin(), values.end());
    return values[static_cast<size_t>(q * static_cast<double>(values.size() - 1))];
}

const TraceStore &storeOf(quint64 spans)
{
    static std::map<quint64, std::unique_ptr<TraceStore>> stores;
    std::unique_ptr<TraceStore> &store = stores[spans];
    if (!store) {
        store = std::make_unique<TraceStore>();
        SyntheticTrace what;
        what.tasks = 1000000;
        what.execs = 3;
        what.maxSpans = spans;
        writeSyntheticTrace(*store, what);
    }
    return *store;
}

class ImageOnly final : public QWidget
{
public:
    ImageOnly()
        : m_image(screenSize, QImage::Format_RGB32)
    {
        m_image.fill(Qt::darkGray);
        setAttribute(Qt::WA_OpaquePaintEvent);
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.drawImage(0, 0, m_image);
    }

private:
    QImage m_image;
};

// 100 zooms in, 100 pans with scrolling, 100 zooms out; the whole width is drawn in each.
void step(TimelineView &view, int frame)
{
    Viewport &shown = view.shown();
    const double middle = shown.scale().width() * 0.45;
    constexpr double zoom = 1.0965; // to the hundredth power: 1e4
    if (frame < 100) {
        shown.zoomAt(middle, zoom);
    } else if (frame < 200) {
        shown.panBy(frame % 20 < 10 ? 37 : -23);
        view.verticalScrollBar()->setValue((frame - 100) * 12);
    } else {
        shown.zoomAt(middle, 1 / zoom);
    }
}

void paintScript(benchmark::State &state)
{
    const TraceStore &store = storeOf(static_cast<quint64>(state.range(0)));
    ImageOnly floor;
    floor.resize(screenSize);
    floor.show();
    TimelineView view;
    view.setLegendVisible(false);
    view.resize(screenSize);
    view.setStore(&store);
    view.show();
    QCoreApplication::processEvents();
    std::vector<double> floors;
    std::vector<double> costs;
    for (auto _ : state) {
        view.fit();
        view.viewport()->repaint();
        for (int frame = 0; frame < frames; ++frame) {
            double begin = threadMs();
            floor.repaint();
            floors.push_back(threadMs() - begin);
            begin = threadMs();
            step(view, frame);
            view.viewport()->repaint();
            costs.push_back(threadMs() - begin);
        }
    }
    state.counters["p50_ms"] = quantile(costs, 0.5);
    state.counters["p99_ms"] = quantile(costs, 0.99);
    state.counters["image_ms"] = quantile(floors, 0.5);
    state.counters["ratio"] = quantile(costs, 0.5) / quantile(floors, 0.5);
    state.counters["lanes"] = static_cast<double>(store.laneCount());
    state.counters["late_per_300"] = static_cast<double>(std::count_if(costs.begin(), costs.end(), [](double ms) {
                                         return ms > 16.7;
                                     })) * frames / static_cast<double>(costs.size());
}

// One zoom level, only pans.
void paintPans(benchmark::State &state)
{
    const TraceStore &store = storeOf(static_cast<quint64>(state.range(0)));
    TimelineView view;
    view.setLegendVisible(false);
    view.resize(screenSize);
    view.setStore(&store);
    view.show();
    QCoreApplication::processEvents();
    view.fit();
    view.shown().zoomAt(view.shown().scale().width() / 2.0, static_cast<double>(state.range(1)));
    int frame = 0;
    std::vector<double> costs;
    for (auto _ : state) {
        const double begin = threadMs();
        view.shown().panBy(++frame % 2 == 0 ? 31 : -31);
        view.viewport()->repaint();
        costs.push_back(threadMs() - begin);
    }
    state.counters["p50_ms"] = quantile(costs, 0.5);
    state.counters["p99_ms"] = quantile(costs, 0.99);
}

BENCHMARK(paintScript)->Arg(100000)->Arg(1000000)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(paintPans)
    ->ArgsProduct({{100000, 1000000}, {1, 3, 10, 100, 1000, 10000}})
    ->Iterations(60)
    ->Unit(benchmark::kMillisecond);

} // namespace

int main(int argc, char **argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    applyTheme(Theme::Light);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
