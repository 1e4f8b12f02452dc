#include "base/json.hpp"

#include <algorithm>

#include "base/failure.hpp"
#include "base/utf8.hpp"

namespace arbiter {
namespace {

constexpr bool is_digit(char c) noexcept
{
    return c >= '0' && c <= '9';
}
constexpr bool is_high_surrogate(char32_t unit) noexcept
{
    return unit >= 0xD800 && unit <= 0xDBFF;
}
constexpr bool is_low_surrogate(char32_t unit) noexcept
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

class Reader {
public:
    explicit Reader(std::string_view document) : document_(document) {}

    Json read()
    {
        const std::size_t malformed = find_malformed_utf8(document_);
        if (malformed != kWellFormed) {
            at_ = malformed;
            refuse("malformed UTF-8");
        }
        Json value = read_value(0);
        skip_space();
        if (at_ != document_.size())
            refuse("text after the value");
        return value;
    }

private:
    [[noreturn]] void refuse(const std::string &why) const
    {
        throw Failure(sqlstate::kInvalidParameterValue,
                      "invalid JSON at byte " + std::to_string(at_) + ": " + why);
    }

    char peek() const noexcept { return at_ < document_.size() ? document_[at_] : '\0'; }

    void skip_space() noexcept
    {
        while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')
            ++at_;
    }

    void expect(char c)
    {
        skip_space();
        if (peek() != c)
            refuse(std::string("expected '") + c + "'");
        ++at_;
    }

    bool accept(char c) noexcept
    {
        skip_space();
        if (peek() != c)
            return false;
        ++at_;
        return true;
    }

    void expect_word(std::string_view word)
    {
        if (document_.substr(at_, word.size()) != word)
            refuse("unknown token");
        at_ += word.size();
    }

    Json read_value(std::size_t depth)
    {
        if (depth == kMaxJsonDepth)
            refuse("nested deeper than " + std::to_string(kMaxJsonDepth));
        skip_space();
        Json value;
        switch (peek()) {
        case '{':
            read_object(value, depth);
            break;
        case '[':
            read_array(value, depth);
            break;
        case '"':
            value.kind = Json::Kind::string;
            value.text = read_string();
            break;
        case 't':
        case 'f':
            value.kind = Json::Kind::boolean;
            value.boolean = peek() == 't';
            expect_word(value.boolean ? "true" : "false");
            break;
        case 'n':
            expect_word("null");
            break;
        default:
            value.kind = Json::Kind::number;
            value.text = read_number();
        }
        return value;
    }

    void read_object(Json &object, std::size_t depth)
    {
        object.kind = Json::Kind::object;
        expect('{');
        if (accept('}'))
            return;
        do {
            skip_space();
            if (peek() != '"')
                refuse("expected a key");
            std::string key = read_string();
            if (object.find(key) != nullptr)
                refuse("key \"" + key + "\" occurs twice");
            expect(':');
            object.items.push_back(read_value(depth + 1));
            object.keys.push_back(std::move(key));
        } while (accept(','));
        expect('}');
    }

    void read_array(Json &array, std::size_t depth)
    {
        array.kind = Json::Kind::array;
        expect('[');
        if (accept(']'))
            return;
        do {
            array.items.push_back(read_value(depth + 1));
        } while (accept(','));
        expect(']');
    }

    std::string read_number()
    {
        const std::size_t start = at_;
        const auto digits = [this] {
            if (!is_digit(peek()))
                refuse("unknown token");
            while (is_digit(peek()))
                ++at_;
        };
        if (peek() == '-')
            ++at_;
        if (peek() == '0')
            ++at_;
        else
            digits();
        if (peek() == '.') {
            ++at_;
            digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            ++at_;
            if (peek() == '+' || peek() == '-')
                ++at_;
            digits();
        }
        return std::string(document_.substr(start, at_ - start));
    }

    std::string read_string()
    {
        std::string value;
        ++at_;
        for (;;) {
            if (at_ == document_.size())
                refuse("unterminated string");
            const char c = document_[at_];
            if (static_cast<unsigned char>(c) < 0x20)
                refuse("control character in a string");
            ++at_;
            if (c == '"')
                return value;
            if (c == '\\')
                read_escape(value);
            else
                value += c;
        }
    }

    void read_escape(std::string &value)
    {
        static constexpr std::string_view kLetters = "\"\\/bfnrt";
        static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
        const char letter = peek();
        ++at_;
        if (letter == 'u') {
            append_utf8(value, read_code_point());
            return;
        }
        const std::size_t index = letter == '\0' ? std::string_view::npos : kLetters.find(letter);
        if (index == std::string_view::npos) {
            --at_;
            refuse("unknown escape");
        }
        value += kMeanings[index];
    }

    char32_t read_code_point()
    {
        const char32_t unit = read_unit();
        if (unit == 0)
            underivable("U+0000");
        if (is_low_surrogate(unit))
            underivable("a surrogate without its pair");
        if (!is_high_surrogate(unit))
            return unit;
        if (document_.substr(at_, 2) != "\\u")
            underivable("a surrogate without its pair");
        at_ += 2;
        const char32_t low = read_unit();
        if (!is_low_surrogate(low))
            underivable("a surrogate without its pair");
        return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    }

    [[noreturn]] void underivable(const char *what) const
    {
        throw Failure(sqlstate::kUnderivableKey,
                      std::string("JSON string holds ") + what + " before byte " +
                          std::to_string(at_),
                      "No PostgreSQL text can hold it, so no other runtime may hash it.");
    }

    char32_t read_unit()
    {
        char32_t unit = 0;
        for (int i = 0; i < 4; ++i, ++at_) {
            const char c = peek();
            if (is_digit(c))
                unit = unit << 4 | static_cast<char32_t>(c - '0');
            else if (c >= 'a' && c <= 'f')
                unit = unit << 4 | static_cast<char32_t>(c - 'a' + 10);
            else if (c >= 'A' && c <= 'F')
                unit = unit << 4 | static_cast<char32_t>(c - 'A' + 10);
            else
                refuse("expected four hexadecimal digits");
        }
        return unit;
    }

    std::string_view document_;
    std::size_t at_ = 0;
};

} // namespace

const Json *Json::find(std::string_view key) const noexcept
{
    const auto found = std::find(keys.begin(), keys.end(), key);
    return found == keys.end() ? nullptr : &items[static_cast<std::size_t>(found - keys.begin())];
}

Json read_json(std::string_view document)
{
    return Reader(document).read();
}

std::string_view kind_name(Json::Kind kind) noexcept
{
    switch (kind) {
    case Json::Kind::null:
        return "null";
    case Json::Kind::boolean:
        return "boolean";
    case Json::Kind::number:
        return "number";
    case Json::Kind::string:
        return "string";
    case Json::Kind::array:
        return "array";
    case Json::Kind::object:
        return "object";
    }
    return "unknown";
}

} // namespace arbiter
