// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/tlsserverside.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

namespace Waitscope {

TlsServerSide::TlsServerSide(TlsContext context)
    : m_context(std::move(context))
    , m_ssl(SSL_new(m_context.get()))
    , m_in(BIO_new(BIO_s_mem()))
    , m_out(BIO_new(BIO_s_mem()))
{
    SSL_set_bio(m_ssl, m_in, m_out);
    SSL_set_accept_state(m_ssl);
}

TlsServerSide::~TlsServerSide()
{
    SSL_free(m_ssl);
}

std::optional<QByteArray> TlsServerSide::decrypted(const QByteArray &fromWire)
{
    BIO_write(m_in, fromWire.constData(), static_cast<int>(fromWire.size()));
    QByteArray plain;
    char piece[16 * 1024];
    for (;;) {
        // An old error of this thread's would be taken for this call's.
        ERR_clear_error();
        const int got = SSL_read(m_ssl, piece, sizeof piece);
        if (got > 0) {
            plain.append(piece, got);
            continue;
        }
        const int error = SSL_get_error(m_ssl, got);
        if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE || error == SSL_ERROR_ZERO_RETURN)
            return plain;
        return std::nullopt;
    }
}

void TlsServerSide::write(const QByteArray &plain)
{
    if (!plain.isEmpty())
        SSL_write(m_ssl, plain.constData(), static_cast<int>(plain.size())); // memory takes everything
}

void TlsServerSide::writeCloseNotify()
{
    if (SSL_is_init_finished(m_ssl))
        SSL_shutdown(m_ssl);
}

QByteArray TlsServerSide::takeForWire()
{
    QByteArray bytes(static_cast<qsizetype>(BIO_ctrl_pending(m_out)), Qt::Uninitialized);
    if (!bytes.isEmpty())
        BIO_read(m_out, bytes.data(), static_cast<int>(bytes.size()));
    return bytes;
}

} // namespace Waitscope
