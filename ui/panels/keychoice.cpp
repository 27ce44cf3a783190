// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/keychoice.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// In the order of the box.
enum Source : int { Variable, Keychain };

} // namespace

KeyChoice::KeyChoice(QWidget *parent)
    : QWidget(parent)
    , m_source(new QComboBox(this))
    , m_name(new QLineEdit(this))
    , m_secret(new QLineEdit(this))
    , m_store(new QPushButton(tr("&Store"), this))
    , m_forget(new QPushButton(tr("For&get"), this))
{
    m_source->addItems({tr("from the variable"), tr("from the keychain, named")});
    m_source->setAccessibleName(tr("Where the key comes from"));
    m_secret->setEchoMode(QLineEdit::Password);
    m_secret->setPlaceholderText(tr("the key, to store it under this name"));
    m_secret->setAccessibleName(tr("The key, to be stored in the keychain"));
    for (QPushButton *button : {m_store, m_forget})
        button->setAutoDefault(false);
    auto *first = new QHBoxLayout;
    first->addWidget(m_source);
    first->addWidget(m_name, 1);
    auto *second = new QHBoxLayout;
    second->addWidget(m_secret, 1);
    second->addWidget(m_store);
    second->addWidget(m_forget);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(first);
    layout->addLayout(second);
    setFocusProxy(m_name);

    const auto change = [this] {
        refresh();
        Q_EMIT changed();
    };
    connect(m_source, &QComboBox::currentIndexChanged, this, change);
    connect(m_name, &QLineEdit::textChanged, this, change);
    connect(m_name, &QLineEdit::returnPressed, this, &KeyChoice::submitted);
    connect(m_secret, &QLineEdit::textChanged, this, &KeyChoice::refresh);
    connect(m_secret, &QLineEdit::returnPressed, this, &KeyChoice::store);
    connect(m_store, &QPushButton::clicked, this, &KeyChoice::store);
    connect(m_forget, &QPushButton::clicked, this, [this] { Q_EMIT forgetWished(keyName()); });
    setKeychainProblem(tr("the desktop's keychain has not answered yet"));
    refresh();
}

QString KeyChoice::keyVariable() const
{
    return m_source->currentIndex() == Variable ? m_name->text().trimmed() : QString();
}

QString KeyChoice::keyName() const
{
    return m_source->currentIndex() == Keychain ? m_name->text().trimmed() : QString();
}

void KeyChoice::set(const QString &keyVariable, const QString &keyName)
{
    m_source->setCurrentIndex(keyName.isEmpty() ? Variable : Keychain);
    m_name->setText(keyName.isEmpty() ? keyVariable : keyName);
}

void KeyChoice::setKeychainProblem(const QString &why)
{
    auto *model = qobject_cast<QStandardItemModel *>(m_source->model());
    model->item(Keychain)->setEnabled(why.isEmpty());
    model->item(Keychain)->setToolTip(why);
    const QString never = tr("The name of a variable, never the key itself; empty sends no key");
    setToolTip(why.isEmpty() ? never : tr("%1\nNo keychain: %2").arg(never, why));
    if (!why.isEmpty() && m_source->currentIndex() == Keychain)
        m_source->setCurrentIndex(Variable);
}

void KeyChoice::refresh()
{
    const bool kept = m_source->currentIndex() == Keychain;
    for (QWidget *part : std::initializer_list<QWidget *>{m_secret, m_store, m_forget})
        part->setVisible(kept);
    m_name->setPlaceholderText(kept ? tr("openai, work") : u"OPENAI_API_KEY"_s);
    m_name->setAccessibleName(kept ? tr("Name of the key in the keychain") : tr("Name of the environment variable that holds the key"));
    const bool named = !m_name->text().trimmed().isEmpty();
    m_store->setEnabled(named && !m_secret->text().isEmpty());
    m_forget->setEnabled(named);
}

void KeyChoice::store()
{
    const QByteArray key = m_secret->text().trimmed().toUtf8();
    m_secret->clear();
    if (!key.isEmpty() && !keyName().isEmpty())
        Q_EMIT storeWished(keyName(), key);
}

} // namespace Waitscope
