// SPDX-License-Identifier: GPL-3.0-or-later
// Texts on bars as small ready-made images: drawing text anew in every frame is the one choice that alone breaks 60 Hz.
#pragma once

#include "trace/tracestore.h"

#include <QColor>
#include <QFont>
#include <QFontMetricsF>
#include <QHash>
#include <QImage>
#include <QStringList>

#include <array>
#include <unordered_map>

namespace Waitscope {

constexpr size_t mostTexts = 5;
// What a bar may say, from the longest to the shortest; the first one that fits is drawn.
[[nodiscard]] QStringList labelTexts(const SpanInfo &span);

class Labels
{
public:
    // So many texts may be made anew between two calls of beginFrame(): what does not fit is made in the next one.
    static constexpr int perFrame = 300;
    static constexpr int withoutLimit = -1;

    Labels();

    // True when it differs; then everything is made anew.
    bool setStyle(const QFont &font, double pixelRatio);
    [[nodiscard]] const QFont &font() const noexcept { return m_font; }
    void forgetSpans(); // another store

    void beginFrame(int newOnes);
    // Whether something was left for the next frame.
    [[nodiscard]] bool isUnfinished() const noexcept { return m_unfinished; }

    struct Fitting {
        QString text;  // empty where none fits
        int width = 0; // device pixels
        bool later = false; // not known yet, ask again in the next frame
    };
    // The longest text of a span that is no wider than `room` device pixels. `ended` because an end changes what there is to say.
    [[nodiscard]] Fitting fitting(const TraceStore &store, SpanId id, bool ended, int room);

    // Premultiplied, in device pixels; valid until the next call, null when it is for the next frame.
    [[nodiscard]] const QImage *image(const QString &text, int width, const QColor &ink);

private:
    struct Choice {
        std::array<QString, mostTexts> texts;
        std::array<int, mostTexts> widths{}; // 0 = not measured yet
        int count = 0;
    };
    struct ImageKey {
        QString text;
        QRgb ink = 0;
        friend bool operator==(const ImageKey &, const ImageKey &) = default;
        friend size_t qHash(const ImageKey &key, size_t seed) { return ::qHash(key.text, seed) ^ key.ink; }
    };
    [[nodiscard]] Choice *choiceOf(const TraceStore &store, SpanId id, bool ended);
    [[nodiscard]] bool mayMake();

    QFont m_font;
    QFontMetricsF m_metrics;
    double m_pixelRatio = 1;
    int m_newOnes = withoutLimit;
    bool m_unfinished = false;
    // Two generations each: what is asked for moves to the young one, the old one goes when the young one is full. So
    // nothing that is on screen is ever thrown away.
    std::unordered_map<quint64, Choice> m_spans; // by span number and whether it has ended
    std::unordered_map<quint64, Choice> m_oldSpans;
    QHash<ImageKey, QImage> m_images;
    QHash<ImageKey, QImage> m_oldImages;
    qsizetype m_imageBytes = 0; // of the young ones
};

} // namespace Waitscope
