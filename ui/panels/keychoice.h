// SPDX-License-Identifier: GPL-3.0-or-later
// Where a call's key comes from: an environment variable, or the desktop's keychain under a name. The key itself is only ever
// typed to be stored, and is gone from the form at once.
#pragma once

#include <QByteArray>
#include <QString>
#include <QWidget>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace Waitscope {

class KeyChoice final : public QWidget
{
    Q_OBJECT
public:
    explicit KeyChoice(QWidget *parent = nullptr);

    [[nodiscard]] QString keyVariable() const; // empty unless a variable is named
    [[nodiscard]] QString keyName() const;     // the same of the keychain
    void set(const QString &keyVariable, const QString &keyName);
    // Why the keychain cannot be used, which greys it; empty = it can. Until told it cannot.
    void setKeychainProblem(const QString &why);

Q_SIGNALS:
    void changed();
    void submitted(); // return was pressed
    void storeWished(const QString &name, const QByteArray &key);
    void forgetWished(const QString &name);

private:
    void refresh();
    void store();

    QComboBox *m_source = nullptr;
    QLineEdit *m_name = nullptr;
    QLineEdit *m_secret = nullptr;
    QPushButton *m_store = nullptr;
    QPushButton *m_forget = nullptr;
};

} // namespace Waitscope
