#include "database.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace bench {
namespace {

constexpr const char *kMaintenance = "postgres";

std::string contents(const std::string &path)
{
    std::ostringstream result;
    result << std::ifstream(path).rdbuf();
    return result.str();
}

} // namespace

Database::Database()
{
    Connection maintenance(kMaintenance);
    maintenance.query("DROP DATABASE IF EXISTS " + name_ + " WITH (FORCE)");
    maintenance.query("CREATE DATABASE " + name_);
}

void Database::set_up(const Settings &settings, const std::vector<std::string> &folders)
{
    Connection connection(name_);
    for (const std::string &step : settings.setup) {
        const bool is_file = step.ends_with(".sql");
        try {
            connection.query(is_file ? contents(find_setup(step, folders)) : step);
        } catch (const std::exception &failure) {
            throw std::runtime_error("set-up " + step + ": " + failure.what());
        }
    }
}

Database::~Database()
{
    try {
        Connection(kMaintenance).query("DROP DATABASE IF EXISTS " + name_ + " WITH (FORCE)");
    } catch (const std::exception &) {
        // the cluster goes away with everything in it
    }
}

bool Database::has_function(const std::string &name)
{
    return Connection(name_).scalar("SELECT to_regproc(" + quoted(name) +
                                    ") IS NOT NULL OR EXISTS "
                                    "(SELECT FROM pg_proc WHERE pronamespace::regnamespace || '.' "
                                    "|| proname = " +
                                    quoted(name) + ")") == "t";
}

Size size_of(Connection &monitor, const std::string &table)
{
    const auto number = [&](const std::string &sql) {
        return std::strtod(monitor.scalar(sql).c_str(), nullptr);
    };
    // a plain table is no partition tree, so it is named itself
    const std::string relations = " FROM (SELECT relid FROM pg_partition_tree(" + quoted(table) +
                                  "::regclass) UNION SELECT " + quoted(table) + "::regclass) t";
    return {number("SELECT count(*) FROM " + table),
            number("SELECT sum(pg_table_size(relid))" + relations),
            number("SELECT sum(pg_indexes_size(relid))" + relations)};
}

std::string find_setup(const std::string &file, const std::vector<std::string> &folders)
{
    for (const std::string &folder : folders)
        if (std::filesystem::exists(folder + "/" + file))
            return folder + "/" + file;
    throw std::runtime_error("no set-up file " + file);
}

} // namespace bench
