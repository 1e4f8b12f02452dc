// The device group's id in C++ with nothing of the extension, and the vectors run against it. Reads
// lines: organization, serials in hexadecimal joined by commas, how many they are, id.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <openssl/evp.h>

static std::string from_hex(const std::string &hex)
{
    std::string octets;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        octets += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return octets;
}

// By UTF-16 code unit, over UTF-8: U+E000–U+FFFF (EE, EF) come after what lies beyond the BMP
// (F0–F4).
struct Utf16Order {
    bool operator()(const std::string &a, const std::string &b) const
    {
        const auto rank = [](char c) {
            const int u = c & 0xFF;
            return u == 0xEE || u == 0xEF ? u + 0x10 : u;
        };
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                            [&](char x, char y) { return rank(x) < rank(y); });
    }
};

static std::string trim(std::string text) // what JavaScript's trim() strips
{
    static const std::vector<std::string> spaces = {
        "\t",     "\n",     "\v",     "\f",     "\r",     " ",      "\u00a0", "\u1680", "\u2000",
        "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009",
        "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\ufeff"};
    for (bool again = true; again;) {
        again = false;
        for (const std::string &space : spaces) {
            while (text.starts_with(space)) {
                text.erase(0, space.size());
                again = true;
            }
            while (text.ends_with(space)) {
                text.erase(text.size() - space.size());
                again = true;
            }
        }
    }
    return text;
}

static std::string quote(const std::string &text) // as JSON.stringify
{
    std::string out = "\"";
    for (const char c : text) {
        const std::size_t known = std::string("\"\\\b\t\n\f\r").find(c);
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", c);
        if (known != std::string::npos)
            out += std::string("\\") + "\"\\btnfr"[known];
        else if (static_cast<unsigned char>(c) < 0x20)
            out += escape;
        else
            out += c;
    }
    return out + '"';
}

static std::string device_group_id(const std::string &organization,
                                   const std::vector<std::string> &serial_numbers)
{
    const auto lower = [](std::string text) {
        for (char &c : text)
            if (c >= 'A' && c <= 'Z')
                c += 32;
        return text;
    };
    std::set<std::string, Utf16Order> serials;
    for (const std::string &serial : serial_numbers)
        serials.insert(lower(trim(serial)));
    serials.erase("");
    std::string name = from_hex("6f6b1a525f0e5d8e9d543a9d6f1e0c11") + lower(organization) + ":[",
                separator;
    for (const std::string &serial : serials) {
        name += separator + quote(serial);
        separator = ",";
    }
    name += ']';
    unsigned char d[20];
    EVP_Digest(name.data(), name.size(), d, nullptr, EVP_sha1(), nullptr);
    d[6] = (d[6] & 0x0F) | 0x50, d[8] = (d[8] & 0x3F) | 0x80;
    char id[37];
    std::snprintf(id, sizeof id,
                  "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", d[0],
                  d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8], d[9], d[10], d[11], d[12], d[13],
                  d[14], d[15]);
    return id;
}

int main()
{
    int checked = 0;
    for (std::string line; std::getline(std::cin, line); ++checked) {
        std::istringstream fields(line);
        std::string organization, hex, count, id;
        std::getline(fields, organization, '\t'), std::getline(fields, hex, '\t');
        std::getline(fields, count, '\t'), std::getline(fields, id, '\t');
        std::vector<std::string> serials;
        std::istringstream list(hex);
        for (int i = 0; i < std::stoi(count); ++i) {
            std::string serial;
            std::getline(list, serial, ',');
            serials.push_back(from_hex(serial));
        }
        if (device_group_id(organization, serials) != id) {
            std::cerr << line << '\n';
            return 1;
        }
    }
    return checked > 0 ? 0 : 1;
}
