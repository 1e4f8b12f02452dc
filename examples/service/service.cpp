// g++ -std=c++17 service.cpp -lpqxx -lpq; the server is where PGHOST, PGPORT and PGDATABASE say.
#include <chrono>
#include <iostream>
#include <pqxx/pqxx>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

pqxx::connection connection;
std::mt19937 dice{std::random_device{}()};
int sold, full, again, mailed;

// A statement that is a transaction of its own.
template <typename... Values> pqxx::result ask(const std::string &sql, const Values &...values)
{
    pqxx::nontransaction alone{connection};
    return alone.exec_params(sql, values...);
}

// RB001: decided from a state that is no more. 40001, 40P01: the server chose another. Begin anew, with the same id.
template <typename Work> auto retrying(Work work)
{
    static const std::set<std::string> retry{"RB001", "40001", "40P01"};
    constexpr int attempts = 50;
    for (int attempt = 1;; ++attempt) {
        try {
            pqxx::work transaction{connection};
            auto result = work(transaction);
            transaction.commit();
            return result;
        } catch (const pqxx::sql_error &error) {
            if (retry.count(error.sqlstate()) == 0 || attempt == attempts)
                throw;
            ++again;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(dice() % (10 * attempt)));
    }
}

std::string register_show(const std::string &venue, const std::string &day)
{
    const auto stream = ask("SELECT arbiter.stream_name('show', theatre.show_id($1, $2))", venue, day)[0][0].as<std::string>();
    try {
        ask("SELECT arbiter.append('theatre', $1, arbiter.no_stream(), 'ShowAnnounced', '{\"seats\": 20}')", stream);
    } catch (const pqxx::sql_error &error) {
        if (error.sqlstate() != "RB001") // somebody else has announced it
            throw;
    }
    return stream;
}

void sell(const std::string &stream, const std::string &guest)
{
    const auto command = ask("SELECT gen_random_uuid()")[0][0].as<std::string>(); // repeated, it is recognised
    const bool got = retrying([&](pqxx::work &transaction) {
        int seats = 0, taken = 0;
        long long head = -1;
        for (const auto &event : transaction.exec_params(
                 "SELECT type, data ->> 'seats', head FROM arbiter.load_stream('theatre', $1)", stream)) {
            const auto type = event[0].as<std::string>();
            if (type == "ShowAnnounced")
                seats = event[1].as<int>();
            taken += type == "SeatSold";
            head = event[2].as<long long>();
        }
        if (taken == seats)
            return false;
        transaction.exec_params("SELECT arbiter.append('theatre', $1, $2, 'SeatSold', "
                                "jsonb_build_object('seat', $3::integer, 'guest', $4::text), id => $5)",
                                stream, head, taken + 1, guest, command);
        return true;
    });
    ++(got ? sold : full);
}

std::size_t project()
{
    pqxx::work transaction{connection};
    transaction.exec("SELECT arbiter.lock_entity('consumer-seats')"); // one at a time; advance would tell anyway
    const auto events = transaction.exec("SELECT position, stream, revision, type, data ->> 'seat', data ->> 'guest' "
                                         "FROM arbiter.read_feed('theatre', arbiter.cursor('theatre', 'seats'))");
    for (const auto &event : events) {
        const auto stream = event[1].as<std::string>();
        const bool first = transaction.exec_params("SELECT arbiter.advance('theatre', 'seats', $1, $2)", stream,
                                                   event[2].as<long long>())[0][0].as<bool>();
        if (first && event[3].as<std::string>() == "SeatSold")
            transaction.exec_params("INSERT INTO theatre.seats VALUES ($1, $2, $3)", stream, event[4].as<int>(),
                                    event[5].as<std::string>());
    }
    if (!events.empty())
        transaction.exec_params("SELECT arbiter.save_cursor('theatre', 'seats', $1)", events.back()[0].as<long long>());
    transaction.commit();
    return events.size();
}

void send_mails(const std::string &sender)
{
    for (const auto &row : ask("SELECT stream || '/' || seat FROM theatre.seats")) { // a hint
        const auto mail = row[0].as<std::string>();
        const auto claim = ask("SELECT outcome, token FROM arbiter.claim('theatre', 'mails', $1)", mail)[0];
        if (claim[0].as<std::string>() != "won")
            continue;
        // Committed: from here on it is ours alone.
        ask("INSERT INTO theatre.outside VALUES ($1, $2)", mail, sender);
        ask("SELECT arbiter.settle('theatre', 'mails', $1, $2, 'done')", mail, claim[1].as<long long>());
        ++mailed;
    }
}

} // namespace

int main()
{
    const std::vector<std::pair<std::string, std::string>> shows{
        {"Grand Hall", "2027-01-31"}, {"GRAND HALL", "2027-02-01"}, {" Old Mill ", "2027-01-31"}};
    std::vector<std::string> streams;
    for (const auto &[venue, day] : shows)
        streams.push_back(register_show(venue, day));
    for (int n = 0; n < 10; ++n)
        for (const auto &stream : streams)
            sell(stream, "c++ " + std::to_string(n));
    while (project() > 0)
        ;
    send_mails("c++");
    std::cout << "c++: sold " << sold << ", full " << full << ", mailed " << mailed << ", decided again " << again << '\n';
}
