// SPDX-License-Identifier: GPL-3.0-or-later
// Slots: names that all mean the same host and never meet, and which one is used next. Proxies and trust beside them.
#include "live/madecertificate.h"
#include "live/proxychoice.h"
#include "live/slotnames.h"
#include "live/slotpool.h"
#include "live/tlsoptions.h"

#include <QHostAddress>
#include <QSet>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;

class TestSlotPool : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesMeanTheSameHost_data();
    void namesMeanTheSameHost();
    void usesTheLatestKeptSlot();
    void newConnectionsWhereWanted();
    void closedSlotsRest();
    void runsOutOfNames();
    void originsAndOptionsApart();
    void proxyUrls_data();
    void proxyUrls();
    void whichProxy();
    void proxyOfTheEnvironment();
    void caFiles();
};

void TestSlotPool::namesMeanTheSameHost_data()
{
    QTest::addColumn<QUrl>("url");
    QTest::addColumn<quint64>("count");
    QTest::newRow("http") << QUrl(u"http://127.0.0.1:8080/"_s) << std::numeric_limits<quint64>::max();
    QTest::newRow("https name") << QUrl(u"https://api.openai.com/v1"_s) << (quint64{1} << 12);
    QTest::newRow("long name") << QUrl(u"https://a-very-long-name.of-some-service.example.com/"_s) << (quint64{1} << 20);
    QTest::newRow("one letter") << QUrl(u"https://1.x/"_s) << quint64{2};
    QTest::newRow("international") << QUrl(u"https://bücher.example/"_s) << (quint64{1} << 17);
    QTest::newRow("IPv4") << QUrl(u"https://127.0.0.1/"_s) << quint64{4096};
    QTest::newRow("IPv6") << QUrl(u"https://[::1]/"_s) << quint64{4096};
}

void TestSlotPool::namesMeanTheSameHost()
{
    QFETCH(QUrl, url);
    QFETCH(quint64, count);
    QCOMPARE(slotNameCount(url), count);
    QSet<QString> names;
    const quint64 tried = std::min<quint64>(count, 2000);
    for (quint64 n = 0; n < tried; ++n) {
        const QString name = slotName(url, n);
        names.insert(name);
        if (url.scheme() != "https"_L1)
            continue;
        if (QHostAddress(url.host()).isNull())
            QCOMPARE(name.toLower(), QString::fromLatin1(QUrl::toAce(url.host())));
        else
            QCOMPARE(QHostAddress(name), QHostAddress(url.host()));
    }
    QCOMPARE(quint64(names.size()), tried);
}

void TestSlotPool::usesTheLatestKeptSlot()
{
    SlotPool pool;
    const QUrl url(u"http://h/"_s);
    auto a = pool.take(url, {});
    auto b = pool.take(url, {});
    QVERIFY(a && b && a->name != b->name);
    QVERIFY(!a->kept);
    const QString first = a->name;
    const QString second = b->name;
    a->socket = std::make_shared<WatchedSocket>(1, sockaddr_storage{}, quint16{80});
    pool.giveBack(std::move(*a), true);
    pool.giveBack(std::move(*b), true);
    auto c = pool.take(url, {});
    QCOMPARE(c->name, second);
    QVERIFY(c->kept);
    auto d = pool.take(url, {});
    QCOMPARE(d->name, first);
    QVERIFY(d->socket);
    QVERIFY(pool.take(url, {})->name != first);
}

// Where one kept connection was dead, the others may be too.
void TestSlotPool::newConnectionsWhereWanted()
{
    SlotPool pool;
    const QUrl url(u"http://h/"_s);
    auto kept = pool.take(url, {});
    const QString name = kept->name;
    pool.giveBack(std::move(*kept), true);
    const auto fresh = pool.take(url, {}, SlotPool::Reuse::Nothing);
    QVERIFY(!fresh->kept && fresh->name != name);
    QCOMPARE(pool.take(url, {})->name, name);
}

// A connect that was given up goes on inside the library for a minute: a slot that came back too early made the next
// request wait behind it, unseen.
void TestSlotPool::closedSlotsRest()
{
    SlotPool pool;
    const QUrl url(u"http://h/"_s);
    constexpr qint64 second = 1'000'000'000;
    QHash<QString, qint64> lastUse;
    for (qint64 now = 0; now < 1000 * second; now += second) {
        auto slot = pool.take(url, {}, SlotPool::Reuse::Kept, now);
        QVERIFY(!slot->kept && !slot->socket);
        if (lastUse.contains(slot->name))
            QVERIFY(now - lastUse.value(slot->name) >= SlotPool::restNs);
        lastUse.insert(slot->name, now);
        slot->socket = std::make_shared<WatchedSocket>(1, sockaddr_storage{}, quint16{80});
        pool.giveBack(std::move(*slot), false, now);
    }
    QVERIFY(lastUse.size() < 200); // and the library's memory of them stays small
}

void TestSlotPool::runsOutOfNames()
{
    SlotPool pool;
    const QUrl url(u"https://1.x/"_s);
    auto a = pool.take(url, {});
    auto b = pool.take(url, {});
    QVERIFY(a && b);
    QVERIFY(!pool.take(url, {}));
    const QString name = a->name;
    pool.giveBack(std::move(*a), false);
    QCOMPARE(pool.take(url, {})->name, name); // rather than none
}

void TestSlotPool::originsAndOptionsApart()
{
    SlotPool pool;
    SocketOptions other;
    other.keepaliveIdleS = 5;
    auto slot = pool.take(QUrl(u"http://h/a"_s), {});
    const QString name = slot->name;
    pool.giveBack(std::move(*slot), true);
    QVERIFY(!pool.take(QUrl(u"http://h:81/a"_s), {})->kept);
    QVERIFY(!pool.take(QUrl(u"https://h/a"_s), {})->kept);
    QVERIFY(!pool.take(QUrl(u"http://h/a"_s), other)->kept);
    auto again = pool.take(QUrl(u"http://H:80/b"_s), {});
    QVERIFY(again->kept);
    QCOMPARE(again->name, name);
}

void TestSlotPool::proxyUrls_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("type"); // -1 = refused
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    QTest::newRow("http") << u"http://proxy:3128"_s << int(QNetworkProxy::HttpProxy) << u"proxy"_s << 3128;
    QTest::newRow("bare") << u" proxy:3128 "_s << int(QNetworkProxy::HttpProxy) << u"proxy"_s << 3128;
    QTest::newRow("usual port") << u"http://proxy/"_s << int(QNetworkProxy::HttpProxy) << u"proxy"_s << 80;
    QTest::newRow("socks") << u"socks5://proxy"_s << int(QNetworkProxy::Socks5Proxy) << u"proxy"_s << 1080;
    QTest::newRow("credentials") << u"http://me:se%3Acret@proxy:1"_s << int(QNetworkProxy::HttpProxy) << u"proxy"_s << 1;
    QTest::newRow("https") << u"https://me:secret@proxy"_s << -1 << QString() << 0;
    QTest::newRow("no host") << u"http://"_s << -1 << QString() << 0;
    QTest::newRow("bad port") << u"http://me:secret@proxy:99999"_s << -1 << QString() << 0;
    QTest::newRow("nonsense") << u"::secret::"_s << -1 << QString() << 0;
}

void TestSlotPool::proxyUrls()
{
    QFETCH(QString, text);
    QFETCH(int, type);
    QFETCH(QString, host);
    QFETCH(int, port);
    const Expected<QNetworkProxy> proxy = proxyFromUrl(text);
    QCOMPARE(proxy.has_value(), type >= 0);
    if (!proxy) {
        QVERIFY(!proxy.error().line().contains(u"secret"_s));
        return;
    }
    QCOMPARE(int(proxy->type()), type);
    QCOMPARE(proxy->hostName(), host);
    QCOMPARE(int(proxy->port()), port);
    if (text.contains(u'@')) {
        QCOMPARE(proxy->user(), u"me"_s);
        QCOMPARE(proxy->password(), u"se:cret"_s);
        QCOMPARE(proxy->rawHeader("Proxy-Authorization"), "Basic bWU6c2U6Y3JldA=="_qba);
    }
}

void TestSlotPool::whichProxy()
{
    for (const char *loopback : {"http://127.0.0.1:1/", "https://localhost/", "http://[::1]/", "http://a.localhost/", "http://127.9.9.9/"})
        QCOMPARE(proxyFor(QUrl(QString::fromLatin1(loopback)), u"http://proxy:1"_s)->type(), QNetworkProxy::NoProxy);
    QCOMPARE(proxyFor(QUrl(u"https://api.example.com/"_s), u"http://proxy:1"_s)->hostName(), u"proxy"_s);
    QVERIFY(!proxyFor(QUrl(u"https://api.example.com/"_s), u"gopher://proxy"_s));
}

// What the environment says, where nothing is set here.
void TestSlotPool::proxyOfTheEnvironment()
{
    for (const char *variable : {"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY"})
        qunsetenv(variable);
    const QUrl plain(u"http://api.example.com/"_s);
    const QUrl secure(u"https://api.example.com/"_s);
    QCOMPARE(proxyFor(plain, {})->type(), QNetworkProxy::NoProxy);
    qputenv("http_proxy", "http://plain.proxy:3128");
    qputenv("https_proxy", "http://secure.proxy:3129");
    QCOMPARE(proxyFor(plain, {})->hostName(), u"plain.proxy"_s);
    QCOMPARE(proxyFor(plain, {})->port(), quint16(3128));
    QCOMPARE(proxyFor(secure, {})->hostName(), u"secure.proxy"_s);
    QCOMPARE(proxyFor(secure, u"http://set.here:1"_s)->hostName(), u"set.here"_s); // the setting goes first
    QCOMPARE(proxyFor(QUrl(u"http://127.0.0.1:1/"_s), {})->type(), QNetworkProxy::NoProxy);
    qputenv("no_proxy", "api.example.com");
    QCOMPARE(proxyFor(secure, {})->type(), QNetworkProxy::NoProxy);
    for (const char *variable : {"http_proxy", "https_proxy", "no_proxy"})
        qunsetenv(variable);
}

void TestSlotPool::caFiles()
{
    QVERIFY(tlsConfiguration({}));
    QTemporaryFile file;
    QVERIFY(file.open() && file.write(MadeAuthority::make().value()->pem()) > 0 && file.flush());
    const auto own = tlsConfiguration(file.fileName());
    QVERIFY(own);
    QCOMPARE(int(own->caCertificates().size()), 1);
    const auto missing = tlsConfiguration(u"/nonexistent/ca.pem"_s);
    QVERIFY(!missing);
    QCOMPARE(missing.error().kind, ProblemKind::Unavailable);
    QTemporaryDir folder;
    QFile empty(folder.filePath(u"empty.pem"_s));
    QVERIFY(empty.open(QIODevice::WriteOnly));
    empty.write("no certificate");
    empty.close();
    const auto none = tlsConfiguration(empty.fileName());
    QVERIFY(!none);
    QCOMPARE(none.error().kind, ProblemKind::Usage);
    QVERIFY(none.error().line().contains(empty.fileName()));
}

QTEST_GUILESS_MAIN(TestSlotPool)
#include "tst_slotpool.moc"
