#include "runtime_server.hpp"

#include <weir/asio.hpp>
#include <weir/clock.hpp>
#include <weir/context.hpp>
#include <weir/when_any.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <utility>

namespace local_lambda {
namespace {

namespace http = boost::beast::http;
using boost::asio::as_tuple;
using boost::asio::ip::tcp;
using weir::use;

weir::net::request taken(http::request<http::string_body> m) {
  weir::net::request out(std::string(m.method_string()), std::string(m.target()));
  for (auto const& f : m.base()) out.headers.add(std::string(f.name_string()), std::string(f.value()));
  out.body = std::move(m.body());
  return out;
}

http::response<http::string_body> made(weir::net::response r, bool keeps) {
  http::response<http::string_body> out(static_cast<http::status>(r.status), 11);
  for (auto const& [name, value] : r.headers) out.insert(name, value);
  out.body() = std::move(r.body);
  out.keep_alive(keeps);
  out.prepare_payload();
  return out;
}

}  // namespace

runtime_server::runtime_server(boost::asio::any_io_executor const& on, runtime_api& api)
    : api_(api),
      acceptor_(on, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)),
      offered_(on, boost::asio::steady_timer::time_point::max()),
      changed_(on, boost::asio::steady_timer::time_point::max()) {}

std::string runtime_server::address() const { return "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()); }

void runtime_server::restart() {
  api_.restart();
  offered_.cancel();
}

weir::task<> runtime_server::serve() {
  auto body = [this](weir::async_scope& scope) { return accept(scope); };
  weir::task<> serving = weir::with_scope(std::move(body));
  co_await std::move(serving);
}

weir::task<> runtime_server::accept(weir::async_scope& scope) {
  for (;;) {
    tcp::socket accepted = co_await acceptor_.async_accept(use);
    scope.spawn(talk(std::move(accepted)));
  }
}

weir::task<> runtime_server::talk(tcp::socket socket) {
  boost::beast::flat_buffer buffer;
  for (bool keeps = true; keeps;) {
    http::request_parser<http::string_body> parser;
    parser.body_limit(runtime_api::most_streamed + 1);
    auto const [not_read, size] = co_await http::async_read(socket, buffer, parser, as_tuple(use));
    if (not_read) co_return;
    keeps = parser.keep_alive();
    weir::net::request const ask = taken(parser.release());
    weir::task<std::optional<weir::net::response>> answering = answer_to(ask, socket);
    std::optional<weir::net::response> answer = co_await std::move(answering);
    if (!answer) co_return;
    http::response<http::string_body> const reply = made(*std::move(answer), keeps);
    auto const [not_written, written] = co_await http::async_write(socket, reply, as_tuple(use));
    changed_.cancel();
    if (not_written) co_return;
  }
}

// Null: who asked has hung up, or is not the function any more.
weir::task<std::optional<weir::net::response>> runtime_server::answer_to(weir::net::request const& ask, tcp::socket& socket) {
  weir::context& own = co_await weir::current_context();
  std::size_t const process = api_.process();
  std::optional<weir::net::response> out;
  while (!out && process == api_.process()) {
    out = api_.take(ask, own.clock().now());
    if (out) break;
    weir::task<> offering = offered();
    weir::task<bool> ending = hung_up(socket);
    auto ends = co_await weir::when_any(std::move(offering), std::move(ending));
    if (ends.index == 1 && std::get<1>(ends.outcomes).get()) break;
  }
  co_return out;
}

weir::task<> runtime_server::offered() { co_await offered_.async_wait(as_tuple(use)); }

weir::task<bool> runtime_server::hung_up(tcp::socket& socket) {
  co_await socket.async_wait(tcp::socket::wait_read, as_tuple(use));
  boost::system::error_code failed;
  if (socket.available(failed) == 0) co_return true;
  co_await offered_.async_wait(as_tuple(use));  // it asks for more at once
  co_return false;
}

weir::task<> runtime_server::begun() {
  while (!api_.begun()) co_await changed_.async_wait(as_tuple(use));
}

weir::task<> runtime_server::ended() {
  while (!api_.end()) co_await changed_.async_wait(as_tuple(use));
}

}  // namespace local_lambda
