#pragma once
#include <weir/postgres/detail/socket_watch.hpp>
#include <weir/postgres/result.hpp>
#include <weir/postgres/statement.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <string>

struct pg_conn;

namespace weir::postgres::detail {

// Sending statements and receiving what they return, on a connection that is open: libpq's asynchronous calls, with waits in between.
class exchange {
public:
  // `silence`: for how long the server may say nothing.
  exchange(::pg_conn* handle, boost::asio::any_io_executor const& executor, std::string const& server, std::chrono::milliseconds silence);

  // To be sent by `flush`. `what` is for messages.
  void send(statement const& s);
  void send_commands(std::string const& sql);
  task<> flush();
  // The next result, or nothing behind the last one of a statement. One that tells of a failure is kept for `check` and comes too.
  task<std::optional<result>> next();
  // Drops the results of one statement.
  task<> finish();
  // Throws the first failure there was.
  void check() const;
  bool failed() const noexcept { return failure_ != nullptr; }
  // What messages call the statement whose results are next.
  void concerns(std::string const& sql);

  [[noreturn]] void lose() const;

private:
  task<> wait(readiness what);
  void note(::pg_result const* r);

  ::pg_conn* handle_;
  socket_watch watch_;
  std::string const* server_;
  std::chrono::milliseconds silence_;
  std::string doing_;
  std::exception_ptr failure_;
};

}  // namespace weir::postgres::detail
