#include <weir/net/http_client.hpp>

#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/net/detail/connection.hpp>
#include <weir/net/detail/connection_pool.hpp>
#include <weir/net/detail/failure.hpp>
#include <weir/net/detail/proxy.hpp>
#include <weir/net/detail/proxy_settings.hpp>
#include <weir/net/detail/time_limit.hpp>
#include <weir/net/detail/tls_settings.hpp>
#include <weir/net/detail/tunnel.hpp>
#include <weir/net/url.hpp>

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace weir::net {
namespace http = boost::beast::http;

struct http_client::parts {
  explicit parts(http_options o)
      : options(std::move(o)),
        tls(options.ca_file),
        proxies(options.proxy, options.proxies_from),
        pool(std::make_shared<detail::connection_pool>(options.most_idle, options.idle_timeout)) {}
  http_options const options;
  detail::tls_settings tls;
  detail::proxy_settings const proxies;
  std::shared_ptr<detail::connection_pool> pool;
};

namespace {

[[noreturn]] void refuse(std::string why, std::string advice = {}) {
  throw error(errc::invalid_option, "http: cannot send a request", std::move(why), std::move(advice));
}

http_options checked(http_options o) {
  auto const above_zero = [](char const* name, auto value) {
    if (value <= decltype(value){})
      throw error(errc::invalid_option, "http: cannot make a client", std::string(name) + " is not above zero");
  };
  above_zero("connect_timeout", o.connect_timeout);
  above_zero("tls_timeout", o.tls_timeout);
  above_zero("request_timeout", o.request_timeout);
  above_zero("most_header", o.most_header);
  if (o.most_header > std::numeric_limits<std::uint32_t>::max())
    throw error(errc::invalid_option, "http: cannot make a client", "most_header is above 4 GiB");
  return o;
}

url where_to(std::string const& text) {
  auto parsed = url::parse(text);
  if (!parsed) refuse("the URL " + std::string(to_string(parsed.error())), "write https://example.com/path");
  return *std::move(parsed);
}

detail::message message_of(request r, url const& to, std::string const& user_agent, detail::proxy const* by) {
  constexpr std::array<std::string_view, 4> ours{"Host", "Content-Length", "Transfer-Encoding", "Connection"};
  if (!is_token(r.method)) refuse("\"" + r.method + "\" is no method", "write GET or POST");
  detail::message m;
  m.version(11);
  m.method_string(r.method);
  bool const by_proxy = by && !to.secure();  // else the proxy does not see it
  m.target(by_proxy ? to.origin() + to.target() : to.target());
  m.set(http::field::host, to.authority());
  if (by_proxy && !by->authorization.empty()) m.set(http::field::proxy_authorization, by->authorization);
  for (auto const& [name, value] : r.headers) {
    for (std::string_view const our : ours)
      if (same_name(name, our)) refuse("the header " + name + " is the client's own");
    m.insert(name, value);
  }
  if (m.find(http::field::user_agent) == m.end()) m.set(http::field::user_agent, user_agent);
  bool const has_body = !r.body.empty() || r.method == "POST" || r.method == "PUT" || r.method == "PATCH";
  m.body() = std::move(r.body);
  if (has_body) m.content_length(m.body().size());
  return m;
}

// `Parts`: the client's own are private to it.
template <class Parts> task<response> exchange(Parts& p, url const& to, detail::proxy const* by, detail::message const& m,
                                               bool idempotent) {
  context& own = co_await current_context();
  std::string const origin = to.origin();
  auto kept = p.pool->take(origin, own.environment().executor());
  bool fresh = !kept;
  for (;;) {
    if (!kept) kept = co_await detail::connection::open(to, p.options, p.tls, by);
    try {
      response answer = co_await kept->ask(m, p.options);
      if (kept->reusable()) p.pool->give_back(origin, std::move(kept));
      co_return answer;
    } catch (error const& e) {
      bool const retired = !fresh && !kept->heard() && e.code() == errc::unavailable;
      if (!retired || !idempotent) throw;
    }
    kept.reset();
    fresh = true;
  }
}

// On a connection of its own: what was pulled is not sent again, so that none may do that the server is about to close.
template <class Parts> task<response> exchange(Parts& p, url const& to, detail::proxy const* by, detail::message const& head,
                                               streamed_request& of) {
  auto fresh = co_await detail::connection::open(to, p.options, p.tls, by);
  task<response> asking = fresh->ask(head, of, p.options);
  co_return co_await std::move(asking);
}

// A request within its time. What goes wrong names the server.
template <class Parts> task<response> limited(Parts& p, url const& to, detail::proxy const* by, task<response> work) {
  context& own = co_await current_context();
  detail::time_limit limit(own, p.options.request_timeout);
  try {
    try {
      response answer = co_await std::move(work).under(limit.branch());
      if (by && !to.secure() && answer.status == 407) {
        std::string const wants(answer.headers.find("Proxy-Authenticate").value_or(""));
        detail::fail_at_proxy(407, wants, *by);
      }
      co_return answer;
    } catch (error const& e) {
      if (!limit.passed() || e.code() != condition::cancelled) throw;
    }
    detail::fail_in_time("no whole reply", p.options.request_timeout.count(), "request_timeout");
  } catch (error& e) {
    if (e.code() == condition::cancelled) throw;
    e.with_detail(to.origin());
    if (by) e.with_detail(by->text());
    throw;
  }
}

}  // namespace

http_client::http_client(http_options options) : parts_(std::make_shared<parts>(checked(std::move(options)))) {}

std::size_t http_client::idle_connections() const { return parts_->pool->size(); }

task<response> http_client::send(request r) const { return send_by(parts_, std::move(r)); }

task<response> http_client::send_by(std::shared_ptr<parts> p, request r) {
  url const to = where_to(r.url);
  bool const idempotent = is_idempotent(r);
  std::optional<detail::proxy> const found = p->proxies.for_url(to);
  detail::proxy const* const by = found ? &*found : nullptr;
  detail::message const m = message_of(std::move(r), to, p->options.user_agent, by);
  task<response> work = exchange(*p, to, by, m, idempotent);
  task<response> whole = limited(*p, to, by, std::move(work));
  co_return co_await std::move(whole);
}

task<response> http_client::send(streamed_request r) const { return stream_by(parts_, std::move(r)); }

task<response> http_client::stream_by(std::shared_ptr<parts> p, streamed_request r) {
  url const to = where_to(r.url);
  std::optional<detail::proxy> const found = p->proxies.for_url(to);
  detail::proxy const* const by = found ? &*found : nullptr;
  request head(r.method, r.url);
  head.headers = r.headers;
  detail::message m = message_of(std::move(head), to, p->options.user_agent, by);
  m.chunked(true);
  m.keep_alive(false);
  task<response> work = exchange(*p, to, by, m, r);
  task<response> whole = limited(*p, to, by, std::move(work));
  co_return co_await std::move(whole);
}

}  // namespace weir::net
