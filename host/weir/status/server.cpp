#include <weir/status/server.hpp>

#include <weir/asio.hpp>
#include <weir/async_scope.hpp>
#include <weir/error.hpp>
#include <weir/sleep.hpp>
#include <weir/spawn.hpp>
#include <weir/status/detail/pages.hpp>
#include <weir/task.hpp>
#include <weir/timeout.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>

#include <array>
#include <chrono>
#include <exception>
#include <future>
#include <optional>
#include <thread>
#include <utility>

namespace weir::status {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

[[noreturn]] void refuse(std::string why) { throw error(weir::errc::invalid_option, "status: cannot be shown", std::move(why)); }

tcp::acceptor listen(asio::io_context& loop, options const& o) {
  error_code failed;
  auto const address = asio::ip::make_address(o.address, failed);
  if (failed) refuse("options::address is no IP address: " + o.address);
  tcp::endpoint const at(address, o.port);
  tcp::acceptor out(loop);
  failed = out.open(at.protocol(), failed);
  if (!failed) failed = out.set_option(tcp::acceptor::reuse_address(true), failed);
  if (!failed) failed = out.bind(at, failed);
  if (!failed) failed = out.listen(asio::socket_base::max_listen_connections, failed);
  if (failed) {
    throw error(std::error_code(failed), "status: cannot listen at " + o.address + ":" + std::to_string(o.port), failed.message(),
                "give options::port another one (0 takes any that is free)");
  }
  return out;
}

constexpr std::chrono::milliseconds between_events{500};
constexpr std::size_t places_for_probes = 8;  // beside `options::connections`: who asks whether it lives is not to be told by others

unsigned status_of(error_code const& failed) noexcept { return failed == http::error::header_limit ? 431 : 400; }

}  // namespace

class server::parts {
public:
  explicit parts(options o) : how_(check(std::move(o))), pages_(how_.token, names_of(how_), figures_), acceptor_(listen(loop_, how_)) {
    port_ = acceptor_.local_endpoint().port();
  }
  parts(parts const&) = delete;
  parts& operator=(parts const&) = delete;
  ~parts() { stop(); }

  std::uint16_t port() const noexcept { return port_; }
  prometheus_metrics& figures() noexcept { return figures_; }
  detail::pages& pages() noexcept { return pages_; }

  void start(std::shared_ptr<application_status const> of, logger log) {
    stop();
    pages_.show(std::move(of));
    log_ = log;
    log.info("status: shown at http://" + how_.address + ":" + std::to_string(port_));
    loop_.restart();
    stopping_ = false;
    spawn(loop_, serve(), [log](std::exception_ptr const& failure) { say(log, failure); });
    thread_ = std::thread([this] { loop_.run(); });
  }
  void stop() noexcept {
    if (!thread_.joinable()) return;
    asio::post(loop_, [this] {
      stopping_ = true;
      if (accepting_) accepting_->cancel();
    });
    thread_.join();
    loop_.restart();
    loop_.poll();  // what was posted is not to wait for the next start, where it had ended before
    pages_.show(nullptr);
  }

private:
  static options check(options o) {
    if (o.connections == 0) refuse("options::connections is 0; nobody could look");
    if (o.head_size < 1024) refuse("options::head_size is below 1024 bytes, which a request may need");
    if (o.request_timeout.count() <= 0 || o.answer_timeout.count() <= 0) refuse("a timeout is not above zero");
    return o;
  }
  static detail::pages::names names_of(options const& o) {
    error_code failed;
    return asio::ip::make_address(o.address, failed).is_loopback() ? detail::pages::names::local : detail::pages::names::any;
  }
  static void say(logger const& log, std::exception_ptr const& failure) {
    try {
      if (failure) std::rethrow_exception(failure);
    } catch (error const& e) {
      if (e.code() != condition::cancelled) log.error(std::string("status: nothing is shown any more: ") + e.what());
    } catch (std::exception const& e) {
      log.error(std::string("status: nothing is shown any more: ") + e.what());
    }
  }

  task<> serve() {
    context& own = co_await current_context();
    if (stopping_) co_return;
    accepting_ = &own;
    auto body = [this](async_scope& scope) { return accept(scope); };
    std::exception_ptr failure;
    try {
      task<> all = with_scope(std::move(body));
      co_await std::move(all);
    } catch (...) {
      failure = std::current_exception();
    }
    accepting_ = nullptr;
    if (failure) std::rethrow_exception(failure);
  }

  // A failure to accept (no more descriptors) passes, in time.
  task<> accept(async_scope& scope) {
    for (;;) {
      auto [failed, socket] = co_await acceptor_.async_accept(asio::as_tuple(use));
      if (failed == asio::error::operation_aborted) throw error(weir::errc::cancelled, "status: stopped");
      if (failed) co_await sleep_for(std::chrono::milliseconds(100));
      else admit(scope, std::move(socket));
    }
  }
  void admit(async_scope& scope, tcp::socket socket) {
    std::size_t const others = scope.running();
    if (others < how_.connections / 2) crowded_ = false;
    if (others >= how_.connections && !std::exchange(crowded_, true)) {
      log_.warning("status: all " + std::to_string(how_.connections) +
                   " connections are taken; others are refused, but for probes, until some have ended (options::connections)");
    }
    if (others < how_.connections + places_for_probes) scope.spawn(attend(std::move(socket), others >= how_.connections));
  }

  // One connection. What goes wrong with it is its own affair.
  task<> attend(tcp::socket socket, bool probes_only) {
    context& own = co_await current_context();
    boost::beast::flat_buffer buffer(how_.head_size + 1024);
    bool more = true;
    try {
      while (more) {
        task<bool> one = exchange(socket, buffer, probes_only);
        more = co_await std::move(one);
      }
    } catch (std::exception const&) {
      more = false;
    }
    error_code ignored;
    ignored = socket.shutdown(tcp::socket::shutdown_both, ignored);
    if (own.cancelled()) throw error(weir::errc::cancelled, "status: stopped");
  }

  // False: it was the last one.
  task<bool> exchange(tcp::socket& socket, boost::beast::flat_buffer& buffer, bool probes_only) {
    http::request_parser<http::empty_body> parser;
    parser.header_limit(static_cast<std::uint32_t>(how_.head_size));
    error_code failed;
    bool late = false;
    try {
      task<error_code> reading = with_timeout(how_.request_timeout, read(socket, buffer, parser));
      failed = co_await std::move(reading);
    } catch (error const& e) {
      late = e.code() == weir::errc::timed_out;
      if (!late) throw;
    }
    if (late && buffer.size() == 0) co_return false;  // it was only kept open
    if (failed == http::error::end_of_stream) co_return false;
    bool const complete = !late && !failed;
    bool const has_body = complete && (parser.chunked() || parser.content_length().value_or(0) != 0);
    detail::page answer(late ? 408 : status_of(failed), detail::page::plain, late ? "the request took too long\n" : "no request\n");
    bool whole = true, stays = false;
    detail::request_head request;
    if (complete) {
      auto const& head = parser.get();
      request.method = std::string(head.method_string());
      request.target = std::string(head.target());
      request.host = std::string(head[http::field::host]);
      request.authorization = std::string(head[http::field::authorization]);
      if (probes_only && !detail::pages::is_probe(request.target))
        answer = detail::page(503, detail::page::plain, "all connections are taken; there are others in a while\n");
      else answer = pages_.answer(request, std::chrono::steady_clock::now().time_since_epoch());
      whole = request.method != "HEAD";
      stays = head.keep_alive() && !has_body && !probes_only;
    }
    stays = stays && !answer.is_stream();
    task<> writing = with_timeout(how_.answer_timeout, write(socket, answer, whole, stays));
    co_await std::move(writing);
    if (whole && answer.is_stream()) {
      task<> more = stream_events(socket, std::move(request));
      co_await std::move(more);
    }
    co_return stays;
  }

  // What is shown under that address by and by, until it is not any more, or who listens has gone.
  task<> stream_events(tcp::socket& socket, detail::request_head request) {
    for (;;) {
      co_await sleep_for(between_events);
      detail::page const next = pages_.answer(request, std::chrono::steady_clock::now().time_since_epoch());
      if (!next.is_stream()) co_return;
      task<> writing = with_timeout(how_.answer_timeout, write_event(socket, next));
      co_await std::move(writing);
    }
  }
  static task<> write_event(tcp::socket& socket, detail::page const& event) {
    co_await asio::async_write(socket, asio::buffer(*event.body), use);
  }

  static task<error_code> read(tcp::socket& socket, boost::beast::flat_buffer& buffer, http::request_parser<http::empty_body>& parser) {
    auto const [failed, size] = co_await http::async_read_header(socket, buffer, parser, asio::as_tuple(use));
    if (failed == asio::error::operation_aborted) throw error(weir::errc::cancelled, "status: stopped");
    co_return failed;
  }
  static task<> write(tcp::socket& socket, detail::page const& answer, bool whole, bool stays) {
    using then = detail::page::connection;
    then const behind = stays ? then::stays : then::closes;
    std::string const head = answer.head(behind);
    std::array<asio::const_buffer, 2> parts;
    parts[0] = asio::buffer(head);
    if (whole) parts[1] = asio::buffer(*answer.body);
    co_await asio::async_write(socket, parts, use);
  }

  options const how_;
  prometheus_metrics figures_;
  detail::pages pages_;
  asio::io_context loop_{1};
  tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
  context* accepting_ = nullptr;  // on the loop's thread, like what follows
  bool stopping_ = false, crowded_ = false;
  logger log_;
  std::thread thread_;
};

server::server(options o) : parts_(std::make_unique<parts>(std::move(o))) {}
server::~server() = default;
std::uint16_t server::port() const noexcept { return parts_->port(); }
prometheus_metrics& server::figures() noexcept { return parts_->figures(); }
void server::add(own_page p) { parts_->pages().add(std::move(p)); }
void server::add(std::span<asset const> files) { parts_->pages().add(files); }
weir::metrics* server::metrics() noexcept { return &parts_->figures(); }
void server::start(std::shared_ptr<application_status const> of, logger log) { parts_->start(std::move(of), std::move(log)); }
void server::stop() noexcept { parts_->stop(); }

}  // namespace weir::status
