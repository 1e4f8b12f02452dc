#pragma once

#include <libpq-fe.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bench {

struct ResultDeleter {
    void operator()(PGresult *result) const { PQclear(result); }
};
using Result = std::unique_ptr<PGresult, ResultDeleter>;

using Parameters = std::vector<std::optional<std::string>>;

// One session. The address comes from the PG* environment, only the database is chosen here.
class Connection {
public:
    explicit Connection(const std::string &database);

    // Throws unless the server accepts; a script may hold several statements.
    Result query(const std::string &sql);
    std::string scalar(const std::string &sql);
    void prepare(const std::string &name, const std::string &sql);

    // Hand back what the server says, errors too: rejections are counted, not thrown.
    Result execute(const std::string &name, const Parameters &parameters);
    Result copy(const std::string &sql, const std::string &lines);

    bool in_failed_transaction() const;
    int backend_pid() const { return PQbackendPID(connection_.get()); }

private:
    struct Deleter {
        void operator()(PGconn *connection) const { PQfinish(connection); }
    };
    std::unique_ptr<PGconn, Deleter> connection_;
};

bool is_error(const PGresult *result);
std::string sqlstate(const PGresult *result);

// An SQL literal of plain text, for names that cannot be parameters.
std::string quoted(const std::string &literal);

} // namespace bench
