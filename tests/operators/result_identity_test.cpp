#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/result_identity.hpp>
#include <weir/operators/tumbling_window.hpp>

#include "operators/timed_support.hpp"

#include <array>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <unordered_set>

using namespace weir;
using namespace weir::test;

namespace {

result_identity id_of(std::string key) { return {"p", "o", key_text(key), time_window(0, 10), 0}; }

// The results of windows with early and late ones, with their identities.
stream<std::pair<result_identity, std::uint64_t>> identified(stream<event> s) {
  return in_time(std::move(s), 0ns) | key_by(&event::key) | tumbling_window(10ns, late::update(20ns), emit::early(3ns)) |
         aggregate(count()) | map([](auto const& r) { return std::pair(identify("ticks", "bars", r), r.value); });
}
auto const line = "a1 b4 a6 a12 a5 b14 c15 b3 a33";

struct symbol {
  int exchange, number;
  [[maybe_unused]] friend bool operator==(symbol, symbol) = default;
};
struct padded {
  char c;
  int n;
};
static_assert(detail::identifying<symbol> && detail::identifying<std::vector<int>>);
static_assert(!detail::identifying<padded> && !detail::identifying<std::vector<padded>> && !detail::identifying<std::pair<int, padded>>);
static_assert(!detail::identifying<int*>);

}  // namespace

TEST_CASE("an identity is pipeline, operator, key, window and revision, and its text has them between slashes") {
  window_result<std::string, int> const r("BTC/USD", time_window(-60, 1'704'067'200'000'000'000), 5, 3);
  auto const id = identify("ticks", "bars per minute", r);
  CHECK(id.pipeline() == "ticks");
  CHECK(id.operator_name() == "bars per minute");
  CHECK(id.key() == "BTC%2FUSD");
  CHECK(id.window() == r.window);
  CHECK(id.revision() == 3);
  CHECK(id.row_key() == "ticks/bars%20per%20minute/BTC%2FUSD/-60/1704067200000000000");
  CHECK(id.text() == "ticks/bars%20per%20minute/BTC%2FUSD/-60/1704067200000000000/3");
  window_result<no_key, int> const whole({}, time_window(0, end_of_time), 5);
  CHECK(identify("p", "o", whole).text() == "p/o//0/9223372036854775807/0");
}

// Expected by RFC 3986, sections 2.1 and 2.3.
TEST_CASE("text keys are percent-encoded byte by byte, but for letters, digits and -._~") {
  CHECK(key_text(std::string("azAZ09-._~")) == "azAZ09-._~");
  CHECK(key_text(std::string("a b%/c")) == "a%20b%25%2Fc");
  CHECK(key_text(std::string("é€")) == "%C3%A9%E2%82%AC");
  CHECK(key_text(std::string("\0\n", 2)) == "%00%0A");
  CHECK(key_text(std::string("(a,b)+")) == "%28a%2Cb%29%2B");
  CHECK(key_text(std::string()).empty());
}

TEST_CASE("numbers, enumerations and times stay readable") {
  enum class side : std::int8_t { sell = -1, buy = 1 };
  CHECK(key_text(-42) == "-42");
  CHECK(key_text(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(key_text(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
  CHECK(key_text(std::uint8_t{200}) == "200");
  CHECK(key_text(true) == "true");
  CHECK(key_text(side::sell) == "-1");
  CHECK(key_text(std::chrono::minutes(-5)) == "-5");
  CHECK(key_text(std::chrono::sys_days(std::chrono::days(19'723))) == "19723");
  CHECK(key_text(0.1) == "0.1");
  CHECK(key_text(-2.5f) == "-2.5");
  CHECK(key_text(-0.0) == key_text(0.0));  // they are equal
  CHECK(key_text(1e300) == "1e%2B300");
}

TEST_CASE("pairs, tuples, arrays and optionals are made of their parts") {
  CHECK(key_text(std::pair<std::string, int>("a,b", -1)) == "(a%2Cb,-1)");
  CHECK(key_text(std::tuple<std::string, std::pair<int, int>>("x", {1, 2})) == "(x,(1,2))");
  CHECK(key_text(std::array<int, 3>{1, 2, 3}) == "(1,2,3)");
  CHECK(key_text(std::tuple<>()) == "()");
  CHECK(key_text(std::optional<std::string>()).empty());
  CHECK(key_text(std::optional<std::string>("")) == "+");
}

TEST_CASE("other keys are their encoding in a checkpoint, in hexadecimal digits") {
  CHECK(key_text(symbol{1, 258}) == "0100000002010000");
  CHECK(key_text(std::vector<std::uint8_t>{255, 0, 16}) == "0300000000000000FF0010");
}

TEST_CASE("different keys have different texts, whatever is in them") {
  std::vector<std::string> const tricky{"",
                                        "/",
                                        "//",
                                        "%",
                                        "%2F",
                                        "a/b",
                                        "a%2Fb",
                                        "a",
                                        "a ",
                                        " a",
                                        "A",
                                        "+",
                                        "()",
                                        "(,)",
                                        ",",
                                        "é",
                                        "e",
                                        "\xff",
                                        "-1",
                                        "1",
                                        "01",
                                        "1/2/3/0",
                                        "a\\b",
                                        "a\"b",
                                        "a'",
                                        ".",
                                        "..",
                                        "~",
                                        std::string(1, '\0'),
                                        std::string(2, '\0')};
  std::set<std::string> texts;
  for (std::string const& key : tricky) CHECK(texts.insert(id_of(key).text()).second);

  std::mt19937 random(1);
  auto part = [&] {
    static constexpr char alphabet[] = {'/', '%', ',', '(', ')', '2', 'F', '\0', '+', '-'};
    std::string out;
    for (auto n = random() % 4; n != 0; --n) out += alphabet[random() % std::size(alphabet)];
    return out;
  };
  using key = std::tuple<std::string, std::pair<std::string, std::optional<std::string>>>;
  std::map<std::string, std::tuple<std::string, std::string, key>> seen;
  for (int i = 0; i != 20'000; ++i) {
    std::optional<std::string> const maybe = random() % 2 ? std::optional(part()) : std::nullopt;
    std::tuple const whole(part(), part(), key(part(), {part(), maybe}));
    auto const& [pipeline, name, k] = whole;
    result_identity const id(pipeline, name, key_text(k), time_window(0, 10), 0);
    auto const [place, fresh] = seen.emplace(id.text(), whole);
    if (!fresh) REQUIRE(place->second == whole);
  }
  CHECK(seen.size() > 10'000);
}

TEST_CASE("identities differ in each of their five parts, as values, as texts and in sets") {
  std::vector<result_identity> const ids{
      {"p", "o", "k", time_window(0, 10), 0},  {"q", "o", "k", time_window(0, 10), 0}, {"p", "p", "k", time_window(0, 10), 0},
      {"p", "o", "l", time_window(0, 10), 0},  {"p", "o", "k", time_window(5, 10), 0}, {"p", "o", "k", time_window(0, 15), 0},
      {"p", "o", "k", time_window(0, 10), 1},  {"po", "", "k", time_window(0, 10), 0}, {"", "po", "k", time_window(0, 10), 0},
      {"p", "o", "k", time_window(-10, 0), 0}, {"p/o", "k", "", time_window(0, 10), 0}};
  std::unordered_set<result_identity> set;
  std::set<result_identity> ordered;
  std::set<std::string> texts;
  for (auto const& id : ids) {
    set.insert(id);
    ordered.insert(id);
    texts.insert(id.text());
  }
  CHECK(set.size() == ids.size());
  CHECK(ordered.size() == ids.size());
  CHECK(texts.size() == ids.size());
  CHECK(set.contains(result_identity("p", "o", "k", time_window(0, 10), 0)));
  CHECK(ids[0].row_key() == ids[6].row_key());
  CHECK(ids[0] < ids[6]);
}

//      0         10        20        30
//      |a  b a   | a  b c  |         | a       late: a5 and b3
TEST_CASE("replays give the same identities, from the beginning in any chunks and from any checkpoint") {
  using seen_result = std::pair<result_identity, std::uint64_t>;
  auto const expected = all_of(identified(feed(events(line)).open()));
  REQUIRE(expected.size() > 8);
  std::set<std::string> texts;
  for (auto const& [id, _] : expected) texts.insert(id.text());
  CHECK(texts.size() == expected.size());
  CHECK(texts.contains("ticks/bars/a/0/10/0"));
  for (std::size_t const n : chunkings) CHECK(all_of(identified(feed(events(line)).chunks(n).open())) == expected);
  check_restored_equals_uninterrupted(events(line), [](stream<event> s) -> stream<seen_result> { return identified(std::move(s)); });
}

TEST_CASE("a store that is overwritten by row key ends with the last revision of every window") {
  std::map<std::string, std::uint64_t> rows;
  for (auto const& [id, value] : all_of(identified(feed(events(line)).open()))) rows[id.row_key()] = value;
  CHECK(rows == std::map<std::string, std::uint64_t>{{"ticks/bars/a/0/10", 3},
                                                     {"ticks/bars/b/0/10", 2},
                                                     {"ticks/bars/a/10/20", 1},
                                                     {"ticks/bars/b/10/20", 1},
                                                     {"ticks/bars/c/10/20", 1},
                                                     {"ticks/bars/a/30/40", 1}});
}
