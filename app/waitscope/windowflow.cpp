// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/waitscope/windowflow.h"

#include "app/waitscope/session.h"
#include "ui/style/theme.h"
#include "ui/timeline/timelineview.h"

#include <QApplication>
#include <QTimer>

#include <cstdio>

namespace Waitscope {

using namespace Qt::StringLiterals;

int runWindow(const WindowOptions &options)
{
    Session session;
    TimelineView view;
    view.resize(options.size);
    QObject::connect(&session, &Session::storeReplaced, &view, [&view](const TraceStore *store, bool simulated, const QString &title) {
        view.setSimulated(simulated);
        view.setStore(store);
        view.setWindowTitle(title);
    });
    QObject::connect(&session, &Session::storeChanged, &view, &TimelineView::storeChanged);
    QObject::connect(&session, &Session::stateChanged, &view, [&] { view.setNow(session.nowFunction()); });
    QObject::connect(&session, &Session::problem, &view, [](const QString &line) {
        std::fputs(qPrintable(u"waitscope: "_s + line + u'\n'), stderr);
    });
    view.show();
    if (!options.demo.isEmpty())
        session.demo(options.demo);
    if (!options.screenshot.isEmpty()) {
        const auto picture = [&] {
            view.fit();
            const bool saved = view.grab().save(options.screenshot);
            for (const QString &line : session.summary())
                std::puts(qPrintable(line));
            QApplication::exit(saved ? 0 : 3);
        };
        if (options.after)
            QTimer::singleShot(*options.after, &view, picture);
        else
            QObject::connect(&session, &Session::stateChanged, &view, [&session, picture] {
                if (!session.isRunning())
                    picture();
            });
    }
    return QApplication::exec();
}

} // namespace Waitscope
