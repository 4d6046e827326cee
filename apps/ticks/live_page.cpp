#include "live_page.hpp"

#ifdef WEIR_HAS_STATUS
#include <weir/net/percent.hpp>
#include <weir/status/server.hpp>

#include <system_error>
#endif

namespace ticks {

#ifdef WEIR_HAS_STATUS

std::span<weir::status::asset const> live_page_files();  // made by weir_embed_page

namespace {

std::shared_ptr<weir::status::server> server_at(std::uint16_t port) {
  weir::status::options o;
  o.port = port;
  return std::make_shared<weir::status::server>(std::move(o));
}

std::shared_ptr<weir::status::server> server_at(std::optional<std::uint16_t> port) {
  if (port) return server_at(*port);
  try {
    return server_at(weir::status::options().port);
  } catch (std::system_error const&) {
    return server_at(0);  // another run has it
  }
}

}  // namespace

std::optional<live_page> open_live_page(std::optional<std::uint16_t> port, std::shared_ptr<live_bars const> bars) {
  auto const server = server_at(port);
  auto files = live_page_files();
  server->add(files);
  for (auto file : files) {
    if (file.path != "/ticks/page/index.html") continue;
    file.path = "/ticks";
    server->add(std::span(&file, 1));
  }
  auto const wanted = [](std::string_view query) { return weir::net::percent_decoded(query); };
  weir::status::own_page whole, more;
  whole.path = "/ticks/bars";
  whole.type = "application/json";
  whole.make = [bars, wanted](std::string_view query) { return bars->json(wanted(query)); };
  more.path = "/ticks/events";
  more.type = weir::status::own_page::events;
  more.make = [bars, wanted](std::string_view query) { return "data: " + bars->json(wanted(query), 10) + "\n\n"; };
  server->add(std::move(whole));
  server->add(std::move(more));
  live_page out;
  out.address = "http://127.0.0.1:" + std::to_string(server->port()) + "/ticks";
  out.service = server;
  return out;
}

#else

std::optional<live_page> open_live_page(std::optional<std::uint16_t>, std::shared_ptr<live_bars const>) { return std::nullopt; }

#endif

}  // namespace ticks
