#include <redis_url.hpp>

#include "support/catch.hpp"

#include <weir/error.hpp>

#include <string>

using namespace state_tool;

TEST_CASE("the URL of a Redis server has all that may be in it") {
  auto const all = parse_redis_url("redis://wei%72:p%40ss:w%2Frd@state.internal:6380/3");
  CHECK(all.user == "weir");
  CHECK(all.password == "p@ss:w/rd");
  CHECK(all.host == "state.internal");
  CHECK(all.port == 6380);
  CHECK(all.database == 3);
  CHECK(parse_redis_url("redis://:pw@h").password == "pw");
  CHECK(parse_redis_url("redis://h").port == 6379);
  CHECK(parse_redis_url("h:7").port == 7);
  CHECK(parse_redis_url("//[::1]:7/1").host == "::1");
  CHECK(parse_redis_url("/2").database == 2);
  CHECK(parse_redis_url("unix:/run/redis.sock").socket == "/run/redis.sock");
  CHECK(parse_redis_url("unix:///run/redis.sock?db=2").socket == "/run/redis.sock");
  CHECK(parse_redis_url("unix:///run/redis.sock?db=2").database == 2);
  for (char const* const bad : {"redis://h:0", "redis://h:65536", "redis://h:s3cret", "redis://h/s3cret", "redis://h/-1", "redis://[::1",
                                "redis://[::1]x", "redis://s3cret%4@h", "redis://s3cret%zz@h", "unix:", "unix:/s?db=x"}) {
    INFO(bad);
    try {
      parse_redis_url(bad);
      FAIL("nothing was thrown");
    } catch (weir::error const& e) {
      CHECK(e.code() == weir::errc::invalid_option);
      CHECK(std::string(e.what()).find("s3cret") == std::string::npos);
    }
  }
}
