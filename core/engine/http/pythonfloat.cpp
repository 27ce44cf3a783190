// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/pythonfloat.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

namespace Waitscope {

using namespace Qt::StringLiterals;

QString pythonFloat(double number)
{
    if (std::isnan(number))
        return u"nan"_s;
    if (std::isinf(number))
        return number < 0 ? u"-inf"_s : u"inf"_s;

    // "-d.ddde+xx": sign, shortest digits and exponent are taken from here and set anew.
    char buffer[64];
    const std::to_chars_result written
        = std::to_chars(buffer, buffer + sizeof buffer, std::abs(number), std::chars_format::scientific);
    const std::string_view scientific(buffer, static_cast<size_t>(written.ptr - buffer));
    const size_t mark = scientific.find('e');
    const int exponent = std::atoi(std::string(scientific.substr(mark + 1)).c_str());
    std::string digits(scientific.substr(0, 1));
    if (mark > 2)
        digits += scientific.substr(2, mark - 2);

    const std::string sign = std::signbit(number) ? "-" : "";
    std::string text;
    if (exponent < -4 || exponent >= 16) {
        text = digits.substr(0, 1);
        if (digits.size() > 1)
            text += '.' + digits.substr(1);
        const std::string power = std::to_string(std::abs(exponent));
        text += exponent < 0 ? "e-" : "e+";
        text += (power.size() < 2 ? "0" : "") + power;
    } else if (exponent < 0) {
        text = "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
    } else {
        const size_t whole = static_cast<size_t>(exponent) + 1;
        if (digits.size() <= whole)
            text = digits + std::string(whole - digits.size(), '0') + ".0";
        else
            text = digits.substr(0, whole) + '.' + digits.substr(whole);
    }
    return QString::fromStdString(sign + text);
}

} // namespace Waitscope
