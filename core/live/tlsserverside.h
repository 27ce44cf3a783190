// SPDX-License-Identifier: GPL-3.0-or-later
// The server's side of one TLS connection without a socket: bytes of the wire in, bytes of the wire out.
#pragma once

#include "live/madecertificate.h"

#include <QByteArray>

#include <optional>

using SSL = struct ssl_st;
using BIO = struct bio_st;

namespace Waitscope {

class TlsServerSide
{
public:
    explicit TlsServerSide(TlsContext context);
    ~TlsServerSide();
    Q_DISABLE_COPY_MOVE(TlsServerSide)

    // What the peer sent, decrypted; empty while the handshake goes on. nullopt: it broke the connection off, by an alert
    // or by what is no TLS.
    [[nodiscard]] std::optional<QByteArray> decrypted(const QByteArray &fromWire);
    // Queues plain bytes; only after the handshake.
    void write(const QByteArray &plain);
    void writeCloseNotify();
    // What has to go onto the wire now.
    [[nodiscard]] QByteArray takeForWire();

private:
    TlsContext m_context;
    SSL *m_ssl;
    BIO *m_in;  // the connection owns both
    BIO *m_out;
};

} // namespace Waitscope
