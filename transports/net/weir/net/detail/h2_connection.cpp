#include <weir/net/detail/h2_connection.hpp>

#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/net/detail/failure.hpp>
#include <weir/net/detail/h2_socket.hpp>
#include <weir/net/detail/open_socket.hpp>
#include <weir/net/detail/shake_hands.hpp>
#include <weir/net/detail/time_limit.hpp>
#include <weir/net/detail/tls_settings.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>

#include <string_view>
#include <utility>

namespace weir::net::detail {
namespace asio = boost::asio;
using asio::ip::tcp;

namespace {
constexpr std::chrono::seconds longest_goodbye(1);
}

task<std::shared_ptr<h2_connection>> h2_connection::open(url const& to, http2_options const& options, tls_settings& tls, proxy const* by) {
  task<tcp::socket> connecting = open_socket(to, options.http, by);
  tcp::socket socket = co_await within(options.http.connect_timeout, std::move(connecting), "cannot connect", "connect_timeout");
  asio::any_io_executor const strand = socket.get_executor();
  std::shared_ptr<h2_connection> made;
  if (to.secure()) {
    asio::ssl::stream<tcp::socket> secure(std::move(socket), tls.get());
    task<> shaking = shake_hands(secure, to, "h2");
    co_await within(options.http.tls_timeout, std::move(shaking), "cannot make the connection secure", "tls_timeout");
    made = std::make_shared<h2_socket<asio::ssl::stream<tcp::socket>>>(std::move(secure), strand, options);
  } else {
    made = std::make_shared<h2_socket<tcp::socket>>(std::move(socket), strand, options);
  }
  made->start();
  co_return made;
}

h2_connection::h2_connection(asio::any_io_executor const& strand, http2_options const& options)
    : session_(h2_limits(options.window, options.http.most_header)),
      alive_(options.ping_after, options.ping_timeout, h2_keep_alive::clock::now()),
      timer_(strand) {}

void h2_connection::start() {
  watch(alive_.due());
  read();
  flush();
}

std::unique_ptr<h2_exchange> h2_connection::send(h2_request r) {
  std::int32_t const id = session_.open(std::move(r));
  auto made = std::make_unique<h2_exchange>(shared_from_this(), id, session_.stream(id));
  flush();
  return made;
}

void h2_connection::consume(std::int32_t id, std::size_t bytes) {
  session_.consume(id, bytes);
  flush();
}

void h2_connection::forget(std::int32_t id) {
  session_.drop(id);
  exchanges_.erase(id);
  if (closed_) return;
  if (exchanges_.empty()) finish();
  flush();
}

void h2_connection::did_read(boost::system::error_code const& failed, std::size_t size) {
  if (closed_) return;
  if (failed) {
    bool const ended = failed == asio::error::eof || failed == asio::ssl::error::stream_truncated;
    lose(h2_failure(errc::unavailable,
                    ended ? std::string("the server closed the connection") : "the connection was lost: " + failed.message()));
    return;
  }
  alive_.heard(h2_keep_alive::clock::now());
  session_.receive(std::string_view(in_.data(), size));
  flush();
  if (!closed_) read();
}

void h2_connection::did_write(boost::system::error_code const& failed) {
  writing_ = false;
  if (closed_) return;
  // What the server has said last is read before the connection is given up: it may be why.
  if (failed) out_.clear();
  else flush();
}

void h2_connection::flush() {
  wake();
  if (writing_ || closed_) return;
  out_ = session_.output();
  wake();
  if (session_.over()) finish();
  if (!out_.empty()) {
    writing_ = true;
    write();
  } else if (finishing_) {
    shut();
  }
}

void h2_connection::wake() {
  for (std::int32_t const id : session_.changed())
    if (auto const found = exchanges_.find(id); found != exchanges_.end()) found->second->changed_.wake();
}

void h2_connection::finish() {
  if (std::exchange(finishing_, true)) return;
  session_.finish();
  watch(h2_keep_alive::clock::now() + longest_goodbye);
}

void h2_connection::lose(h2_failure const& why) {
  session_.lose(why);
  wake();
  shut();
}

void h2_connection::shut() noexcept {
  closed_ = true;
  timer_.cancel();
  close();
}

void h2_connection::watch(h2_keep_alive::clock::time_point until) {
  timer_.expires_at(until);
  timer_.async_wait([self = shared_from_this()](boost::system::error_code const& stopped) {
    if (!stopped && !self->closed_) self->look();
  });
}

void h2_connection::look() {
  if (finishing_) {
    shut();
    return;
  }
  switch (alive_.next(h2_keep_alive::clock::now())) {
    case h2_keep_alive::action::wait: break;
    case h2_keep_alive::action::ask:
      session_.ping();
      flush();
      break;
    case h2_keep_alive::action::give_up: lose(h2_failure(errc::unavailable, "the server does not answer any more (PING)")); return;
  }
  watch(alive_.due());
}

}  // namespace weir::net::detail
