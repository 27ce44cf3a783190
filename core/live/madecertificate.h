// SPDX-License-Identifier: GPL-3.0-or-later
// Certificates for a fault server's TLS, made when it starts: the keys live in memory only and protect nothing.
#pragma once

#include "base/problem.h"

#include <QByteArray>
#include <QString>

#include <memory>

using X509 = struct x509_st;
using EVP_PKEY = struct evp_pkey_st;
using SSL_CTX = struct ssl_ctx_st;

namespace Waitscope {

struct OpenSslDeleter {
    void operator()(X509 *certificate) const noexcept;
    void operator()(EVP_PKEY *key) const noexcept;
    void operator()(SSL_CTX *context) const noexcept;
};
using X509Ptr = std::unique_ptr<X509, OpenSslDeleter>;
using KeyPtr = std::unique_ptr<EVP_PKEY, OpenSslDeleter>;
// What a server needs to speak TLS: shared by its connections.
using TlsContext = std::shared_ptr<SSL_CTX>;

enum class MadeCertificate : quint8 {
    Proper,     // signed by the authority, valid, for the host and for localhost
    Expired,    // the same, but it ended yesterday
    WrongHost,  // for another host
    SelfSigned, // for the host, signed by nobody else
};

class MadeAuthority
{
public:
    // An authority and a key of its own. The problem: libcrypto's words.
    [[nodiscard]] static Expected<std::unique_ptr<MadeAuthority>> make();

    // The authority's certificate, for a client that is to trust it.
    [[nodiscard]] QByteArray pem() const;

    // `host`: an address or a name.
    [[nodiscard]] Expected<TlsContext> contextFor(MadeCertificate kind, const QString &host) const;

private:
    MadeAuthority() = default;

    KeyPtr m_key;
    X509Ptr m_certificate;
};

} // namespace Waitscope
