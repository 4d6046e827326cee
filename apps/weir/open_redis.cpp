#include "open_store.hpp"

#ifdef WEIR_HAS_REDIS
#include "redis_url.hpp"

#include <weir/redis/state_store.hpp>

#include <cstdlib>

namespace state_tool {

found_store open_redis(std::string const& url, std::string const& space) {
  auto const place = parse_redis_url(url);
  weir::redis::options o;
  o.host = place.host;
  o.port = place.port;
  o.socket = place.socket;
  o.user = place.user;
  o.password = place.password;
  if (char const* const known = std::getenv("REDISCLI_AUTH"); known && o.password.empty()) o.password = known;
  o.database = place.database;
  o.space = space;
  o.patience = std::chrono::milliseconds(0);  // somebody waits in front of the screen
  std::string address = o.socket.empty() ? o.host + ":" + std::to_string(o.port) : o.socket;
  std::string name = "redis " + address + ", database " + std::to_string(o.database) + ", space " + space;
  return {std::move(name), std::move(address), std::make_unique<weir::redis::state_store>(std::move(o))};
}

}  // namespace state_tool
#else
namespace state_tool {
found_store open_redis(std::string const&, std::string const&) { refuse_not_built("redis"); }
}  // namespace state_tool
#endif
