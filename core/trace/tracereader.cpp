// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/tracereader.h"

#include "trace/traceline.h"
#include "trace/tracestore.h"

#include <QFile>

#include <algorithm>
#include <cstring>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype longestLine = 8 << 20;
constexpr size_t shownProblems = 100;
constexpr int ourMajor = 1;
constexpr int ourMinor = 0;

// The major version of a recording's first line; 0 for any other line. A newer format may change everything but these two
// fields, so they are looked for in the text.
int majorIn(QByteArrayView line)
{
    const QByteArray text = line.first(std::min<qsizetype>(line.size(), 4096)).toByteArray();
    constexpr QByteArrayView version = "\"version\":\"";
    const qsizetype at = text.indexOf(version);
    if (at < 0 || !text.contains("\"format\":\"waitscope-trace\""))
        return 0;
    const qsizetype from = at + version.size();
    return text.mid(from, text.indexOf('.', from) - from).toInt();
}

} // namespace

void StoreFiller::onHeader(const TraceHeader &header, QByteArrayView /*raw*/)
{
    m_store.setHeader(header);
}

void StoreFiller::onEvent(const Event &event, QByteArrayView /*raw*/)
{
    m_store.write(event);
}

void StoreFiller::onUnknown(QByteArrayView /*raw*/) { }

struct TraceParser::Parts {
    Parts(QString theName, TraceReceiver &theReceiver)
        : name(std::move(theName))
        , receiver(theReceiver)
    {
    }

    QString name;
    TraceReceiver &receiver;
    TraceLineReader reader;
    QByteArray pending;    // unread bytes, with padding behind them while lines are read
    bool skipping = false; // inside a line that is too long
    bool hasHeader = false;
    bool newerMinor = false;
    bool over = false; // a second header: what follows is another run
    ReadReport report;
    std::optional<Problem> refusal;

    [[nodiscard]] QString place() const { return u"%1:%2"_s.arg(name).arg(report.lines); }

    void problem(const QString &what)
    {
        ++report.problemCount;
        if (report.problems.size() < shownProblems)
            report.problems.emplace_back(ProblemKind::Usage, place(), what);
    }

    void refuse(const QString &what, const QString &advice = {}) { refusal.emplace(ProblemKind::Usage, name, what, advice); }

    void takeLine(QByteArrayView raw)
    {
        ++report.lines;
        std::string_view text(raw.data(), static_cast<size_t>(raw.size()));
        if (report.lines == 1 && text.starts_with("\xef\xbb\xbf"))
            text.remove_prefix(3);
        if (text.ends_with('\r'))
            text.remove_suffix(1);
        if (text.empty())
            return;
        const TraceLine &line = reader.read(text);
        const QByteArrayView kept(text.data(), static_cast<qsizetype>(text.size()));
        if (!hasHeader) {
            takeHeader(line, kept);
            return;
        }
        switch (line.what) {
        case TraceLine::What::Broken:
            problem(line.text + u"; the line is skipped"_s);
            break;
        case TraceLine::What::Header:
            problem(u"a second recording begins here; only the first is read"_s);
            over = true;
            break;
        case TraceLine::What::Known:
            ++report.events;
            receiver.onEvent(line.event, line.hasMore ? kept : QByteArrayView());
            break;
        case TraceLine::What::Unknown:
            ++report.unknown;
            if (!line.text.isEmpty() && !newerMinor)
                problem(u"%1 is not known; the line is kept but not shown"_s.arg(line.text));
            receiver.onUnknown(kept);
            break;
        case TraceLine::What::Stopped:
            report.stopped = true;
            problem(u"the recording stopped before its run did: %1"_s.arg(line.text));
            receiver.onUnknown(kept);
            break;
        }
    }

    void takeHeader(const TraceLine &line, QByteArrayView raw)
    {
        if (const int version = majorIn(raw); version > ourMajor) {
            refuse(u"is in format %1; this version reads formats up to %2"_s.arg(version).arg(ourMajor),
                   u"open it with a newer Waitscope"_s);
        } else if (line.what == TraceLine::What::Header) {
            hasHeader = true;
            newerMinor = line.header.minorVersion > ourMinor;
            receiver.onHeader(line.header, line.hasMore ? raw : QByteArrayView());
        } else if (line.what == TraceLine::What::Broken) {
            refuse(u"is not a Waitscope recording: in the first line, %1"_s.arg(line.text));
        } else {
            refuse(u"is not a Waitscope recording: the first line is no header"_s);
        }
    }

    // Reads every complete line of `pending` and keeps the rest.
    void takeLines()
    {
        const qsizetype size = pending.size();
        pending.append(TraceLineReader::padding, ' ');
        const char *const begin = pending.constData();
        const char *const end = begin + size;
        const char *at = begin;
        while (at < end && !refusal && !over) {
            const auto *newline = static_cast<const char *>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
            if (!newline)
                break;
            if (newline - at > longestLine || skipping)
                skipTo();
            else
                takeLine(QByteArrayView(at, newline - at));
            skipping = false;
            at = newline + 1;
        }
        skipping = skipping || end - at > longestLine;
        // Of a line that is too long nothing is kept.
        const qsizetype left = skipping || refusal || over ? 0 : end - at;
        pending = QByteArray(end - left, left);
    }

    void skipTo()
    {
        ++report.lines;
        if (hasHeader)
            problem(u"longer than %1 MiB; the line is skipped"_s.arg(longestLine >> 20));
        else
            refuse(u"is not a Waitscope recording: the first line is endless"_s);
    }
};

TraceParser::TraceParser(QString name, TraceReceiver &receiver)
    : d(std::make_unique<Parts>(std::move(name), receiver))
{
}

TraceParser::~TraceParser() = default;

bool TraceParser::feed(QByteArrayView bytes)
{
    if (!d->refusal && !d->over) {
        d->pending.append(bytes.data(), bytes.size());
        if (bytes.contains('\n') || d->pending.size() > longestLine)
            d->takeLines();
    }
    return !d->refusal;
}

void TraceParser::finish()
{
    if (d->refusal || d->over)
        return;
    const bool torn = !d->pending.isEmpty() || d->skipping;
    if (!d->hasHeader) {
        d->refuse(torn ? u"is not a Waitscope recording: it has no complete line"_s
                       : u"is not a Waitscope recording: it is empty"_s);
        return;
    }
    if (!torn)
        return;
    ++d->report.lines;
    d->report.torn = true;
    d->problem(u"the last line is not complete and is left out"_s);
    d->pending.clear();
}

const std::optional<Problem> &TraceParser::refusal() const noexcept
{
    return d->refusal;
}

const ReadReport &TraceParser::report() const noexcept
{
    return d->report;
}

Expected<ReadReport> readTrace(const QString &path, TraceReceiver &receiver,
                               const std::function<bool(const ReadProgress &)> &afterPiece)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return unavailable(path, u"cannot be read: %1"_s.arg(file.errorString()));
    TraceParser parser(path, receiver);
    ReadProgress progress;
    progress.total = file.size();
    qint64 piece = 256 << 10; // small, so that something can be seen at once
    QByteArray buffer;
    bool cancelled = false;
    while (!cancelled) {
        buffer.resize(piece);
        const qint64 got = file.read(buffer.data(), piece);
        if (got < 0)
            return unavailable(path, u"cannot be read: %1"_s.arg(file.errorString()));
        if (got == 0)
            break;
        if (!parser.feed(QByteArrayView(buffer.constData(), got)))
            break;
        progress.bytes += got;
        progress.events = parser.report().events;
        cancelled = afterPiece && !afterPiece(progress);
        piece = 4 << 20;
    }
    if (!cancelled)
        parser.finish();
    if (parser.refusal())
        return tl::unexpected<Problem>(*parser.refusal());
    ReadReport report = parser.report();
    report.cancelled = cancelled;
    return report;
}

} // namespace Waitscope
