#include <weir/redis/detail/connection.hpp>

#include <weir/asio.hpp>
#include <weir/redis/detail/failure.hpp>
#include <weir/timeout.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace weir::redis::detail {
namespace asio = boost::asio;

namespace {
// What the system says, without our words around it.
std::string reason(error const& e) { return e.code() == errc::timed_out ? "no answer in time" : e.code().message(); }
}  // namespace

connection::~connection() {
  if (resting_ >= 0) ::close(resting_);
}

task<std::unique_ptr<connection>> connection::open(options const& where) {
  auto made = std::make_unique<connection>(where);
  try {
    task<> work = made->connect();
    co_await with_timeout(where.connect_timeout, std::move(work));
  } catch (error const& e) {
    if (e.code() == condition::cancelled) throw;
    fail_to_reach(reason(e), where, "cannot connect");
  }
  co_return made;
}

task<> connection::connect() {
  context& own = co_await current_context();
  auto const& executor = own.environment().executor();
  socket_.emplace(executor);
  if (!where_->socket.empty()) {
    asio::local::stream_protocol::endpoint const at(where_->socket);
    protocol_ = at.protocol();
    co_await socket_->async_connect(at, use);
    co_return;
  }
  asio::ip::tcp::resolver resolver(executor);
  std::string const port = std::to_string(where_->port);
  auto const found = co_await resolver.async_resolve(where_->host, port, asio::ip::resolver_base::numeric_service, use);
  std::exception_ptr failure;
  for (auto const& candidate : found) {
    asio::ip::tcp::endpoint const at = candidate.endpoint();
    socket_.emplace(executor);
    protocol_ = at.protocol();
    try {
      co_await socket_->async_connect(at, use);
      socket_->set_option(asio::ip::tcp::no_delay(true));
      co_return;
    } catch (error const& e) {
      if (e.code() == condition::cancelled) throw;
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

void connection::rest() {
  if (!socket_) return;
  resting_ = socket_->release();
  socket_.reset();
}

bool connection::fresh() const noexcept {
  char byte = 0;
  return resting_ >= 0 && ::recv(resting_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

task<std::vector<reply>> connection::ask(std::string commands, std::size_t replies, std::chrono::milliseconds longer) {
  context& own = co_await current_context();
  if (!socket_) socket_.emplace(own.environment().executor(), protocol_, std::exchange(resting_, -1));
  std::vector<reply> out;
  try {
    co_await send(commands);
    co_await receive(replies, where_->reply_timeout + longer, out);
  } catch (error const& e) {
    if (e.code() == condition::cancelled || e.code() == errc::malformed) throw;
    fail_to_reach(reason(e), *where_, "lost the connection");
  }
  co_return out;
}

task<> connection::send(std::string const& commands) {
  // In pieces, so that the time is for the next bytes here too.
  constexpr std::size_t piece = 1024 * 1024;
  for (std::size_t sent = 0; sent != commands.size();) {
    std::size_t const n = std::min(piece, commands.size() - sent);
    task<> work = write_all(std::string_view(commands).substr(sent, n));
    co_await with_timeout(where_->reply_timeout, std::move(work));
    sent += n;
  }
}

task<> connection::receive(std::size_t replies, std::chrono::milliseconds limit, std::vector<reply>& to) {
  while (to.size() != replies) {
    if (auto next = reader_.next()) {
      to.push_back(*std::move(next));
      continue;
    }
    task<std::size_t> work = read_some();
    std::size_t const n = co_await with_timeout(limit, std::move(work));
    reader_.feed(std::string_view(buffer_.data(), n));
  }
}

task<> connection::write_all(std::string_view bytes) {
  auto const out = asio::buffer(bytes.data(), bytes.size());
  co_await asio::async_write(*socket_, out, use);
}

task<std::size_t> connection::read_some() {
  auto const in = asio::buffer(buffer_);
  co_return co_await socket_->async_read_some(in, use);
}

}  // namespace weir::redis::detail
