#include <weir/postgres/detail/exchange.hpp>

#include <weir/postgres/detail/failure.hpp>

#include <libpq-fe.h>

#include <vector>

namespace weir::postgres::detail {

exchange::exchange(::pg_conn* handle, boost::asio::any_io_executor const& executor, std::string const& server,
                   std::chrono::milliseconds silence)
    : handle_(handle), watch_(executor, PQsocket(handle)), server_(&server), silence_(silence) {}

void exchange::concerns(std::string const& sql) {
  constexpr std::size_t enough = 200;
  doing_ = "cannot run \"" + (sql.size() <= enough ? sql : sql.substr(0, enough) + "...") + '"';
}

void exchange::send(statement const& s) {
  concerns(s.sql);
  auto const& all = s.values.values_;
  std::vector<Oid> types;
  std::vector<char const*> values;
  std::vector<int> lengths, formats;
  for (auto const& v : all) {
    types.push_back(v.type);
    values.push_back(v.null ? nullptr : s.values.bytes_.c_str() + v.begin);
    lengths.push_back(static_cast<int>(v.length));
    formats.push_back(v.binary ? 1 : 0);
  }
  int const format = s.results == value_format::binary ? 1 : 0;
  if (PQsendQueryParams(handle_, s.sql.c_str(), static_cast<int>(all.size()), types.data(), values.data(), lengths.data(), formats.data(),
                        format) == 0)
    lose();
}

void exchange::send_commands(std::string const& sql) {
  concerns(sql);
  if (PQsendQuery(handle_, sql.c_str()) == 0) lose();
}

void exchange::lose() const {
  check();
  throw lost_connection(handle_, *server_, doing_);
}

void exchange::check() const {
  if (failure_) std::rethrow_exception(failure_);
}

task<> exchange::wait(readiness what) {
  bool const in_time = co_await watch_.wait(what, std::chrono::steady_clock::now() + silence_);
  if (in_time) co_return;
  check();
  throw error(errc::timed_out, "postgres: " + doing_, "nothing was heard of the server for " + std::to_string(silence_.count()) + " ms",
              "look at the server and at what is in between")
      .with_detail(*server_);
}

task<> exchange::flush() {
  for (;;) {
    int const rest = PQflush(handle_);
    if (rest == 0) co_return;
    if (rest < 0) lose();
    // A server that waits for us to read does not read itself.
    co_await wait(readiness::either);
    if (PQconsumeInput(handle_) == 0) lose();
  }
}

void exchange::note(::pg_result const* r) {
  switch (PQresultStatus(r)) {
    case PGRES_FATAL_ERROR:
    case PGRES_BAD_RESPONSE: break;
    case PGRES_COPY_IN:
    case PGRES_COPY_OUT:
    case PGRES_COPY_BOTH:
      throw error(errc::misuse, "postgres: " + doing_, "COPY between client and server has no place here", "use INSERT and SELECT")
          .with_detail(*server_);
    default: return;
  }
  if (failure_) return;
  bool const told = PQresultErrorField(r, PG_DIAG_SQLSTATE) != nullptr;
  failure_ = std::make_exception_ptr(told ? statement_failure(r, *server_, doing_) : lost_connection(handle_, *server_, doing_));
}

task<std::optional<result>> exchange::next() {
  while (PQisBusy(handle_) == 1) {
    co_await wait(readiness::read);
    if (PQconsumeInput(handle_) == 0) break;  // what has arrived before may tell why
  }
  ::pg_result* const r = PQgetResult(handle_);
  if (r == nullptr) {
    if (PQstatus(handle_) == CONNECTION_BAD) lose();
    co_return std::nullopt;
  }
  result out(r);
  note(r);
  if (PQstatus(handle_) == CONNECTION_BAD) lose();
  co_return std::optional<result>(std::move(out));
}

task<> exchange::finish() {
  for (;;) {
    auto const one = co_await next();
    if (!one) co_return;
  }
}

}  // namespace weir::postgres::detail
