// SPDX-License-Identifier: GPL-3.0-or-later
// A request body that can be sent once and never again.
//
// QNetworkAccessManager silently sends a request up to three more times when the peer closes before complete headers, POST
// too. It asks the body to rewind first; this one refuses, which ends the reply instead.
#pragma once

#include <QByteArray>
#include <QIODevice>

namespace Waitscope {

class OneShotBody : public QIODevice
{
    Q_OBJECT

public:
    explicit OneShotBody(QByteArray body, QObject *parent = nullptr);

    [[nodiscard]] bool isSequential() const override { return false; }
    [[nodiscard]] qint64 size() const override { return m_body.size(); }
    bool reset() override;

Q_SIGNALS:
    void resendRefused();

protected:
    qint64 readData(char *data, qint64 most) override;
    qint64 writeData(const char *data, qint64 size) override;

private:
    const QByteArray m_body;
};

} // namespace Waitscope
