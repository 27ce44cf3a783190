// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/madecertificate.h"

#include <QHostAddress>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <optional>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr long day = 24 * 60 * 60;

tl::unexpected<Problem> failure()
{
    char text[256] = "";
    ERR_error_string_n(ERR_get_error(), text, sizeof text);
    return unavailable(u"the fault server's certificates"_s, u"cannot be made: "_s + QString::fromLatin1(text));
}

struct Wish {
    QByteArray commonName;
    QByteArray alternativeNames; // "DNS:localhost,IP:127.0.0.1"; empty for an authority
    long begins = -day;          // s from now
    long ends = 30 * day;
};

bool addExtension(X509 *certificate, X509 *issuer, int kind, const QByteArray &value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.constData());
    const bool added = extension && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return added;
}

// Signed with `issuerKey`; without an `issuer` by itself.
X509Ptr signedCertificate(const Wish &wish, EVP_PKEY *key, X509 *issuer, EVP_PKEY *issuerKey)
{
    X509Ptr made(X509_new());
    X509 *x = made.get();
    if (!x)
        return nullptr;
    X509_set_version(x, 2); // counted from 0: version 3
    uchar serial[16];
    RAND_bytes(serial, sizeof serial);
    serial[0] &= 0x7F; // positive
    BIGNUM *number = BN_bin2bn(serial, sizeof serial, nullptr);
    BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x));
    BN_free(number);
    X509_gmtime_adj(X509_getm_notBefore(x), wish.begins);
    X509_gmtime_adj(X509_getm_notAfter(x), wish.ends);
    X509_set_pubkey(x, key);
    X509_NAME *name = X509_get_subject_name(x);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const uchar *>(wish.commonName.constData()), -1, -1, 0);
    X509_set_issuer_name(x, issuer ? X509_get_subject_name(issuer) : name);
    const bool isAuthority = wish.alternativeNames.isEmpty();
    bool whole = addExtension(x, issuer ? issuer : x, NID_basic_constraints, isAuthority ? "critical,CA:TRUE" : "critical,CA:FALSE");
    whole = whole
        && addExtension(x, issuer ? issuer : x, NID_key_usage, isAuthority ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature");
    if (!isAuthority) {
        whole = whole && addExtension(x, issuer ? issuer : x, NID_ext_key_usage, "serverAuth")
            && addExtension(x, issuer ? issuer : x, NID_subject_alt_name, wish.alternativeNames);
    }
    if (!whole || X509_sign(x, issuerKey, EVP_sha256()) == 0)
        return nullptr;
    return made;
}

QByteArray namesFor(const QString &host)
{
    const bool isAddress = !QHostAddress(host).isNull();
    return "DNS:localhost," + QByteArray(isAddress ? "IP:" : "DNS:") + host.toLatin1();
}

} // namespace

void OpenSslDeleter::operator()(X509 *certificate) const noexcept
{
    X509_free(certificate);
}

void OpenSslDeleter::operator()(EVP_PKEY *key) const noexcept
{
    EVP_PKEY_free(key);
}

void OpenSslDeleter::operator()(SSL_CTX *context) const noexcept
{
    SSL_CTX_free(context);
}

Expected<std::unique_ptr<MadeAuthority>> MadeAuthority::make()
{
    std::unique_ptr<MadeAuthority> authority(new MadeAuthority);
    authority->m_key.reset(EVP_EC_gen("P-256"));
    Wish wish;
    wish.commonName = "Waitscope fault server, made for one run";
    if (authority->m_key)
        authority->m_certificate = signedCertificate(wish, authority->m_key.get(), nullptr, authority->m_key.get());
    if (!authority->m_certificate)
        return failure();
    return authority;
}

QByteArray MadeAuthority::pem() const
{
    BIO *memory = BIO_new(BIO_s_mem());
    PEM_write_bio_X509(memory, m_certificate.get());
    char *data = nullptr;
    const long size = BIO_get_mem_data(memory, &data);
    QByteArray text(data, size);
    BIO_free(memory);
    return text;
}

Expected<TlsContext> MadeAuthority::contextFor(MadeCertificate kind, const QString &host) const
{
    Wish wish;
    wish.commonName = host.toLatin1();
    wish.alternativeNames = namesFor(host);
    if (kind == MadeCertificate::WrongHost) {
        wish.commonName = "elsewhere.invalid";
        wish.alternativeNames = "DNS:elsewhere.invalid";
    } else if (kind == MadeCertificate::Expired) {
        wish.begins = -30 * day;
        wish.ends = -day;
    }
    const KeyPtr key(EVP_EC_gen("P-256"));
    if (!key)
        return failure();
    const bool alone = kind == MadeCertificate::SelfSigned;
    const X509Ptr certificate =
        signedCertificate(wish, key.get(), alone ? nullptr : m_certificate.get(), alone ? key.get() : m_key.get());
    const TlsContext context(SSL_CTX_new(TLS_server_method()), OpenSslDeleter());
    if (!certificate || !context || SSL_CTX_use_certificate(context.get(), certificate.get()) != 1
        || SSL_CTX_use_PrivateKey(context.get(), key.get()) != 1)
        return failure();
    // A resumed session would skip the handshake that a scenario is about.
    SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context.get(), 0);
    return context;
}

} // namespace Waitscope
