#pragma once
#include <weir/error.hpp>

#include <string>
#include <string_view>

struct pg_conn;
struct pg_result;

namespace weir::postgres::detail {

// What an SQLSTATE means to a program. Source: PostgreSQL 15, appendix A.
errc meaning(std::string_view sqlstate) noexcept;

// "postgres: <failed> (<server>, SQLSTATE <code>): <the server's text>; <what to do>" for a statement that failed.
error statement_failure(::pg_result const* failed, std::string const& server, std::string const& doing);

// The same for a connection that could not be made.
error connect_failure(::pg_conn* connection, std::string const& server);

// Of a connection that ended while it was in use.
error lost_connection(::pg_conn* connection, std::string const& server, std::string const& doing);

}  // namespace weir::postgres::detail
