#include <weir/amqp/encoder.hpp>

#include "support/catch.hpp"
#include "transports/amqp/hex.hpp"

#include <string>
#include <string_view>

using namespace weir;
using test::hex_of;

namespace {

template <class Write> std::string hex_written(Write write) {
  std::string out;
  amqp::encoder to(out);
  write(to);
  return hex_of(out);
}

}  // namespace

// AMQP 1.0, 1.6: of several encodings the shortest.
TEST_CASE("a value is written in its shortest encoding", "[amqp]") {
  CHECK(hex_written([](auto& to) { to.null(); }) == "40");
  CHECK(hex_written([](auto& to) { to.boolean(true); }) == "41");
  CHECK(hex_written([](auto& to) { to.boolean(false); }) == "42");
  CHECK(hex_written([](auto& to) { to.uint8(200); }) == "50c8");
  CHECK(hex_written([](auto& to) { to.uint16(5000); }) == "601388");
  CHECK(hex_written([](auto& to) { to.uint32(0); }) == "43");
  CHECK(hex_written([](auto& to) { to.uint32(255); }) == "52ff");
  CHECK(hex_written([](auto& to) { to.uint32(256); }) == "7000000100");
  CHECK(hex_written([](auto& to) { to.uint64(0); }) == "44");
  CHECK(hex_written([](auto& to) { to.uint64(255); }) == "53ff");
  CHECK(hex_written([](auto& to) { to.uint64(256); }) == "800000000000000100");
  CHECK(hex_written([](auto& to) { to.int32(-128); }) == "5480");
  CHECK(hex_written([](auto& to) { to.int32(128); }) == "7100000080");
  CHECK(hex_written([](auto& to) { to.int64(127); }) == "557f");
  CHECK(hex_written([](auto& to) { to.int64(-129); }) == "81ffffffffffffff7f");
  CHECK(hex_written([](auto& to) { to.float64(1); }) == "823ff0000000000000");
  CHECK(hex_written([](auto& to) { to.timestamp(1795961202175); }) == "83000001a227a125ff");
  CHECK(hex_written([](auto& to) { to.string("foo"); }) == "a103666f6f");
  CHECK(hex_written([](auto& to) { to.symbol("foo"); }) == "a303666f6f");
  CHECK(hex_written([](auto& to) { to.binary("foo"); }) == "a003666f6f");
  CHECK(hex_written([](auto& to) { to.string(std::string(256, 'x')); }).substr(0, 12) == "b10000010078");
  CHECK(hex_written([](auto& to) { to.uuid(std::string(16, '\x11')); }) == "9811111111111111111111111111111111");
}

TEST_CASE("what is begun gets its size when it ends", "[amqp]") {
  CHECK(hex_written([](auto& to) { to.end(to.begin_list()); }) == "45");
  CHECK(hex_written([](auto& to) { to.end(to.begin_map()); }) == "c10100");
  CHECK(hex_written([](auto& to) {
          auto const outer = to.begin_list();
          to.uint8(7);
          auto const inner = to.begin_map();
          to.symbol("a");
          to.int32(1);
          to.end(inner);
          CHECK(to.count() == 2);
          to.described_by(0x24);
          to.end(to.begin_list());
          CHECK(to.count() == 3);
          to.end(outer);
          CHECK(to.count() == 1);
        }) ==
        "c00f03"
        "5007"
        "c10602a301615401"
        "00532445");
  CHECK(hex_written([](auto& to) {
          auto const array = to.begin_symbols();
          to.array_symbol("ab");
          to.array_symbol("c");
          to.end(array);
        }) ==
        "e00d02b3"
        "000000026162"
        "0000000163");
  auto const large = hex_written([](auto& to) {
    auto const list = to.begin_list();
    for (int i = 0; i != 256; ++i) to.null();
    to.end(list);
  });
  CHECK(large.substr(0, 20) == "d0000001040000010040");
  CHECK(large.size() == 2 * (9 + 256));
}
