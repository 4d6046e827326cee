#include <weir/postgres/detail/server_settings.hpp>

#include <weir/asio.hpp>
#include <weir/error.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <libpq-fe.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace weir::postgres::detail {
namespace {

namespace asio = boost::asio;

struct free_options {
  void operator()(PQconninfoOption* o) const noexcept { PQconninfoFree(o); }
};
using option_list = std::unique_ptr<PQconninfoOption, free_options>;

[[noreturn]] void refuse(std::string why, std::string advice) {
  throw error(errc::invalid_option, "postgres: cannot connect", std::move(why), std::move(advice));
}

std::vector<std::string> split(std::string const& list) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= list.size();) {
    auto const end = std::min(list.find(',', at), list.size());
    out.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

bool is_name(std::string const& host) {
  boost::system::error_code not_numeric;
  if (host.empty() || host[0] == '/' || host[0] == '@') return false;
  asio::ip::make_address(host, not_numeric);
  return not_numeric.failed();
}

// Asio asks the system's resolver on a thread of its own.
task<std::vector<std::string>> addresses_of(std::string host, std::chrono::steady_clock::time_point until) {
  context& own = co_await current_context();
  auto const executor = own.environment().executor();
  auto const resolver = std::make_shared<asio::ip::tcp::resolver>(executor);
  asio::steady_timer limit(executor, until);
  limit.async_wait([resolver](boost::system::error_code const& stopped) {
    if (!stopped) resolver->cancel();
  });
  auto const [failed, found] = co_await resolver->async_resolve(host, "", asio::as_tuple(use));
  if (failed == asio::error::operation_aborted && std::chrono::steady_clock::now() < until) weir::detail::throw_cancelled();
  if (failed == asio::error::operation_aborted)
    throw error(errc::timed_out, "postgres: cannot connect", "looking up the host " + host + " took too long", "look at the name service");
  if (failed)
    throw error(errc::unavailable, "postgres: cannot connect", "cannot find the host " + host + ": " + failed.message(),
                "look at its name");
  std::vector<std::string> out;
  for (auto const& entry : found) {
    std::string text = entry.endpoint().address().to_string();
    if (std::find(out.begin(), out.end(), text) == out.end()) out.push_back(std::move(text));
  }
  co_return out;
}

}  // namespace

server_settings::server_settings(connection_options const& options) {
  if (options.connect_timeout.count() <= 0) refuse("the connect timeout is not positive", "give more than 0 ms");
  if (options.statement_timeout.count() <= 0) refuse("the statement timeout is not positive", "give more than 0 ms");
  // libpq's own message may show the password.
  option_list const given(PQconninfoParse(options.conninfo.c_str(), nullptr));
  if (!given) refuse("the connection string cannot be read", "write \"host=... dbname=...\" or \"postgresql://user@host/dbname\"");
  for (auto const* o = given.get(); o->keyword != nullptr; ++o)
    if (o->val != nullptr) set(o->keyword, o->val);
  // A service file comes before the environment, and is libpq's own affair.
  option_list const defaults(get("service").empty() && std::getenv("PGSERVICE") == nullptr ? PQconndefaults() : nullptr);
  for (auto const* o = defaults.get(); o != nullptr && o->keyword != nullptr; ++o)
    if (o->val != nullptr && get(o->keyword).empty()) set(o->keyword, o->val);
  set("client_encoding", "UTF8");
  if (get("fallback_application_name").empty()) set("fallback_application_name", "weir");
}

std::string server_settings::get(std::string const& keyword) const {
  for (auto const& [k, v] : settings_)
    if (k == keyword) return v;
  return {};
}

void server_settings::set(std::string keyword, std::string value) {
  for (auto& [k, v] : settings_) {
    if (k != keyword) continue;
    v = std::move(value);
    return;
  }
  settings_.emplace_back(std::move(keyword), std::move(value));
}

std::string server_settings::name() const {
  std::string out = get("host").empty() ? get("hostaddr") : get("host");
  if (out.empty()) out = "local";
  if (auto const port = get("port"); !port.empty()) out += ':' + port;
  if (auto const database = get("dbname"); !database.empty()) out += '/' + database;
  if (auto const user = get("user"); !user.empty()) out += " as " + user;
  return out;
}

task<> server_settings::find_hosts(std::chrono::steady_clock::time_point until) {
  auto const hosts = split(get("host"));
  auto const ports = split(get("port"));
  if (!get("hostaddr").empty() || std::none_of(hosts.begin(), hosts.end(), is_name)) co_return;
  std::string names, addresses, at_ports;
  std::exception_ptr failure;
  auto const add = [&](std::string const& name, std::string const& address, std::string const& port) {
    std::string const comma = names.empty() ? "" : ",";
    names += comma + name;
    addresses += comma + address;
    at_ports += comma + port;
  };
  for (std::size_t i = 0; i != hosts.size(); ++i) {
    std::string const port = ports.size() == hosts.size() ? ports[i] : ports[0];
    if (!is_name(hosts[i])) {
      add(hosts[i], hosts[i].starts_with('/') || hosts[i].starts_with('@') ? "" : hosts[i], port);
      continue;
    }
    try {
      for (std::string const& address : co_await addresses_of(hosts[i], until)) add(hosts[i], address, port);
    } catch (error const& e) {
      if (e.code() == condition::cancelled) throw;
      failure = std::current_exception();  // another host may be found
    }
  }
  if (names.empty()) std::rethrow_exception(failure);
  set("host", names);
  set("hostaddr", addresses);
  if (!get("port").empty()) set("port", at_ports);
}

}  // namespace weir::postgres::detail
