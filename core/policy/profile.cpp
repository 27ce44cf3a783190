// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/profile.h"

#include "base/wholefile.h"
#include "policy/nearness.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr auto folder = ":/waitscope/profiles"_L1;

QString placeOf(const QString &file, const QByteArray &json, qsizetype offset)
{
    return file + u':' + QString::number(json.left(offset).count('\n') + 1);
}

// Where a key stands; a key that was written with escapes is not found, and the file alone is named.
QString placeOfKey(const QString &file, const QByteArray &json, const QString &key)
{
    const qsizetype at = json.indexOf('"' + key.toUtf8() + '"');
    return at < 0 ? file : placeOf(file, json, at);
}

// The spelling that parseValue() reads, of what a file may hold for a setting.
std::optional<QString> spelled(const QJsonValue &value)
{
    if (value.isBool())
        return value.toBool() ? u"true"_s : u"false"_s;
    if (value.isDouble())
        return spellNumber(value.toDouble());
    if (value.isString())
        return value.toString();
    return std::nullopt;
}

// QJsonDocument takes the last of two equal keys without a word.
bool isTwice(const QByteArray &json, const QString &key)
{
    static const QString form = u"\"%1\"\\s*:"_s;
    const QRegularExpression pattern(form.arg(QRegularExpression::escape(key)));
    return QString::fromUtf8(json).count(pattern) > 1;
}

class Reader
{
public:
    Reader(const QByteArray &json, const QString &file)
        : m_json(json)
        , m_file(file)
    {
    }

    Expected<Profile> read()
    {
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(m_json, &error);
        if (error.error != QJsonParseError::NoError)
            return usageProblem(placeOf(m_file, m_json, error.offset), u"not JSON: "_s + error.errorString());
        if (!document.isObject())
            return usageProblem(m_file, u"not a profile"_s, u"a profile is a JSON object"_s);
        const QJsonObject root = document.object();
        const QStringList known{u"name"_s, u"title"_s, u"about"_s, u"sources"_s, u"settings"_s};
        for (const QString &key : root.keys()) {
            if (!known.contains(key))
                return fault(key, u"no profile has this key"_s, suggestion(key, known));
        }
        for (const auto &[key, member] : {std::pair(u"name"_s, &m_profile.name), std::pair(u"title"_s, &m_profile.title),
                                          std::pair(u"about"_s, &m_profile.about)}) {
            if (!root[key].isString())
                return fault(key, u"a text is missing here"_s);
            *member = root[key].toString();
        }
        if (m_profile.name.isEmpty())
            return fault(u"name"_s, u"the name is empty"_s);
        if (root.contains(u"sources"_s) && !root[u"sources"_s].isArray())
            return fault(u"sources"_s, u"not a list of texts"_s);
        for (const QJsonValue &source : root[u"sources"_s].toArray()) {
            if (!source.isString())
                return fault(u"sources"_s, u"not a list of texts"_s);
            m_profile.sources << source.toString();
        }
        if (!root[u"settings"_s].isObject())
            return fault(u"settings"_s, u"an object of settings is missing here"_s);
        return readSettings(root[u"settings"_s].toObject());
    }

private:
    tl::unexpected<Problem> fault(const QString &key, const QString &what, const QString &advice = {}) const
    {
        return usageProblem(placeOfKey(m_file, m_json, key), key + u": "_s + what, advice);
    }

    Expected<Profile> readSettings(const QJsonObject &settings)
    {
        for (auto it = settings.begin(); it != settings.end(); ++it) {
            const QString key = it.key();
            const std::optional<Setting> setting = settingNamed(key);
            if (!setting)
                return at(key, unknownSetting(key).value());
            if (isTwice(m_json, key))
                return fault(key, u"written twice"_s);
            if (it.value().isNull()) {
                m_profile.unknown.push_back(*setting);
                m_profile.policy = m_profile.policy.with(*setting, m_profile.policy.value(*setting),
                                                         u"unknown in profile "_s + m_profile.name);
                continue;
            }
            const std::optional<QString> text = spelled(it.value());
            if (!text)
                return fault(key, u"not a value"_s, u"it takes "_s + describeChoices(infoOf(*setting)));
            Expected<SettingValue> value = parseValue(infoOf(*setting), *text);
            if (!value)
                return at(key, value.error());
            m_profile.policy = m_profile.policy.with(*setting, *std::move(value), u"profile "_s + m_profile.name);
        }
        return m_profile;
    }

    // A setting's own problem, with the place in the file before it.
    tl::unexpected<Problem> at(const QString &key, const Problem &problem) const
    {
        return usageProblem(placeOfKey(m_file, m_json, key), problem.where + u": "_s + problem.what, problem.advice);
    }

    const QByteArray &m_json;
    const QString &m_file;
    Profile m_profile;
};

bool isPath(const QString &nameOrPath)
{
    return nameOrPath.contains(u'/') || nameOrPath.contains(u'\\') || nameOrPath.endsWith(".json"_L1);
}

} // namespace

Expected<Profile> parseProfile(const QByteArray &json, const QString &file)
{
    return Reader(json, file).read();
}

Expected<Profile> readProfile(const QString &path)
{
    // Far above any profile; a wrong file is refused before it fills the memory.
    constexpr qint64 largest = 1 << 20;
    const Expected<QByteArray> json = readWhole(path, largest, u"a profile"_s);
    if (!json)
        return tl::unexpected(json.error());
    return parseProfile(*json, path);
}

std::vector<Profile> builtInProfiles()
{
    QStringList names{u"hardened"_s, u"openprogram-2026-08"_s, u"openprogram-2026-08-sdk"_s, u"legacy"_s, u"error-retry"_s};
    for (const QString &file : QDir(folder).entryList(QDir::Files, QDir::Name)) {
        const QString name = file.chopped(5); // .json
        if (!names.contains(name))
            names << name;
    }
    std::vector<Profile> profiles;
    for (const QString &name : names) {
        Expected<Profile> profile = readProfile(folder + u'/' + name + u".json"_s);
        // The tests read every one of them; here only a program built without its resources comes to nothing.
        if (profile)
            profiles.push_back(*std::move(profile));
    }
    return profiles;
}

Expected<Profile> findProfile(const QString &nameOrPath)
{
    if (isPath(nameOrPath))
        return readProfile(nameOrPath);
    const QString builtIn = folder + u'/' + nameOrPath + u".json"_s;
    if (!nameOrPath.isEmpty() && QFile::exists(builtIn))
        return readProfile(builtIn);
    QStringList names;
    for (const Profile &profile : builtInProfiles())
        names << profile.name;
    const QString near = suggestion(nameOrPath, names);
    return usageProblem(u'"' + nameOrPath + u'"', u"no profile has this name"_s,
                        near.isEmpty() ? u"there are "_s + names.join(u", "_s) + u", and files"_s : near);
}

} // namespace Waitscope
