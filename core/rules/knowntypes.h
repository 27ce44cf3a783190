// SPDX-License-Identifier: GPL-3.0-or-later
// Class names that say by themselves what went wrong, under both rule sets.
#pragma once

#include "base/vocabulary.h"

#include <QString>

#include <array>

namespace Waitscope {

struct OpenprogramTransportType {
    QStringView name;
    QStringView lowered; // as it stands in a lower-cased text
};

// The reference's transport set.
inline constexpr std::array<OpenprogramTransportType, 19> openprogramTransportTypes{{
    {u"BrokenPipeError", u"brokenpipeerror"},
    {u"ConnectError", u"connecterror"},
    {u"ConnectTimeout", u"connecttimeout"},
    {u"ConnectionAbortedError", u"connectionabortederror"},
    {u"ConnectionError", u"connectionerror"},
    {u"ConnectionRefusedError", u"connectionrefusederror"},
    {u"ConnectionResetError", u"connectionreseterror"},
    {u"IncompleteReadError", u"incompletereaderror"},
    {u"NetworkError", u"networkerror"},
    {u"PoolTimeout", u"pooltimeout"},
    {u"ProtocolError", u"protocolerror"},
    {u"ReadError", u"readerror"},
    {u"ReadTimeout", u"readtimeout"},
    {u"RemoteProtocolError", u"remoteprotocolerror"},
    {u"StreamIdleTimeout", u"streamidletimeout"},
    {u"StreamTotalTimeout", u"streamtotaltimeout"},
    {u"TimeoutError", u"timeouterror"},
    {u"WriteError", u"writeerror"},
    {u"WriteTimeout", u"writetimeout"},
}};

// What a class name means to `strict`; ErrorReason::None for a name that says nothing.
[[nodiscard]] ErrorReason strictReasonOfType(QStringView name) noexcept;

// The same name as a text that costs no allocation; empty for a name that says nothing.
[[nodiscard]] QString strictNameOfType(QStringView name);

} // namespace Waitscope
