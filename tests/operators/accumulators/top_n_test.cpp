#include <weir/operators/accumulators/top_n.hpp>

#include "operators/accumulators/accumulator_checks.hpp"

#include <limits>
#include <map>
#include <string_view>
#include <tuple>

using namespace weir;
using namespace weir::test;

namespace {

struct request {
  std::string client;
  std::int64_t bytes;
};
std::vector<request> const requests{{"b", 5}, {"a", 1}, {"c", -4}, {"b", 2}, {"a", 1}, {"d", 100}, {"d", -100}, {"d", 1}};
using counted = std::vector<ranked<std::string, std::uint64_t>>;
using weighed = std::vector<ranked<std::string, std::int64_t>>;

// Of two letters, so that there are many equal weights.
std::vector<request> random_requests(std::uint64_t seed, std::size_t n) {
  std::mt19937_64 random(seed);
  std::vector<request> out;
  for (std::size_t i = 0; i != n; ++i) {
    std::string client;
    for (int k = 0; k != 2; ++k) client += static_cast<char>('a' + std::min(random() % 15, random() % 15));
    out.push_back({client, static_cast<std::int64_t>(random() % 7) - 2});
  }
  return out;
}

template <class Weight, class F> auto naive(std::vector<request> const& in, std::size_t n, F weight) {
  std::map<std::string, Weight> all;
  for (auto const& r : in) all[r.client] += weight(r);
  std::vector<ranked<std::string, Weight>> out;
  for (auto const& [value, w] : all) out.push_back({value, w});
  std::sort(out.begin(), out.end(), [](auto const& a, auto const& b) { return std::tie(b.weight, a.value) < std::tie(a.weight, b.value); });
  if (out.size() > n) out.resize(n);
  return out;
}

}  // namespace

TEST_CASE("top_n gives the most frequent values, the smaller one first where they are equally frequent") {
  CHECK(result_of(top_n(3, &request::client), requests) == counted{{"d", 3}, {"a", 2}, {"b", 2}});
  CHECK(result_of(top_n(1, &request::client), requests) == counted{{"d", 3}});
}

TEST_CASE("top_n with a weight gives the values with the greatest sums") {
  CHECK(result_of(top_n(3, &request::client, &request::bytes), requests) == weighed{{"b", 7}, {"a", 2}, {"d", 1}});
  CHECK(result_of(top_n(9, &request::client, &request::bytes), requests) == weighed{{"b", 7}, {"a", 2}, {"d", 1}, {"c", -4}});
  auto const halves = result_of(top_n(1, &request::client, [](request const& r) { return static_cast<double>(r.bytes) / 2; }), requests);
  CHECK(halves == std::vector<ranked<std::string, double>>{{"b", 3.5}});
}

TEST_CASE("there are fewer than n where there are fewer values, and none for nothing") {
  CHECK(result_of(top_n(10, &request::client), requests).size() == 4);
  CHECK(result_of(top_n(std::numeric_limits<std::size_t>::max(), &request::client), requests).size() == 4);
  CHECK(result_of(top_n(10, &request::client), std::vector<request>{}).empty());
}

TEST_CASE("top_n refuses to give nothing") {
  fails_with(errc::invalid_option, [] { (void)top_n(0, &request::client); }, "top_n", "n is 0", "1 or more");
}

TEST_CASE("top_n is what a naive count gives") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    auto const in = random_requests(seed, 20 * seed);
    INFO("seed " << seed);
    CHECK(result_of(top_n(seed % 12 + 1, &request::client), in) ==
          naive<std::uint64_t>(in, seed % 12 + 1, [](request const&) { return 1U; }));
    CHECK(result_of(top_n(5, &request::client, &request::bytes), in) ==
          naive<std::int64_t>(in, 5, [](request const& r) { return r.bytes; }));
  }
}

TEST_CASE("top_n keeps text of its own where values are views") {
  std::string text = "eins,zwei";
  top_n const a(2, [](std::string_view v) { return v; });
  auto const s = state_of(a, in_turn<std::string_view>({std::string_view(text).substr(5), std::string_view(text).substr(0, 4)}));
  text.assign(text.size(), '?');
  CHECK(a.result(s) == counted{{"eins", 1}, {"zwei", 1}});
}

TEST_CASE("a weight that is NaN ranks first") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::pair<int, double>> const in{{1, 5.0}, {2, nan}, {3, -nan}, {4, 7.0}};
  auto const top = result_of(top_n(3, &std::pair<int, double>::first, &std::pair<int, double>::second), in);
  CHECK(top[0].value == 2);
  CHECK(top[1].value == 3);
  CHECK(top[2].value == 4);
}

TEST_CASE("a weight that does not fit is an error") {
  top_n const a(1, &request::client, &request::bytes);
  auto s = state_of(a, in_turn<request>({{"a", std::numeric_limits<std::int64_t>::max()}}));
  fails_with(errc::out_of_range, [&] { a.add(s, request{"a", 1}, 0); });
  a.add(s, request{"b", 1}, 0);
  CHECK(a.result(s)[0].weight == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("tops merged in any order are the top of all") {
  auto const in = in_turn(random_requests(1, 400));
  check_merging(top_n(5, &request::client), in, merging::in_any_order);
  check_merging(top_n(5, &request::client, &request::bytes), in, merging::in_any_order);
}

TEST_CASE("merging many distinct values takes time in proportion") {
  top_n const a(1, std::identity());
  std::vector<std::uint32_t> xs(300'000);
  for (std::uint32_t i = 0; i != xs.size(); ++i) xs[i] = i;
  auto const all = state_of(a, in_turn(xs));
  accumulator_state<decltype(a), std::uint32_t> s;
  a.merge(s, all);
  a.merge(s, all);
  CHECK(s.size() == xs.size());
  CHECK(a.result(s) == std::vector<ranked<std::uint32_t, std::uint64_t>>{{0, 2}});
}

TEST_CASE("a top comes back from a checkpoint") {
  auto const in = in_turn(random_requests(1, 100));
  check_checkpoint(top_n(3, &request::client), in);
  check_checkpoint(top_n(3, &request::bytes, [](request const& r) { return 0.1 * static_cast<double>(r.bytes); }), in);
}

TEST_CASE("equal weights have equal bytes, in whatever order they came") {
  auto in = in_turn(random_requests(1, 100));
  top_n const a(3, &request::client);
  auto const bytes = bytes_of(state_of(a, in));
  std::reverse(in.begin(), in.end());
  CHECK(bytes_of(state_of(a, in)) == bytes);
}
