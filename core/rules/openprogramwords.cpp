// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/openprogramwords.h"

#include "rules/knowntypes.h"

namespace Waitscope {

namespace {

std::vector<MarkerWords> classifyWords()
{
    std::vector<MarkerWords> words{
        {MarkerGroup::Quota,
         {u"usage_limit_reached", u"usage limit reached", u"quota_exceeded", u"quota exceeded", u"insufficient_quota",
          u"billing_hard_limit_reached", u"credit balance is too low", u"exceeded your current quota"}},
        {MarkerGroup::Auth,
         {u"unauthorized", u"invalid api key", u"invalid_api_key", u"login expired", u"login failed", u"re-auth",
          u"no api key"}},
        {MarkerGroup::Image, {u"not a valid image", u"invalid image", u"image data is not"}},
        {MarkerGroup::Context,
         {u"context length", u"context window", u"maximum context", u"context_length_exceeded"}},
        {MarkerGroup::Policy, {u"content policy", u"content_policy", u"safety system"}},
        {MarkerGroup::RateLimit, {u"rate limit", u"overloaded"}},
        {MarkerGroup::Transient,
         {u"service unavailable", u"service_unavailable", u"upstream connect", u"connection refused",
          u"connection reset", u"connection aborted", u"broken pipe", u"temporarily", u"timeout", u"timed out"}},
    };
    // The class name of a transport fault inside the text counts as the fault itself.
    MarkerWords names{MarkerGroup::TransportName, {}};
    for (const OpenprogramTransportType &type : openprogramTransportTypes)
        names.words.push_back(type.lowered);
    words.push_back(std::move(names));
    return words;
}

} // namespace

const MarkerTable &openprogramMarkers()
{
    static const MarkerTable table(MarkerTable::Match::Substring, classifyWords());
    return table;
}

const MarkerTable &openprogramPermanentMarkers()
{
    static const std::vector<MarkerWords> words{
        {MarkerGroup::Image, {u"not a valid image", u"invalid image", u"image data is not"}},
        {MarkerGroup::Auth,
         {u"login expired", u"login failed", u"re-auth", u"unauthorized", u"invalid api key", u"invalid_api_key"}},
    };
    static const MarkerTable table(MarkerTable::Match::Substring, words);
    return table;
}

} // namespace Waitscope
