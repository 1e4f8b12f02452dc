#include "connection.hpp"

#include <stdexcept>

namespace bench {

Connection::Connection(const std::string &database)
{
    const char *const keys[] = {"dbname", "application_name", nullptr};
    const char *const values[] = {database.c_str(), "bench", nullptr};
    connection_.reset(PQconnectdbParams(keys, values, 0));
    if (PQstatus(connection_.get()) != CONNECTION_OK)
        throw std::runtime_error(PQerrorMessage(connection_.get()));
    PQsetNoticeProcessor(
        connection_.get(), [](void *, const char *) {}, nullptr);
}

Result Connection::query(const std::string &sql)
{
    Result result(PQexec(connection_.get(), sql.c_str()));
    if (is_error(result.get()))
        throw std::runtime_error(PQresultErrorMessage(result.get()));
    return result;
}

std::string Connection::scalar(const std::string &sql)
{
    const Result result = query(sql);
    return PQntuples(result.get()) > 0 ? PQgetvalue(result.get(), 0, 0) : "";
}

void Connection::prepare(const std::string &name, const std::string &sql)
{
    const Result result(PQprepare(connection_.get(), name.c_str(), sql.c_str(), 0, nullptr));
    if (is_error(result.get()))
        throw std::runtime_error(std::string(PQresultErrorMessage(result.get())) + "in: " + sql);
}

Result Connection::execute(const std::string &name, const Parameters &parameters)
{
    const char *values[32];
    if (parameters.size() > std::size(values))
        throw std::runtime_error("a statement has more parameters than this driver sends");
    for (size_t i = 0; i < parameters.size(); ++i)
        values[i] = parameters[i] ? parameters[i]->c_str() : nullptr;
    return Result(PQexecPrepared(connection_.get(), name.c_str(),
                                 static_cast<int>(parameters.size()), values, nullptr, nullptr, 0));
}

Result Connection::copy(const std::string &sql, const std::string &lines)
{
    Result result(PQexec(connection_.get(), sql.c_str()));
    if (PQresultStatus(result.get()) != PGRES_COPY_IN)
        return result;
    PQputCopyData(connection_.get(), lines.data(), static_cast<int>(lines.size()));
    PQputCopyEnd(connection_.get(), nullptr);
    result.reset(PQgetResult(connection_.get()));
    while (PGresult *rest = PQgetResult(connection_.get()))
        PQclear(rest);
    return result;
}

bool Connection::in_failed_transaction() const
{
    return PQtransactionStatus(connection_.get()) == PQTRANS_INERROR;
}

bool is_error(const PGresult *result)
{
    const ExecStatusType status = PQresultStatus(result);
    return status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK;
}

std::string sqlstate(const PGresult *result)
{
    const char *code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    return code ? code : "no SQLSTATE";
}

std::string quoted(const std::string &literal)
{
    std::string result = "'";
    for (const char c : literal)
        result += c == '\'' ? std::string("''") : std::string(1, c);
    return result + "'";
}

} // namespace bench
