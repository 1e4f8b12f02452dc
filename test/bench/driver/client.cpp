#include "client.hpp"

#include <set>
#include <stdexcept>

namespace bench {
namespace {

// Columns that a later statement asks for; a statement cannot use its own result.
std::set<std::string> wanted_columns(const Variant &variant)
{
    std::set<std::string> columns;
    for (const Statement &statement : variant.statements)
        for (const Argument &argument : statement.arguments)
            if (const auto *captured = std::get_if<Captured>(&argument))
                columns.insert(captured->column);
    return columns;
}

} // namespace

void Tally::add(const Tally &other)
{
    calls += other.calls;
    events += other.events;
    for (const auto &[code, count] : other.rejected)
        rejected[code] += count;
    latencies.insert(latencies.end(), other.latencies.begin(), other.latencies.end());
}

Client::Client(const std::string &database, const Variant &variant, const Settings &settings,
               const std::string &commit, size_t events, size_t number, uint64_t seed)
    : variant_(variant), events_(events), connection_(database),
      generator_(seed, number, settings.streams, settings.payload)
{
    connection_.query("SET synchronous_commit = " + quoted(commit));
    for (const std::string &sql : variant.session)
        connection_.query(sql);
    for (const Statement &statement : variant.statements) {
        names_.push_back("s" + std::to_string(names_.size()));
        if (!statement.is_copy())
            connection_.prepare(names_.back(), statement.sql);
    }
    for (const std::string &column : wanted_columns(variant))
        captured_[column];
}

Tally Client::run_until(Clock::time_point deadline)
{
    Tally tally;
    for (auto begin = Clock::now(); begin < deadline;) {
        generator_.begin_call(events_);
        std::string rejection = attempt();
        while (!rejection.empty()) {
            ++tally.rejected[rejection];
            if (!variant_.again || Clock::now() >= deadline)
                break;
            rejection = attempt();
        }
        const auto end = Clock::now();
        if (rejection.empty()) {
            generator_.end_call();
            ++tally.calls;
            tally.events += events_;
            tally.latencies.push_back(std::chrono::duration<double>(end - begin).count());
        }
        begin = end;
    }
    return tally;
}

std::string Client::attempt()
{
    Result last;
    for (size_t i = 0; i < variant_.statements.size(); ++i) {
        last = run(variant_.statements[i], i);
        if (is_error(last.get()))
            return rejection(last.get());
        if (!captured_.empty())
            capture(last.get());
    }
    return verdict(last.get());
}

Result Client::run(const Statement &statement, size_t index)
{
    if (statement.is_copy())
        return connection_.copy(statement.sql, copy_lines(statement));
    return connection_.execute(names_[index], parameters(statement));
}

Parameters Client::parameters(const Statement &statement)
{
    Parameters result;
    for (const Argument &argument : statement.arguments) {
        if (const auto *source = std::get_if<Source>(&argument))
            result.emplace_back(generator_.value(*source));
        else
            result.push_back(captured_.at(std::get<Captured>(argument).column));
    }
    return result;
}

std::string Client::copy_lines(const Statement &statement)
{
    std::string lines;
    for (size_t row = 0; row < events_; ++row) {
        for (size_t i = 0; i < statement.row.size(); ++i) {
            const std::string &field = statement.row[i];
            const auto source =
                field.starts_with(':') ? source_named(field.substr(1)) : std::nullopt;
            lines += source ? generator_.value(*source, row) : field;
            lines += i + 1 < statement.row.size() ? '\t' : '\n';
        }
    }
    return lines;
}

void Client::capture(const PGresult *result)
{
    if (PQntuples(result) == 0)
        return;
    for (auto &[column, value] : captured_) {
        const int number = PQfnumber(result, column.c_str());
        if (number < 0)
            continue;
        if (PQgetisnull(result, 0, number))
            value.reset();
        else
            value = PQgetvalue(result, 0, number);
    }
}

std::string Client::verdict(const PGresult *result) const
{
    if (variant_.accept_column.empty())
        return {};
    if (PQntuples(result) == 0)
        return "no row";
    const int number = PQfnumber(result, variant_.accept_column.c_str());
    if (number < 0)
        throw std::runtime_error(variant_.name + ": no column " + variant_.accept_column);
    const std::string value =
        PQgetisnull(result, 0, number) ? "null" : PQgetvalue(result, 0, number);
    const bool accepted = variant_.accept_value ? value == *variant_.accept_value : value != "null";
    return accepted ? "" : variant_.accept_column + " " + value;
}

std::string Client::rejection(const PGresult *result)
{
    std::string code = sqlstate(result);
    if (variant_.expected_codes.count(code) == 0)
        throw std::runtime_error(variant_.name + ": unexpected " + code + ": " +
                                 PQresultErrorMessage(result));
    if (connection_.in_failed_transaction())
        connection_.query("ROLLBACK");
    return code;
}

} // namespace bench
