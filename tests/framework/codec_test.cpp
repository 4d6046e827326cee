#include <weir/codec.hpp>

#include <weir/error.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <unordered_map>

using namespace weir;
using weir::test::fails_with;

namespace {

struct bar {
  int count;
  double sum;
  bool operator==(bar const&) const = default;
};
enum class side : unsigned char { buy, sell };

struct made {  // not without its parts
  made(int l, int r) noexcept : left(l), right(r) {}
  bool operator==(made const&) const = default;
  int left, right;
};

// Not trivially copyable, and only its own codec knows it.
struct order {
  explicit order(int i) : id(i) {}
  order(order const& o) : id(o.id) {}
  order& operator=(order const&) = default;
  bool operator==(order const&) const = default;
  int id;
};

template <class T> std::vector<std::byte> bytes_of(T const& value) {
  std::vector<std::byte> bytes;
  encode_state(value, bytes);
  return bytes;
}
std::vector<std::byte> raw(std::initializer_list<int> values) {
  std::vector<std::byte> out;
  for (int const v : values) out.push_back(static_cast<std::byte>(v));
  return out;
}
template <class T> void check_round_trip(T const& value) {
  auto const bytes = bytes_of(value);
  CHECK(decode_state<T>(bytes) == value);
  for (std::size_t n = 0; n != bytes.size(); ++n)  // every truncation is noticed
    fails_with(errc::corrupt, [&] { (void)decode_state<T>(std::span(bytes).first(n)); });
  auto longer = bytes;
  longer.push_back(std::byte(0));
  fails_with(errc::corrupt, [&] { (void)decode_state<T>(longer); }, "bytes after its end");
}

}  // namespace

template <> struct weir::codec<order> {
  static void encode(order const& o, std::vector<std::byte>& to) { encode_state(o.id, to); }
  static order decode(std::span<std::byte const>& from) { return order(decode_part<int>(from)); }
};

TEST_CASE("a codec gives back what it was given, and refuses every truncation and every addition") {
  check_round_trip(42);
  check_round_trip(-1.5);
  check_round_trip(true);
  check_round_trip(side::sell);
  check_round_trip(bar{3, 4.5});
  check_round_trip(std::string("text\0with a zero", 16));
  check_round_trip(std::string());
  check_round_trip(std::vector{1, 2, 3});
  check_round_trip(std::vector<int>());
  check_round_trip(std::vector{made(1, 2), made(3, 4)});
  check_round_trip(std::vector<bool>{true, false, true});
  check_round_trip(std::vector<std::string>{"a", "", "ccc"});
  check_round_trip(std::deque{1, 2});
  check_round_trip(std::optional<std::string>("x"));
  check_round_trip(std::optional<std::string>());
  check_round_trip(std::optional<int>(3));
  check_round_trip(std::pair<int, std::string>(1, "b"));
  check_round_trip(std::tuple<int, std::string, std::vector<double>>(1, "b", {2.5}));
  check_round_trip(std::tuple<>());
  check_round_trip(std::array<std::string, 2>{"a", "b"});
  check_round_trip(std::map<std::string, std::vector<int>>{{"a", {1}}, {"b", {}}});
  check_round_trip(std::unordered_map<int, bar>{{1, {2, 3.0}}, {4, {5, 6.0}}});
  check_round_trip(boost::unordered_flat_map<std::string, int>{{"a", 1}, {"b", 2}});
  check_round_trip(std::set<std::string>{"a", "b"});
  check_round_trip(order(7));
  check_round_trip(std::vector{order(7), order(8)});
  check_round_trip(std::map<int, std::optional<std::pair<std::string, order>>>{{1, std::nullopt}, {2, std::pair("x", order(1))}});
}

TEST_CASE("the bytes of a state are what they are documented to be") {
  CHECK(bytes_of(std::string("ab")) == raw({2, 0, 0, 0, 0, 0, 0, 0, 'a', 'b'}));
  CHECK(bytes_of(std::vector<std::uint8_t>{7, 9}) == raw({2, 0, 0, 0, 0, 0, 0, 0, 7, 9}));
  CHECK(bytes_of(std::optional<std::string>()) == raw({0}));
  CHECK(bytes_of(std::pair<std::uint8_t, std::string>(5, "")) == raw({5, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST_CASE("a codec does not believe a length that cannot be") {
  auto const huge = raw({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3});
  fails_with(errc::corrupt, [&] { (void)decode_state<std::string>(huge); }, "a length in it is beyond its end");
  fails_with(errc::corrupt, [&] { (void)decode_state<std::vector<double>>(huge); });
  fails_with(errc::corrupt, [&] { (void)decode_state<std::vector<std::string>>(huge); });
  fails_with(errc::corrupt, [&] { (void)decode_state<std::map<int, int>>(huge); });
  fails_with(errc::corrupt, [] { (void)decode_state<bool>(raw({2})); }, "neither 0 nor 1");
}

TEST_CASE("parts are decoded one after the other") {
  std::vector<std::byte> bytes;
  encode_state(std::string("a"), bytes);
  encode_state(7, bytes);
  std::span<std::byte const> rest(bytes);
  CHECK(decode_part<std::string>(rest) == "a");
  CHECK(decode_part<int>(rest) == 7);
  CHECK(rest.empty());
}

TEST_CASE("what leads out of its own bytes has no codec") {
  static_assert(encodable<int> && encodable<bar> && encodable<std::vector<order>>);
  static_assert(!encodable<int*> && !encodable<char const*> && !encodable<int bar::*>);
  static_assert(!encodable<std::string_view> && !encodable<std::span<int>> && !encodable<std::reference_wrapper<int>>);
  static_assert(!encodable<std::optional<int*>> && !encodable<std::vector<std::string_view>> && !encodable<std::pair<int, int*>>);
  static_assert(!encodable<std::map<int, int*>> && !encodable<std::array<int*, 2>> && !encodable<std::unique_ptr<int>>);
  SUCCEED();
}
