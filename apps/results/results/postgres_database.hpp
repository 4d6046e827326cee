#pragma once

#include <results/database.hpp>

#include <memory>
#include <string>

namespace results {

/// Results in a database of PostgreSQL. A connection that was lost is made anew by the next transaction.
///
/// Does not connect. Errors: `errc::invalid_option` for a wrong `conninfo`, and where the library was not built.
std::unique_ptr<database> make_postgres_database(std::string const& conninfo);

}  // namespace results
