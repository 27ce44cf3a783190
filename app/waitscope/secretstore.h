// SPDX-License-Identifier: GPL-3.0-or-later
// Port: where keys are kept for a person. Only a place that the desktop protects will do; there is no plain-text fallback.
#pragma once

#include "base/problem.h"

#include <QByteArray>
#include <QObject>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace Waitscope {

struct SecretRequest {
    enum class Kind : quint8 { Read, Write, Remove };
    SecretRequest(Kind what, QString of, QByteArray value = {})
        : kind(what)
        , name(std::move(of))
        , secret(std::move(value))
    {
    }
    Kind kind;
    QString name;      // what a person calls it: "openai, work"
    QByteArray secret; // only of Write
};

// Of Read: the secret, or nothing where none is stored under that name. Of the others nothing. A problem never holds a secret.
using SecretAnswer = Expected<std::optional<QByteArray>>;

class SecretStore
{
public:
    SecretStore() = default;
    virtual ~SecretStore() = default;
    Q_DISABLE_COPY_MOVE(SecretStore)

    // `done` is called in the caller's thread, perhaps from inside this call, perhaps never: see PatientSecretStore.
    virtual void ask(const SecretRequest &request, std::function<void(SecretAnswer)> done) = 0;
};

// The desktop's keychain (libsecret, KWallet).
class KeychainStore final : public SecretStore
{
public:
    KeychainStore() = default;
    void ask(const SecretRequest &request, std::function<void(SecretAnswer)> done) override;
};

// Another store whose answers come exactly once, never from inside the call, and at the latest when the time is up: a keychain
// that waits for a password in a dialog nobody sees would hold up whoever asked.
class PatientSecretStore final : public SecretStore
{
public:
    explicit PatientSecretStore(std::unique_ptr<SecretStore> inner, std::chrono::milliseconds patience = std::chrono::seconds(3))
        : m_inner(std::move(inner))
        , m_patience(patience)
    {
    }
    // After this store has gone, nobody is answered.
    void ask(const SecretRequest &request, std::function<void(SecretAnswer)> done) override;
    // nullopt = it can be used; else why not, for whoever greys a choice out. Asks for a name nobody uses.
    void probe(std::function<void(std::optional<Problem>)> done);

private:
    std::unique_ptr<SecretStore> m_inner;
    std::chrono::milliseconds m_patience;
    QObject m_context; // of what is under way
};

} // namespace Waitscope
