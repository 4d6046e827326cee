#include <weir/aggregate_codec.hpp>
#include <weir/codec.hpp>

#include "support/catch.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

using weir::schema_of;

namespace {

enum class colour : std::uint8_t { red };
struct nothing {};
struct point {
  double x, y;
};
struct gapped {
  std::int32_t id;
  point at;
  bool sure;
};
struct named {
  std::string name;
  std::optional<std::uint16_t> port;
  std::vector<point> path;
};
struct row_of_c {
  int cells[2];
  int last;
};
struct of_a_union {
  union {
    int whole;
    float broken;
  };
  int last;
};
struct of_bits {
  unsigned low : 3;
  unsigned high : 5;
};
struct inherits : point {
  int more;
};
class closed {
public:
  explicit closed(int x) : x_(x) {}
  int x() const { return x_; }

private:
  int x_;
};
struct own {
  std::string text;
};
struct versioned {
  int number = 0;
};

}  // namespace

template <> struct weir::codec<own> {
  static void encode(own const& o, std::vector<std::byte>& to) { encode_state(o.text, to); }
  static own decode(std::span<std::byte const>& from) { return own{decode_part<std::string>(from)}; }
};
template <> struct weir::codec<versioned> {
  static void encode(versioned const& v, std::vector<std::byte>& to) { encode_state(v.number, to); }
  static versioned decode(std::span<std::byte const>& from) { return versioned{decode_part<int>(from)}; }
  static std::string schema() { return "versioned 2"; }
};

TEST_CASE("a schema says what a value is made of", "[framework][schema]") {
  CHECK(schema_of<std::uint64_t>() == "u64");
  CHECK(schema_of<std::int16_t>() == "i16");
  CHECK(schema_of<float>() == "f32");
  CHECK(schema_of<bool>() == "bool");
  CHECK(schema_of<char>() == "char");
  CHECK(schema_of<std::byte>() == "byte");
  CHECK(schema_of<colour>() == "enum u8");
  CHECK(schema_of<std::string>() == "string");
  CHECK(schema_of<std::optional<std::string>>() == "optional<string>");
  CHECK(schema_of<std::optional<int>>() == "optional<i32>");
  CHECK(schema_of<std::tuple<int, std::string>>() == "tuple<i32, string>");
  CHECK(schema_of<std::array<std::string, 3>>() == "array<string, 3>");
  CHECK(schema_of<std::array<int, 3>>() == "array<i32, 3>");
  CHECK(schema_of<std::vector<std::set<double>>>() == "list<set<f64>>");
  CHECK(schema_of<std::map<std::string, std::uint8_t>>() == "map<string, u8>");
  CHECK(schema_of<std::chrono::milliseconds>() == "duration<i64, 1/1000>");
  CHECK(schema_of<std::chrono::sys_time<std::chrono::seconds>>() == "time_point<i64, 1/1>");
  CHECK(schema_of<nothing>() == "{}");
}

TEST_CASE("types that can be read for each other have one schema", "[framework][schema]") {
  CHECK(schema_of<std::vector<int>>() == schema_of<std::deque<int>>());
  CHECK(schema_of<std::pair<int, std::string>>() == schema_of<std::tuple<int, std::string>>());
  CHECK(schema_of<std::map<int, bool>>() == schema_of<std::unordered_map<int, bool>>());
}

TEST_CASE("a simple struct has the schema of its members, and says when it is kept as it lies in memory", "[framework][schema]") {
  CHECK(schema_of<point>() == "16 bytes of {f64, f64}");
  CHECK(schema_of<gapped>() == "32 bytes of {i32, 16 bytes of {f64, f64}, bool}");
  CHECK(schema_of<named>() == "{string, optional<u16>, list<16 bytes of {f64, f64}>}");
}

TEST_CASE("what cannot be looked into has its size and its name", "[framework][schema]") {
  CHECK(schema_of<closed>() == "4 bytes of (anonymous namespace)::closed");
  CHECK(schema_of<row_of_c>() == "12 bytes of (anonymous namespace)::row_of_c");
  CHECK(schema_of<of_a_union>() == "8 bytes of (anonymous namespace)::of_a_union");
  CHECK(schema_of<of_bits>() == "4 bytes of {u32, u32}");
  CHECK(schema_of<inherits>() == "24 bytes of (anonymous namespace)::inherits");
}

TEST_CASE("a codec of one's own says its schema, or is known by the name of its type", "[framework][schema]") {
  CHECK(schema_of<versioned>() == "versioned 2");
  CHECK(schema_of<std::vector<versioned>>() == "list<versioned 2>");
  CHECK(schema_of<own>() == "(anonymous namespace)::own");
}
