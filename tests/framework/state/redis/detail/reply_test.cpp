#include <weir/redis/detail/reply.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <algorithm>

using namespace weir;
using namespace std::string_literals;
using redis::detail::reply;
using redis::detail::reply_kind;
using redis::detail::reply_reader;

namespace {

// "text", 'status', !error, 17, nil, [a b]
std::string shown(reply const& r) {
  switch (r.kind) {
    case reply_kind::nil: return "nil";
    case reply_kind::status: return "'" + r.text + "'";
    case reply_kind::error: return "!" + r.text;
    case reply_kind::integer: return std::to_string(r.integer);
    case reply_kind::text: return '"' + r.text + '"';
    case reply_kind::list: break;
  }
  std::string out = "[";
  for (reply const& p : r.parts) out += (&p == r.parts.data() ? "" : " ") + shown(p);
  return out + "]";
}

}  // namespace

TEST_CASE("replies are read from bytes in whatever pieces they come", "[redis]") {
  // The examples of the protocol's specification, and bytes of any value.
  std::string const bytes =
      "+OK\r\n-ERR unknown command\r\n:-1000\r\n$6\r\nfoobar\r\n$0\r\n\r\n$-1\r\n*-1\r\n*0\r\n"
      "*3\r\n:1\r\n$-1\r\n*2\r\n+a\r\n$3\r\n\0\r\n\r\n"s;
  std::string const expected =
      "'OK' !ERR unknown command -1000 \"foobar\" \"\" nil nil [] [1 nil ['a' \"" + std::string("\0\r\n", 3) + "\"]] ";
  for (std::size_t split = 0; split <= bytes.size(); ++split) {
    for (std::size_t const piece : {bytes.size(), std::size_t(1)}) {
      reply_reader reader;
      std::string found;
      auto const feed = [&](std::string_view part) {
        for (; !part.empty(); part.remove_prefix(std::min(piece, part.size()))) {
          reader.feed(part.substr(0, piece));
          while (auto const r = reader.next()) found += shown(*r) + ' ';
        }
      };
      feed(std::string_view(bytes).substr(0, split));
      feed(std::string_view(bytes).substr(split));
      INFO("split at " << split << ", pieces of " << piece);
      CHECK(found == expected);
    }
  }
}

TEST_CASE("what is no reply of Redis is refused", "[redis]") {
  reply_reader reader;
  reader.feed("HTTP/1.1 400 Bad Request\r\n");
  test::fails_with(errc::malformed, [&] { reader.next(); }, "redis: cannot read a reply", "Redis server");
}

TEST_CASE("a command is sent as a list of texts of any bytes", "[redis]") {
  std::string out;
  redis::detail::put_command(out, {"SET", std::string_view("a\0\r\n", 4), ""});
  CHECK(out == "*3\r\n$3\r\nSET\r\n$4\r\na\0\r\n\r\n$0\r\n\r\n"s);
}
