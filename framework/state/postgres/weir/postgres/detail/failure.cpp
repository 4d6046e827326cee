#include <weir/postgres/detail/failure.hpp>

#include <libpq-fe.h>

#include <algorithm>

namespace weir::postgres::detail {
namespace {

struct verdict {
  std::string_view state;  // an SQLSTATE, or a class of them: its first two characters
  errc code;
  std::string_view advice;
};

// The first that fits counts.
constexpr verdict verdicts[]{
    {"08", errc::unavailable, "look whether the server runs; it is tried again where that is safe"},
    {"25006", errc::access_denied, "connect to the primary server, as a user who may write"},
    {"25P03", errc::unavailable, "the connection was idle within a transaction for too long"},
    {"28", errc::access_denied, "look at the user, the password and the server's pg_hba.conf"},
    {"3D000", errc::not_found, "make the database, or name another"},
    {"3F000", errc::not_found, "make the schema, or name another"},
    {"40", errc::busy, "another transaction was in the way; try again"},
    {"42501", errc::access_denied, "grant the user the right to do this"},
    {"53100", errc::no_space, "make room on the server's disk; what was committed before is intact"},
    {"53", errc::unavailable, "the server is short of connections or memory"},
    {"54", errc::too_large, "it is beyond PostgreSQL's limits"},
    {"55", errc::busy, "somebody else holds a lock; try again"},
    {"57014", errc::timed_out, "look for who holds the lock or what makes it slow, or allow statements more time"},
    {"57P04", errc::not_found, "the database was dropped"},
    {"57", errc::unavailable, "the server is being stopped or started; try again"},
    {"58", errc::io, "look at the server's log and disk"},
    {"XX001", errc::corrupt, "restore the database from a backup"},
    {"XX002", errc::corrupt, "rebuild the index (REINDEX), or restore the database from a backup"},
    {"", errc::rejected, "look at the SQL, the tables and the server's log"},
};

verdict const& judge(std::string_view sqlstate) noexcept {
  return *std::find_if(std::begin(verdicts), std::end(verdicts), [&](verdict const& v) { return sqlstate.starts_with(v.state); });
}

std::string_view field(::pg_result const* r, int which) noexcept {
  char const* const text = PQresultErrorField(r, which);
  return text == nullptr ? "" : text;
}

std::string in_one_line(std::string_view text) {
  std::string out;
  for (char const c : text)
    if (c != '\n') out += c;
    else if (!out.empty()) out += ' ';
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

error made(std::string_view sqlstate, std::string const& server, std::string const& failed, std::string_view why) {
  verdict const& v = judge(sqlstate);
  error out(v.code, "postgres: " + failed, in_one_line(why), std::string(v.advice));
  out.with_detail(server);
  if (!sqlstate.empty()) out.with_detail("SQLSTATE " + std::string(sqlstate));
  return out;
}

bool is_state(std::string_view text) noexcept {
  return text.size() == 5 && std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); });
}

}  // namespace

errc meaning(std::string_view sqlstate) noexcept { return judge(sqlstate).code; }

error statement_failure(::pg_result const* failed, std::string const& server, std::string const& doing) {
  std::string why(field(failed, PG_DIAG_MESSAGE_PRIMARY));
  if (auto const more = field(failed, PG_DIAG_MESSAGE_DETAIL); !more.empty()) why.append(" (").append(more).append(")");
  if (why.empty()) why = PQresultErrorMessage(failed);
  return made(field(failed, PG_DIAG_SQLSTATE), server, doing, why);
}

// libpq keeps the SQLSTATE of a refused connection to itself; but it is asked for verbose messages, "FATAL:  28P01: password ...", with
// a line about the server's source behind. The last refusal is of the server that was tried last.
error connect_failure(::pg_conn* connection, std::string const& server) {
  std::string const text = connection == nullptr ? "memory is short" : PQerrorMessage(connection);
  std::string why = text.substr(0, text.find("\nLOCATION:"));
  std::string state;
  for (auto at = why.rfind(":  "); at != std::string::npos && at != 0 && state.empty(); at = why.rfind(":  ", at - 1))
    if (is_state(std::string_view(why).substr(at + 3, 5)) && why.compare(at + 8, 2, ": ") == 0) {
      state = why.substr(at + 3, 5);
      why.erase(at + 3, 7);
    }
  std::string_view const known = state.empty() ? "08001" : std::string_view(state);
  if (state.empty() && connection != nullptr && PQconnectionNeedsPassword(connection) == 1) {
    return error(errc::access_denied, "postgres: cannot connect", "the server wants a password and none is known",
                 "give one by PGPASSWORD, ~/.pgpass or the connection string")
        .with_detail(server);
  }
  return made(known, server, "cannot connect", why);
}

error lost_connection(::pg_conn* connection, std::string const& server, std::string const& doing) {
  std::string why = in_one_line(PQerrorMessage(connection));
  if (why.empty()) why = "the connection was lost";
  return made("08006", server, doing, why);
}

}  // namespace weir::postgres::detail
