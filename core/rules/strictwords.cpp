// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/strictwords.h"

#include <algorithm>
#include <iterator>

namespace Waitscope {

namespace {

// Blanks stand for any gap: "rate limit" is also "rate-limit" and "rate_limit". A marker of one word does not count as
// part of an identifier; where error codes are meant they are listed.
const std::vector<MarkerWords> &strictWordList()
{
    static const std::vector<MarkerWords> words{
        {MarkerGroup::Quota,
         {u"usage limit reached", u"usage limit exceeded", u"usage quota", u"quota exceeded", u"exceeded quota",
          u"exceeded your quota", u"exceeded your current quota", u"exceeded your monthly quota", u"quota exhausted",
          u"out of quota", u"insufficient quota", u"insufficient credits", u"insufficient credit",
          u"insufficient balance", u"insufficient funds", u"not enough credits", u"out of credits", u"no credits left",
          u"credit balance is too low", u"billing hard limit reached", u"billing limit reached",
          u"spending limit reached", u"spend limit reached", u"monthly limit reached", u"daily limit reached",
          u"weekly limit reached",
          u"hour limit reached", u"hit your usage limit", u"hit your session limit",
          u"free models per day", u"too many tokens per day", u"budget has been exceeded", u"exceededbudget", u"plan limit reached", u"payment required",
          // Chinese, simplified and traditional
          u"余额不足", u"余额已用完", u"余额已用尽", u"额度不足", u"额度已用尽", u"额度已用完", u"额度已耗尽", u"额度用完",
          u"额度用尽", u"配额不足", u"配额已用尽", u"配额已用完", u"配额已耗尽", u"配额用完", u"配额用尽", u"配额耗尽",
          u"超出配额", u"超过配额", u"配额已满", u"已超出当前配额", u"使用上限", u"用量上限", u"用量已用完", u"套餐已用完",
          u"账户欠费", u"账号欠费", u"已欠费", u"欠费停", u"請充值", u"请充值", u"餘額不足", u"額度不足", u"額度已用盡",
          u"額度已用完", u"配額不足", u"配額已用盡", u"配額已用完", u"超出配額", u"用量已達上限"}},
        {MarkerGroup::PerMinute,
         {u"per minute", u"perminute", u"per second", u"persecond", u"per min", u"per sec", u"requests per minute",
          u"rpm", u"tpm", u"itpm", u"otpm", u"concurrent requests", u"concurrency limit",
          u"allocated quota exceeded", // one vendor's words for a rate
          u"每分钟", u"每秒", u"并发",
          u"每分鐘", u"並發"}},
        {MarkerGroup::Auth,
         {u"unauthorized", u"unauthenticated", u"invalid api key", u"invalid api keys", u"incorrect api key",
          u"api key not valid", u"api key is invalid", u"api key expired", u"api key invalid", u"no api key",
          u"no api keys", u"missing api key", u"invalid x api key", u"login expired", u"login failed", u"login required",
          u"not logged in", u"please log in", u"re auth", u"reauth", u"re authenticate", u"reauthenticate",
          u"reauthentication", u"authentication failed", u"authentication error", u"authentication required",
          u"invalid authentication", u"invalid credentials", u"invalid token", u"invalid access token",
          u"token expired", u"token has expired", u"token revoked", u"token was revoked", u"token is expired",
          u"session expired", u"security token included in the request", u"无效的令牌", u"令牌无效", u"令牌已过期", u"登录已过期", u"登录过期", u"登录失败", u"重新登录", u"未登录", u"密钥无效", u"密钥错误",
          u"无效的密钥", u"认证失败", u"鉴权失败", u"登入已過期"}},
        {MarkerGroup::Authz,
         {u"forbidden", u"permission denied", u"permission error", u"access denied", u"insufficient permissions",
          u"not authorized",
          u"accessdeniedexception", u"account has been deactivated", u"api key has been deactivated", u"account deactivated", u"organization has been disabled",
          u"account has been disabled", u"account is not active", u"user location is not supported",
          u"or territory not supported", u"没有权限", u"无权限", u"权限不足"}},
        {MarkerGroup::Image,
         {u"not a valid image", u"invalid image", u"image data is not", u"could not process image", u"unsupported image",
          u"invalid request", u"invalid request error", u"bad request", u"invalid parameter", u"invalid argument",
          u"unknown parameter", u"unsupported parameter", u"model not found", u"model does not exist",
          u"no such model", u"request too large", u"payload too large", u"无效的图片", u"图片无效", u"参数错误",
          u"模型不存在"}},
        {MarkerGroup::Context,
         {u"context length", u"context lengths", u"context window", u"maximum context", u"max context",
          u"上下文长度", u"上下文窗口", u"上下文過長"}},
        {MarkerGroup::Overflow,
         {u"context length exceeded", u"context window exceeded", u"context length is exceeded",
          u"context window is exceeded", u"model context window exceeded", u"exceeds the context window",
          u"exceeds the context length", u"exceeds the maximum context", u"exceed context limit", u"exceeds the available context size",
          u"maximum context length", u"max context length", u"prompt is too long", u"prompt too long",
          u"input is too long", u"input too long", u"too many tokens", u"token limit exceeded",
          u"reduce the length of the messages", u"context overflow", u"超出上下文", u"上下文长度超", u"超过上下文",
          u"上下文过长", u"超出最大长度", u"输入过长", u"提示词过长"}},
        {MarkerGroup::Policy,
         {u"content policy", u"content policy violation", u"safety system", u"content filter", u"content filtered",
          u"content management policy", u"usage policies", u"responsible ai", u"内容安全", u"内容违规", u"敏感内容",
          u"违规内容", u"安全策略"}},
        {MarkerGroup::RateLimit,
         {u"rate limit", u"rate limits", u"rate limited", u"ratelimit", u"ratelimited", u"rate limiting", u"ratelimits",
          u"ratelimiterror", u"too many requests", u"throttled", u"throttling", u"throttling exception",
          u"slow down", u"overloaded", u"overloaded error", u"overloadederror", u"over capacity", u"at capacity",
          u"no deployments available", u"please wait before trying again", u"resource exhausted",
          u"resource has been exhausted", u"service is too busy", u"负载已饱和", u"访问量过大", u"server is busy", u"server busy", u"engine is currently overloaded", u"请求过于频繁", u"请求过多",
          u"请求太频繁", u"请求频繁", u"频率限制", u"速率限制", u"速率超限", u"频率超限", u"限流", u"请求数已达上限",
          u"请求数达到上限", u"过载", u"负载过高", u"服务繁忙", u"服务器繁忙", u"系统繁忙", u"請求過於頻繁", u"請求過多",
          u"レート制限"}},
        {MarkerGroup::Provider,
         {u"service unavailable", u"service unavailable error", u"service temporarily unavailable",
          u"temporarily unavailable", u"internal server error", u"internalservererror", u"server error",
          u"bad gateway", u"internal error", u"internal error encountered",
          u"server had an error", u"an error occurred while processing your request", u"try again later",
          u"empty error event", u"服务不可用", u"服务暂时不可用", u"暂时不可用", u"服务器错误", u"内部错误"}},
        // It answered, so the way to it is sound: what failed is the provider's own.
        {MarkerGroup::Gateway,
         {u"upstream connect error", u"no healthy upstream", u"upstream request timeout", u"upstream server is timing out",
          u"invalid response was received from the upstream server"}},
        {MarkerGroup::Transient,
         {u"reset before headers", u"connection refused", u"connection reset",
          u"connection aborted", u"connection closed", u"connection error", u"connection lost", u"connection broken",
          u"connection terminated", u"connection dropped", u"connection timed out", u"connection attempts failed",
          u"connect error", u"broken pipe",
          u"o timeout", // of "i/o timeout": the slash ends a word
          u"no such host", u"error sending request", u"error decoding response body", u"client network socket disconnected",
          u"response payload is not completed", u"not enough data for satisfy", u"decryption failed or bad record mac",
          u"streamreset", u"connectionterminated", u"timed out", u"time out error", u"request timeout", u"request time out",
          u"gateway timeout", u"gateway time out", u"connection timeout", u"connect timeout", u"read timeout",
          u"write timeout", u"socket timeout", u"idle timeout", u"handshake timeout", u"body timeout",
          u"headers timeout", u"operation timeout", u"network timeout", u"timeout error", u"timeout after",
          u"timeout awaiting", u"timeout waiting", u"timeout exceeded", u"timeout while", u"timeout on reading",
          u"timeout occurred", u"no response from model", u"produced no output", u"no sse bytes", u"no sse data event",
          u"sse total budget", u"socket hang up", u"other side closed", u"fetch failed", u"network error",
          u"network is unreachable", u"network unreachable", u"no route to host", u"host is unreachable",
          u"name or service not known", u"name resolution", u"nodename nor servname", u"getaddrinfo",
          u"server disconnected", u"peer closed connection", u"closed by peer", u"reset by peer",
          u"incomplete chunked read", u"unexpected eof", u"unexpected eof while reading", u"unexpected end of file",
          u"premature close", u"stream disconnected", u"stream ended without", u"stream ended before",
          u"stream ended with error stop reason", u"stream terminated", u"request terminated", u"stream was reset",
          u"stream reset", u"stream error", u"rst stream", u"refused stream", u"goaway", u"enhance your calm",
          u"http2 stream", u"err http2 stream error", u"err http2 stream cancel",
          u"err http2 protocol error", u"err http2 session error", u"err http2 goaway session", u"nghttp2", u"terminated body timeout error", u"und err socket",
          u"und err connect timeout", u"und err headers timeout", u"und err body timeout", u"econnreset",
          u"econnrefused", u"econnaborted", u"epipe", u"etimedout", u"esockettimedout", u"enotfound", u"eai again",
          u"enetunreach", u"ehostunreach", u"enetdown", u"enetreset", u"请求超时", u"连接超时", u"响应超时", u"网络错误",
          u"网络异常", u"连接被重置", u"连接断开", u"連線逾時"}},
        {MarkerGroup::Certificate,
         {u"certificate verify failed", u"certificate has expired", u"self signed certificate",
          u"unable to get local issuer certificate", u"unable to verify the first certificate",
          u"certificate signed by unknown authority", u"hostname mismatch", u"err tls cert altname invalid"}},
        {MarkerGroup::Page, {u"proxy or login page answered"}},
        {MarkerGroup::NeverFits, {u"tokens must be reduced in order to run successfully"}},
        {MarkerGroup::Deadline,
         {u"caller deadline", u"deadline exceeded", u"context deadline exceeded", u"deadline exceeded before"}},
    };
    return words;
}

bool isAscii(QStringView text)
{
    return std::ranges::all_of(text, [](QChar c) { return c.unicode() < 128; });
}

// English and Chinese apart: a table's size grows with its alphabet, and most texts need the small one only.
std::vector<MarkerWords> wordsOf(bool ascii)
{
    std::vector<MarkerWords> chosen;
    for (const MarkerWords &group : strictWordList()) {
        MarkerWords part{group.group, {}};
        std::ranges::copy_if(group.words, std::back_inserter(part.words),
                             [ascii](QStringView words) { return isAscii(words) == ascii; });
        chosen.push_back(std::move(part));
    }
    return chosen;
}

} // namespace

MarkerHits strictHits(std::initializer_list<QStringView> pieces) noexcept
{
    static const MarkerTable english(MarkerTable::Match::Words, wordsOf(true));
    static const MarkerTable chinese(MarkerTable::Match::Words, wordsOf(false));
    MarkerHits hits = english.find(pieces);
    if (!std::ranges::all_of(pieces, isAscii))
        hits.add(chinese.find(pieces));
    return hits;
}

} // namespace Waitscope
