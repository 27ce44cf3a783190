// SPDX-License-Identifier: GPL-3.0-or-later
// Texts on bars as small ready-made images: drawing text anew in every frame is the one choice that alone breaks 60 Hz.
#pragma once

#include "trace/tracestore.h"

#include <QColor>
#include <QFont>
#include <QHash>
#include <QImage>
#include <QStringList>

#include <unordered_map>
#include <vector>

namespace Waitscope {

// What a bar may say, from the longest to the shortest; the first one that fits is drawn.
[[nodiscard]] QStringList labelTexts(const SpanInfo &span);

class Labels
{
public:
    void setStyle(const QFont &font, double pixelRatio);

    struct Text {
        QString text;
        int width = 0; // device pixels
    };
    // Of a span; `ended` because an end changes what there is to say. Kept from frame to frame.
    [[nodiscard]] const std::vector<int> &textsOf(const TraceStore &store, SpanId id, bool ended);
    [[nodiscard]] int textId(const QString &text);
    [[nodiscard]] const Text &text(int id) const { return m_texts[static_cast<size_t>(id)]; }
    // The first of them that is no wider than `room` device pixels; -1 if none is.
    [[nodiscard]] int fitting(const std::vector<int> &texts, int room) const;

    // Premultiplied, in device pixels; valid until the next call.
    [[nodiscard]] const QImage &image(int textId, const QColor &ink);

    [[nodiscard]] const QFont &font() const noexcept { return m_font; }
    void forgetSpans(); // another store
    // Between frames: gives memory back when there is too much. True when ids given so far are no longer good.
    [[nodiscard]] bool trim();

private:
    QFont m_font;
    double m_pixelRatio = 1;
    std::vector<Text> m_texts;
    QHash<QString, int> m_ids;
    std::unordered_map<quint64, std::vector<int>> m_spans;   // by span number and whether it has ended
    std::unordered_map<quint64, QImage> m_images;            // by text and ink
    qsizetype m_imageBytes = 0;
};

} // namespace Waitscope
