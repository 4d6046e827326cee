#include <weir/net/http2_client.hpp>

#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/net/detail/failure.hpp>
#include <weir/net/detail/h2_pool.hpp>
#include <weir/net/detail/proxy.hpp>
#include <weir/net/detail/proxy_settings.hpp>
#include <weir/net/detail/time_limit.hpp>
#include <weir/net/detail/tls_settings.hpp>
#include <weir/net/url.hpp>

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace weir::net {

struct http2_client::parts {
  explicit parts(http2_options o)
      : options(std::move(o)),
        tls(options.http.ca_file),
        proxies(options.http.proxy, options.http.proxies_from),
        pool(std::make_shared<detail::h2_pool>()) {}
  http2_options const options;
  detail::tls_settings tls;
  detail::proxy_settings const proxies;
  std::shared_ptr<detail::h2_pool> const pool;
};

namespace {

[[noreturn]] void refuse_request(std::string why, std::string advice = {}) {
  throw error(errc::invalid_option, "http: cannot send a request", std::move(why), std::move(advice));
}

http2_options checked(http2_options o) {
  auto const require = [](bool holds, char const* what) {
    if (!holds) throw error(errc::invalid_option, "http: cannot make a client", what);
  };
  constexpr std::chrono::milliseconds none{};
  require(o.http.connect_timeout > none, "connect_timeout is not above zero");
  require(o.http.tls_timeout > none, "tls_timeout is not above zero");
  require(o.http.request_timeout > none, "request_timeout is not above zero");
  require(o.http.most_header > 0, "most_header is not above zero");
  require(o.http.most_header <= std::numeric_limits<std::uint32_t>::max(), "most_header is above 4 GiB");
  require(o.window >= 65'535 && o.window <= std::numeric_limits<std::int32_t>::max(), "window is not from 65,535 to 2^31 - 1");
  require(o.read_timeout >= none, "read_timeout is below zero");
  require(o.ping_after > none, "ping_after is not above zero");
  require(o.ping_timeout > none, "ping_timeout is not above zero");
  return o;
}

url place_of(std::string const& text) {
  auto parsed = url::parse(text);
  if (!parsed) refuse_request("the URL " + std::string(to_string(parsed.error())), "write https://example.com/path");
  return *std::move(parsed);
}

// Source: RFC 9113, section 8.2.2 (what is of HTTP/1.1's connections) and 8.3.1.
detail::h2_request h2_request_of(request r, url const& to, std::string const& user_agent) {
  constexpr std::array<std::string_view, 7> ours{"host",    "content-length",   "transfer-encoding", "connection",
                                                 "upgrade", "proxy-connection", "keep-alive"};
  if (!is_token(r.method)) refuse_request("\"" + r.method + "\" is no method", "write GET or POST");
  detail::h2_request out;
  out.fields.emplace_back(":method", r.method);
  out.fields.emplace_back(":scheme", to.secure() ? "https" : "http");
  out.fields.emplace_back(":authority", to.authority());
  out.fields.emplace_back(":path", to.target());
  for (auto const& [name, value] : r.headers) {
    std::string lower = lower_case(name);
    for (std::string_view const our : ours)
      if (lower == our) refuse_request("the header " + name + " is the client's own");
    out.fields.emplace_back(std::move(lower), value);
  }
  if (!r.headers.find("user-agent")) out.fields.emplace_back("user-agent", user_agent);
  if (!r.body.empty() || r.method == "POST" || r.method == "PUT" || r.method == "PATCH")
    out.fields.emplace_back("content-length", std::to_string(r.body.size()));
  out.body = std::move(r.body);
  return out;
}

// On a connection that there is, or a new one; of several that need one, the first makes it.
template <class Parts>
task<std::unique_ptr<detail::h2_exchange>> begin_exchange(Parts& p, url const& to, detail::proxy const* by, detail::h2_request r) {
  context& own = co_await current_context();
  boost::asio::any_io_executor const strand = own.environment().executor();
  std::string const origin = to.origin();
  for (;;) {
    if (auto const c = p.pool->find(origin, strand)) co_return c->send(std::move(r));
    if (auto const other = p.pool->under_way(origin, strand)) {
      co_await other->over.wait();
      continue;
    }
    detail::h2_pool::attempting const mine(*p.pool, origin, strand);
    task<std::shared_ptr<detail::h2_connection>> opening = detail::h2_connection::open(to, p.options, p.tls, by);
    std::shared_ptr<detail::h2_connection> const made = co_await std::move(opening);
    p.pool->add(origin, strand, made);
    co_return made->send(std::move(r));
  }
}

// Until the head of the reply is there. What the server has not looked at is sent once more.
template <class Parts>
task<std::unique_ptr<detail::h2_exchange>> head_of(Parts& p, url const& to, detail::proxy const* by, detail::h2_request const& r) {
  for (bool again = true;; again = false) {
    detail::h2_request copy = r;
    task<std::unique_ptr<detail::h2_exchange>> beginning = begin_exchange(p, to, by, std::move(copy));
    std::unique_ptr<detail::h2_exchange> made = co_await std::move(beginning);
    co_await made->wait_for_head();
    if (made->reply().answered) co_return made;
    detail::h2_failure const& why = *made->reply().failure;
    if (!why.unseen || !again) throw error(why.code, "http: no reply", why.why);
  }
}

task<std::string_view> next_piece(detail::h2_exchange& from, std::chrono::milliseconds limit) {
  task<std::string_view> reading = from.read();
  if (limit.count() > 0) reading = detail::within(limit, std::move(reading), "no more of the reply", "read_timeout");
  std::string_view const piece = co_await std::move(reading);
  co_return piece;
}

stream<std::string_view> body_of(std::unique_ptr<detail::h2_exchange> from, std::string origin, std::chrono::milliseconds limit) {
  for (;;) {
    std::string_view piece;
    try {
      task<std::string_view> reading = next_piece(*from, limit);
      piece = co_await std::move(reading);
    } catch (error& e) {
      if (e.code() != condition::cancelled) e.with_detail(origin);
      throw;
    }
    if (piece.empty()) co_return;
    co_yield piece;
  }
}

}  // namespace

http2_client::http2_client(http2_options options) : parts_(std::make_shared<parts>(checked(std::move(options)))) {}

std::size_t http2_client::connections() const { return parts_->pool->size(); }

task<streamed_response> http2_client::send(request r) const { return send_by(parts_, std::move(r)); }

task<streamed_response> http2_client::send_by(std::shared_ptr<parts> p, request r) {
  url const to = place_of(r.url);
  std::optional<detail::proxy> const found = p->proxies.for_url(to);
  detail::proxy const* const by = found && to.secure() ? &*found : nullptr;
  detail::h2_request const asked = h2_request_of(std::move(r), to, p->options.http.user_agent);
  context& own = co_await current_context();
  detail::time_limit limited(own, p->options.http.request_timeout);
  try {
    try {
      task<std::unique_ptr<detail::h2_exchange>> work = head_of(*p, to, by, asked);
      std::unique_ptr<detail::h2_exchange> made = co_await std::move(work).under(limited.branch());
      detail::h2_stream& reply = made->reply();
      unsigned const status = reply.status;
      headers fields = std::move(reply.headers);
      stream<std::string_view> body = body_of(std::move(made), to.origin(), p->options.read_timeout);
      streamed_response out(status, std::move(fields), std::move(body));
      co_return out;
    } catch (error const& e) {
      if (!limited.passed() || e.code() != condition::cancelled) throw;
    }
    detail::fail_in_time("no reply", p->options.http.request_timeout.count(), "request_timeout");
  } catch (error& e) {
    if (e.code() == condition::cancelled) throw;
    e.with_detail(to.origin());
    if (by) e.with_detail(by->text());
    throw;
  }
}

}  // namespace weir::net
