// SPDX-License-Identifier: GPL-3.0-or-later
#include "conformance/table.h"

#include "base/wholefile.h"
#include "conformance/adapters.h"
#include "conformance/knowndifferences.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// Larger files are no decision table.
constexpr qint64 largestFile = 64 * 1024 * 1024;

Expected<QJsonArray> casesOf(const QString &path)
{
    const Expected<QByteArray> json = readWhole(path, largestFile, u"a decision table"_s);
    if (!json)
        return tl::unexpected(json.error());
    QJsonParseError fault{};
    const QJsonDocument document = QJsonDocument::fromJson(*json, &fault);
    if (fault.error != QJsonParseError::NoError)
        return usageProblem(path, u"not JSON at byte %1: %2"_s.arg(fault.offset).arg(fault.errorString()));
    const QJsonValue cases = document.isArray() ? QJsonValue(document.array()) : document.object().value("cases"_L1);
    if (!cases.isArray())
        return usageProblem(path, u"no decision table: it has no list \"cases\""_s);
    if (cases.toArray().isEmpty())
        return usageProblem(path, u"the list \"cases\" is empty"_s);
    return cases.toArray();
}

const TableKind *kindOf(const QString &path, const QJsonObject &firstCase)
{
    const QString name = QFileInfo(path).completeBaseName();
    const std::span<const TableKind> kinds = tableKinds();
    auto found = std::ranges::find_if(kinds, [&](const TableKind &kind) { return name == kind.name; });
    if (found == kinds.end())
        found = std::ranges::find_if(kinds, [&](const TableKind &kind) { return kind.recognises(firstCase); });
    return found == kinds.end() ? nullptr : &*found;
}

QString nameOfCase(const QJsonObject &object, qsizetype index)
{
    const QString id = object.value("id"_L1).toString();
    return id.isEmpty() ? u"case number %1"_s.arg(index + 1) : u"case %1"_s.arg(id);
}

} // namespace

int TableReport::passed() const
{
    return static_cast<int>(std::ranges::count_if(results, [](const CaseResult &r) { return r.passed; }));
}

int TableReport::failed() const
{
    return static_cast<int>(
        std::ranges::count_if(results, [](const CaseResult &r) { return !r.passed && r.knownDifference.isEmpty(); }));
}

int TableReport::knownDifferences() const
{
    return static_cast<int>(results.size()) - passed() - failed();
}

Expected<TableReport> runTable(const QString &path)
{
    const Expected<QJsonArray> cases = casesOf(path);
    if (!cases)
        return tl::unexpected(cases.error());
    const TableKind *kind = kindOf(path, cases->first().toObject());
    if (!kind)
        return usageProblem(path, u"neither the file's name nor its first case belongs to a known table"_s);
    TableReport report{path, kind->name, {}};
    report.results.reserve(static_cast<size_t>(cases->size()));
    for (qsizetype i = 0; i < cases->size(); ++i) {
        const QJsonObject object = cases->at(i).toObject();
        const QString place = path + u": "_s + nameOfCase(object, i);
        if (!cases->at(i).isObject())
            return usageProblem(place, u"is not an object"_s);
        CaseResult result = kind->run(object);
        result.id = object.value("id"_L1).toString();
        if (result.id.isEmpty())
            return usageProblem(place, u"has no id"_s);
        if (!result.malformed.isEmpty())
            return usageProblem(place, result.malformed);
        if (!result.passed)
            result.knownDifference = knownDifferenceOf(kind->name, result.id);
        report.results.push_back(std::move(result));
    }
    return report;
}

} // namespace Waitscope
