// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timelinekeys.h"

#include <QKeyEvent>

namespace Waitscope {

namespace {

// By character, because some keyboards have these only with AltGr.
std::optional<TimelineKey> ofCharacter(const QString &text)
{
    if (text.size() != 1)
        return std::nullopt;
    switch (text.at(0).unicode()) {
    case u'.':
        return TimelineKey::NextEvent;
    case u',':
        return TimelineKey::PreviousEvent;
    case u']':
        return TimelineKey::NextInChain;
    case u'[':
        return TimelineKey::PreviousInChain;
    case u'+':
        return TimelineKey::Unfold;
    case u'-':
        return TimelineKey::Fold;
    default:
        return std::nullopt;
    }
}

} // namespace

std::optional<TimelineKey> timelineKeyOf(const QKeyEvent &event)
{
    if (const std::optional<TimelineKey> key = ofCharacter(event.text()))
        return key;
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return std::nullopt;
    static constexpr std::pair<int, TimelineKey> keys[] = {
        {Qt::Key_W, TimelineKey::ZoomIn},       {Qt::Key_S, TimelineKey::ZoomOut},
        {Qt::Key_A, TimelineKey::PanLeft},      {Qt::Key_D, TimelineKey::PanRight},
        {Qt::Key_F, TimelineKey::Fit},          {Qt::Key_Home, TimelineKey::Start},
        {Qt::Key_End, TimelineKey::Follow},     {Qt::Key_Space, TimelineKey::Pause},
        {Qt::Key_M, TimelineKey::Bookmark},     {Qt::Key_Up, TimelineKey::Parent},
        {Qt::Key_Down, TimelineKey::Child},     {Qt::Key_Left, TimelineKey::PreviousSpan},
        {Qt::Key_Right, TimelineKey::NextSpan}, {Qt::Key_Return, TimelineKey::Activate},
        {Qt::Key_Enter, TimelineKey::Activate}, {Qt::Key_PageUp, TimelineKey::PageUp},
        {Qt::Key_PageDown, TimelineKey::PageDown}, {Qt::Key_Escape, TimelineKey::Clear},
    };
    for (const auto &[key, meaning] : keys) {
        if (event.key() == key)
            return meaning;
    }
    return std::nullopt;
}

} // namespace Waitscope
