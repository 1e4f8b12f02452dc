#include "suite.hpp"

#include "text.hpp"

#include <fstream>
#include <map>
#include <stdexcept>

namespace bench {
namespace {

// Line by line: a keyword and its words. SQL runs on to the line that ends in a semicolon.
class Reader {
public:
    explicit Reader(const std::string &path) : path_(path), file_(path)
    {
        if (!file_)
            fail("cannot be read");
    }

    Suite read()
    {
        std::string line;
        while (next_line(line))
            directive(line);
        if (suite_.scenarios.empty())
            fail("has no scenario");
        for (Scenario &scenario : suite_.scenarios)
            complete(scenario);
        return std::move(suite_);
    }

private:
    using Handler = void (Reader::*)(const std::string &rest);

    [[noreturn]] void fail(const std::string &what) const
    {
        throw std::runtime_error(path_ + ":" + std::to_string(line_number_) + ": " + what);
    }

    bool next_line(std::string &line)
    {
        while (std::getline(file_, line)) {
            ++line_number_;
            line = trim(line);
            if (!line.empty() && line.front() != '#')
                return true;
        }
        return false;
    }

    void directive(const std::string &line)
    {
        static const std::map<std::string, Handler, std::less<>> kHandlers = {
            {"title", &Reader::title},     {"clients", &Reader::clients},
            {"commit", &Reader::commit},   {"events", &Reader::events},
            {"payload", &Reader::payload}, {"streams", &Reader::streams},
            {"setup", &Reader::setup},     {"scenario", &Reader::scenario},
            {"needs", &Reader::needs},     {"compare", &Reader::compare},
            {"variant", &Reader::variant}, {"table", &Reader::table},
            {"rows", &Reader::rows},       {"expect", &Reader::expect},
            {"again", &Reader::again},     {"accept", &Reader::accept},
            {"do", &Reader::statement},    {"row", &Reader::row},
            {"session", &Reader::session},
        };
        const auto space = line.find(' ');
        const auto handler = kHandlers.find(line.substr(0, space));
        if (handler == kHandlers.end())
            fail("unknown word \"" + line.substr(0, space) + "\"");
        const std::string rest = space == std::string::npos ? "" : trim(line.substr(space));
        (this->*handler->second)(rest);
    }

    // Before the first scenario a setting is the default of all that follow.
    Settings &settings()
    {
        return suite_.scenarios.empty() ? defaults_ : suite_.scenarios.back().settings;
    }

    Scenario &current_scenario()
    {
        if (suite_.scenarios.empty())
            fail("belongs into a scenario");
        return suite_.scenarios.back();
    }

    Variant &current_variant()
    {
        if (current_scenario().variants.empty())
            fail("belongs into a variant");
        return suite_.scenarios.back().variants.back();
    }

    std::vector<size_t> numbers(const std::string &rest) const
    {
        std::vector<size_t> result;
        for (const std::string &word : words(rest)) {
            const size_t number = std::strtoul(word.c_str(), nullptr, 10);
            if (number == 0)
                fail("\"" + word + "\" is not a positive number");
            result.push_back(number);
        }
        if (result.empty())
            fail("a number is missing");
        return result;
    }

    std::string sql(std::string line)
    {
        std::string more;
        while (line.back() != ';' && next_line(more))
            line += "\n    " + more;
        line.pop_back();
        return line;
    }

    void title(const std::string &rest) { suite_.title = rest; }
    void clients(const std::string &rest) { settings().clients = numbers(rest); }
    void commit(const std::string &rest) { settings().commit = words(rest); }
    void events(const std::string &rest) { settings().events = numbers(rest); }
    void payload(const std::string &rest) { settings().payload = numbers(rest).front(); }
    void streams(const std::string &rest) { settings().streams = numbers(rest).front(); }

    void setup(const std::string &rest)
    {
        const bool is_file = rest.ends_with(".sql");
        settings().setup.push_back(is_file ? rest : sql(rest));
    }

    void scenario(const std::string &rest)
    {
        const auto colon = std::min(rest.find(':'), rest.size());
        Scenario scenario;
        scenario.name = trim(rest.substr(0, colon));
        scenario.title = trim(rest.substr(std::min(colon + 1, rest.size())));
        scenario.settings = defaults_;
        suite_.scenarios.push_back(std::move(scenario));
    }

    void needs(const std::string &rest) { current_scenario().needs = rest; }

    void compare(const std::string &rest)
    {
        const auto w = words(rest);
        const bool has_floor = w.size() == 6 && w[3] == "net" && w[4] == "of";
        if ((w.size() != 3 && !has_floor) || w[1] != "with")
            fail("write: compare A with B [net of C]");
        current_scenario().comparisons.push_back({w[0], w[2], has_floor ? w[5] : ""});
    }

    void variant(const std::string &rest)
    {
        Variant variant;
        variant.name = rest;
        current_scenario().variants.push_back(std::move(variant));
    }

    void table(const std::string &rest) { current_variant().table = rest; }

    void rows(const std::string &rest)
    {
        current_variant().table = rest;
        current_variant().row_per_event = true;
    }

    void expect(const std::string &rest)
    {
        for (const std::string &code : words(rest))
            current_variant().expected_codes.insert(code);
    }

    void again(const std::string &) { current_variant().again = true; }

    void accept(const std::string &rest)
    {
        const auto w = words(rest);
        if (w.empty() || w.size() > 2)
            fail("write: accept COLUMN [VALUE]");
        current_variant().accept_column = w[0];
        if (w.size() == 2)
            current_variant().accept_value = w[1];
    }

    void statement(const std::string &rest)
    {
        current_variant().statements.push_back(parse_statement(sql(rest)));
    }

    void session(const std::string &rest) { current_variant().session.push_back(sql(rest)); }

    void row(const std::string &rest)
    {
        if (current_variant().statements.empty())
            fail("a row follows its COPY");
        current_variant().statements.back().row = split(rest, '|');
    }

    void complete(Scenario &scenario)
    {
        for (const Variant &variant : scenario.variants)
            if (variant.statements.empty())
                fail("variant " + variant.name + " does nothing");
        if (scenario.comparisons.empty())
            for (size_t i = 1; i < scenario.variants.size(); ++i)
                scenario.comparisons.push_back(
                    {scenario.variants[i].name, scenario.variants[0].name, ""});
        for (const Comparison &comparison : scenario.comparisons)
            for (const std::string &name : {comparison.subject, comparison.baseline})
                scenario.variant(name);
    }

    std::string path_;
    std::ifstream file_;
    size_t line_number_ = 0;
    Settings defaults_;
    Suite suite_;
};

} // namespace

const Variant &Scenario::variant(const std::string &wanted) const
{
    for (const Variant &variant : variants)
        if (variant.name == wanted)
            return variant;
    throw std::runtime_error("scenario " + name + " has no variant " + wanted);
}

Suite read_suite(const std::string &path)
{
    return Reader(path).read();
}

} // namespace bench
