#include <weir/eventhubs/detail/service_address.hpp>

#include <weir/error.hpp>
#include <weir/net/headers.hpp>
#include <weir/net/tcp_client.hpp>
#include <weir/net/websocket_client.hpp>

#include <string_view>
#include <utility>

namespace weir::eventhubs::detail {
namespace {

constexpr std::string_view websocket_path = "/$servicebus/websocket";

[[noreturn]] void refuse_endpoint(std::string const& text, std::string why) {
  throw error(errc::invalid_option, "event hubs: cannot make a client", "the endpoint " + text + ' ' + std::move(why),
              "write sb://gateway.example.com:8443");
}

bool has_port(std::string_view authority) {
  auto const colon = authority.rfind(':');
  return colon != std::string_view::npos && authority.find(']', colon) == std::string_view::npos;
}

std::string address_by(std::string_view scheme, std::string authority) {
  bool const over_websocket = scheme == "wss" || scheme == "ws";
  if (!over_websocket && !has_port(authority)) authority += scheme == "tls" ? ":5671" : ":5672";
  std::string out(scheme);
  out.append("://").append(authority);
  return over_websocket ? out.append(websocket_path) : out;
}

task<std::unique_ptr<net::byte_stream>> open_websocket(net::websocket_client by, std::string address) {
  task<std::unique_ptr<net::websocket>> opening = by.open(std::move(address));
  std::unique_ptr<net::byte_stream> out = co_await std::move(opening);
  co_return out;
}

}  // namespace

std::string service_address(std::string const& host, std::uint16_t port, bool emulator, transport via, std::string const& endpoint) {
  std::string_view const usual = emulator ? "tcp" : via == transport::websocket ? "wss" : "tls";
  if (endpoint.empty()) return address_by(usual, port == 0 ? host : host + ':' + std::to_string(port));
  auto const end = endpoint.find("://");
  if (end == std::string::npos) refuse_endpoint(endpoint, "is no URL");
  std::string const scheme = net::lower_case(endpoint.substr(0, end));
  std::string authority = endpoint.substr(end + 3);
  if (authority.ends_with('/')) authority.pop_back();
  if (authority.empty() || authority.find_first_of("/?#@ ") != std::string::npos)
    refuse_endpoint(endpoint, "has no host, or more than one");
  if (scheme == "sb") return address_by(usual, std::move(authority));
  if (scheme != "wss" && scheme != "ws" && scheme != "tls" && scheme != "tcp")
    refuse_endpoint(endpoint, "begins with none of sb://, wss://, ws://, tls:// and tcp://");
  return address_by(scheme, std::move(authority));
}

stream_opener opener_to(std::string address, net::http_options const& by) {
  if (address.starts_with('t')) return [client = net::tcp_client(by), address = std::move(address)] { return client.open(address); };
  net::websocket_options options;
  options.http = by;
  options.protocols = {"AMQPWSB10", "amqp"};
  return [client = net::websocket_client(std::move(options)), address = std::move(address)] { return open_websocket(client, address); };
}

}  // namespace weir::eventhubs::detail
