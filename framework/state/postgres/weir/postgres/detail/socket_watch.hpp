#pragma once
#include <weir/task.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <cstdint>
#include <memory>

namespace weir::postgres::detail {

// What a socket is waited for.
enum class readiness : std::uint8_t { read, write, either };

// Waits for a socket that belongs to somebody else, on one executor. Between watches the socket may move to another.
// Time is the system's: the server at the other end has no other, and a virtual clock would run away from it.
class socket_watch {
public:
  socket_watch(boost::asio::any_io_executor const& executor, int socket);
  socket_watch(socket_watch const&) = delete;
  socket_watch& operator=(socket_watch const&) = delete;
  ~socket_watch();

  // False when the time was up first. Cancelled: throws errc::cancelled.
  task<bool> wait(readiness what, std::chrono::steady_clock::time_point until);

private:
  struct parts;
  std::shared_ptr<parts> parts_;
};

}  // namespace weir::postgres::detail
