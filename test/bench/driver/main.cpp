#include "report.hpp"

#include "text.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <map>
#include <stdexcept>

namespace {

using bench::Options;

std::vector<size_t> numbers(const std::string &list)
{
    std::vector<size_t> result;
    for (const std::string &word : bench::split(list, ','))
        result.push_back(std::strtoul(word.c_str(), nullptr, 10));
    return result;
}

Options parse(int argc, char **argv)
{
    Options options;
    const std::map<std::string, std::function<void(const std::string &)>> setters = {
        {"--suite", [&](const auto &v) { options.suite = v; }},
        {"--setup", [&](const auto &v) { options.setup_folders.push_back(v); }},
        {"--rounds", [&](const auto &v) { options.rounds = numbers(v).front(); }},
        {"--slice", [&](const auto &v) { options.slice = std::strtod(v.c_str(), nullptr); }},
        {"--scenario", [&](const auto &v) { options.only = v; }},
        {"--clients", [&](const auto &v) { options.clients = numbers(v); }},
        {"--commit", [&](const auto &v) { options.commit = bench::split(v, ','); }},
        {"--realtime", [&](const auto &v) { options.realtime = v == "on"; }},
        {"--seed", [&](const auto &v) { options.seed = numbers(v).front(); }},
        {"--revision", [&](const auto &v) { options.revision = v; }},
        {"--json", [&](const auto &v) { options.json = v; }},
    };
    for (int i = 1; i < argc; i += 2) {
        const auto setter = setters.find(argv[i]);
        if (setter == setters.end() || i + 1 == argc)
            throw std::runtime_error(std::string("unknown or incomplete option ") + argv[i]);
        setter->second(argv[i + 1]);
    }
    if (options.rounds == 0 || options.slice <= 0)
        throw std::runtime_error("--rounds and --slice want positive numbers");
    return options;
}

bench::Facts facts(const Options &options)
{
    bench::Connection connection("postgres");
    bench::Facts result = bench::machine_facts();
    result.emplace_back("realtime", options.realtime ? "on" : "off");
    result.emplace_back("revision", options.revision);
    for (auto &fact : bench::server_facts(connection))
        result.push_back(std::move(fact));
    return result;
}

void run(const Options &options)
{
    const bench::Facts known = facts(options);
    const bench::SuiteRun suite = bench::run_suite(options);
    std::fputs(bench::report(suite, options, known).c_str(), stdout);
    if (!options.json.empty() &&
        !(std::ofstream(options.json) << bench::json(suite, options, known)))
        throw std::runtime_error("cannot write " + options.json);
}

} // namespace

int main(int argc, char **argv)
{
    try {
        run(parse(argc, argv));
        return EXIT_SUCCESS;
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "bench: %s\n", failure.what());
        return EXIT_FAILURE;
    }
}
