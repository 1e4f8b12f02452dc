#include "scenario.hpp"

#include "database.hpp"
#include "placement.hpp"
#include "text.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <random>
#include <stdexcept>

namespace bench {
namespace {

// Plans are made and caches filled before anything counts.
constexpr double kWarmUpSeconds = 0.15;

struct Combination {
    size_t clients;
    std::string commit;
    size_t events;
};

std::vector<Combination> combinations(const Settings &settings, const Options &options)
{
    std::vector<Combination> result;
    for (const size_t events : settings.events)
        for (const std::string &commit : options.commit.empty() ? settings.commit : options.commit)
            for (const size_t clients :
                 options.clients.empty() ? settings.clients : options.clients)
                result.push_back({clients, commit, events});
    return result;
}

// A variant at work: its sessions and what its table was like before.
struct Contestant {
    const Variant &variant;
    Clients clients;
    Size before;
    uint64_t warm_up_events = 0;
    VariantRun run;
};

std::vector<Contestant> contestants(const Scenario &scenario, const Combination &combination,
                                    const Options &options, const Placement &placement,
                                    const std::string &database, Connection &monitor)
{
    std::vector<Contestant> result;
    for (const Variant &variant : scenario.variants) {
        Contestant contestant{variant, {}, {}, 0, {variant.name, {}, 0, 0}};
        for (size_t i = 0; i < combination.clients; ++i) {
            contestant.clients.push_back(
                std::make_unique<Client>(database, variant, scenario.settings, combination.commit,
                                         combination.events, i, options.seed));
            placement.apply_to_backend(contestant.clients.back()->backend_pid());
        }
        if (!variant.table.empty())
            contestant.before = size_of(monitor, variant.table);
        result.push_back(std::move(contestant));
    }
    return result;
}

void run_rounds(std::vector<Contestant> &contestants, const Options &options, Connection &monitor)
{
    std::mt19937_64 random(options.seed);
    std::vector<size_t> order(contestants.size());
    for (size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    for (Contestant &contestant : contestants)
        contestant.warm_up_events =
            run_slice(contestant.clients, kWarmUpSeconds, monitor).tally.events;
    for (size_t round = 0; round < options.rounds; ++round) {
        std::shuffle(order.begin(), order.end(), random);
        for (const size_t i : order)
            contestants[i].run.slices.push_back(
                run_slice(contestants[i].clients, options.slice, monitor));
    }
}

void measure_growth(Contestant &contestant, Connection &monitor)
{
    VariantRun &run = contestant.run;
    run.table_bytes = run.index_bytes = std::numeric_limits<double>::quiet_NaN();
    if (contestant.variant.table.empty())
        return;
    const Size after = size_of(monitor, contestant.variant.table);
    const double events = static_cast<double>(run.accepted() + contestant.warm_up_events);
    const double rows = after.rows - contestant.before.rows;
    if (contestant.variant.row_per_event && rows != events)
        throw std::runtime_error(text("%s: %.0f events accepted, %.0f rows stored in %s",
                                      run.name.c_str(), events, rows,
                                      contestant.variant.table.c_str()));
    run.table_bytes = (after.heap - contestant.before.heap) / events;
    run.index_bytes = (after.index - contestant.before.index) / events;
}

ScenarioRun run_combination(const Scenario &scenario, const Combination &combination,
                            const Options &options, const std::string &database)
{
    const Placement placement(combination.clients, options.realtime);
    Connection monitor(database);
    auto all = contestants(scenario, combination, options, placement, database, monitor);
    run_rounds(all, options, monitor);
    ScenarioRun result{scenario.name,
                       scenario.title,
                       combination.clients,
                       combination.commit,
                       combination.events,
                       {},
                       {}};
    for (Contestant &contestant : all) {
        measure_growth(contestant, monitor);
        result.variants.push_back(std::move(contestant.run));
    }
    for (const Comparison &comparison : scenario.comparisons)
        result.comparisons.push_back(compare(comparison, result.variants));
    return result;
}

// The set-up may well fail for want of the very function that the scenario says it needs.
bool set_up(Database &database, const Scenario &scenario, const Options &options)
{
    try {
        database.set_up(scenario.settings, options.setup_folders);
    } catch (const std::exception &) {
        if (scenario.needs.empty() || database.has_function(scenario.needs))
            throw;
    }
    return scenario.needs.empty() || database.has_function(scenario.needs);
}

void run_scenario(const Scenario &scenario, const Options &options, SuiteRun &result)
{
    for (const Combination &combination : combinations(scenario.settings, options)) {
        Database database;
        if (!set_up(database, scenario, options)) {
            result.skipped.push_back(scenario.name + ": there is no " + scenario.needs);
            return;
        }
        std::fprintf(stderr, "%s: %zu client(s), commit %s, %zu event(s) a call\n",
                     scenario.name.c_str(), combination.clients, combination.commit.c_str(),
                     combination.events);
        result.scenarios.push_back(
            run_combination(scenario, combination, options, database.name()));
    }
}

} // namespace

SuiteRun run_suite(const Options &options)
{
    SuiteRun result{read_suite(options.suite), {}, {}};
    for (const Scenario &scenario : result.suite.scenarios)
        if (options.only.empty() || options.only == scenario.name)
            run_scenario(scenario, options, result);
    return result;
}

} // namespace bench
