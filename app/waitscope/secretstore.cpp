// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/waitscope/secretstore.h"

#include <QPointer>
#include <QTimer>

#include <qt6keychain/keychain.h>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

QString service()
{
    return u"waitscope"_s;
}

QString place()
{
    return u"keychain"_s;
}

QString said(const QKeychain::Job &job)
{
    switch (job.error()) {
    case QKeychain::NoBackendAvailable:
    case QKeychain::NotImplemented:
        return u"this desktop offers none"_s;
    case QKeychain::AccessDeniedByUser:
    case QKeychain::AccessDenied:
        return u"access was denied"_s;
    case QKeychain::CouldNotDeleteEntry:
        return u"the entry could not be removed"_s;
    case QKeychain::NoError:
    case QKeychain::EntryNotFound:
    case QKeychain::OtherError:
        break;
    }
    const QString words = job.errorString().simplified();
    return words.isEmpty() ? u"it failed without saying why"_s : words;
}

SecretAnswer answerOf(const QKeychain::Job &job, std::optional<QByteArray> read)
{
    if (job.error() == QKeychain::NoError)
        return read;
    if (job.error() == QKeychain::EntryNotFound)
        return std::nullopt;
    return unavailable(place(), said(job), u"a key in an environment variable always works"_s);
}

// Jobs delete themselves once they have finished.
void start(QKeychain::Job &job, const QString &name)
{
    job.setKey(name);
    job.setInsecureFallback(false);
    job.start();
}

} // namespace

void KeychainStore::ask(const SecretRequest &request, std::function<void(SecretAnswer)> done)
{
    switch (request.kind) {
    case SecretRequest::Kind::Read: {
        auto *job = new QKeychain::ReadPasswordJob(service());
        QObject::connect(job, &QKeychain::Job::finished, job, [job, done = std::move(done)] {
            done(answerOf(*job, job->binaryData()));
        });
        start(*job, request.name);
        return;
    }
    case SecretRequest::Kind::Write: {
        auto *job = new QKeychain::WritePasswordJob(service());
        job->setBinaryData(request.secret);
        QObject::connect(job, &QKeychain::Job::finished, job, [job, done = std::move(done)] { done(answerOf(*job, std::nullopt)); });
        start(*job, request.name);
        return;
    }
    case SecretRequest::Kind::Remove: {
        auto *job = new QKeychain::DeletePasswordJob(service());
        QObject::connect(job, &QKeychain::Job::finished, job, [job, done = std::move(done)] { done(answerOf(*job, std::nullopt)); });
        start(*job, request.name);
        return;
    }
    }
    Q_UNREACHABLE();
}

void PatientSecretStore::ask(const SecretRequest &request, std::function<void(SecretAnswer)> done)
{
    // The timer stands for the question: whoever is first to answer takes it away.
    auto *pending = new QTimer(&m_context);
    pending->setSingleShot(true);
    const QPointer<QTimer> open(pending);
    const auto answer = [open, done = std::move(done)](SecretAnswer said) {
        if (!open)
            return;
        delete open.data();
        done(std::move(said));
    };
    QObject::connect(pending, &QTimer::timeout, &m_context, [this, answer] {
        answer(unavailable(place(), u"it did not answer within %1 s"_s.arg(static_cast<double>(m_patience.count()) / 1000),
                           u"unlock it and try again; a key in an environment variable always works"_s));
    });
    pending->start(m_patience);
    QObject *context = &m_context;
    m_inner->ask(request, [context = QPointer<QObject>(context), answer](SecretAnswer said) {
        if (!context)
            return;
        QMetaObject::invokeMethod(
            context.data(), [answer, said = std::move(said)] { answer(said); }, Qt::QueuedConnection);
    });
}

void PatientSecretStore::probe(std::function<void(std::optional<Problem>)> done)
{
    ask(SecretRequest(SecretRequest::Kind::Read, u"waitscope-probe"_s), [done = std::move(done)](const SecretAnswer &answer) {
        if (answer)
            done(std::nullopt);
        else
            done(answer.error());
    });
}

} // namespace Waitscope
