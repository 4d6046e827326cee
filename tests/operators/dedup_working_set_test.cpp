// `dedup` with more ids than may stay in memory.
#include <weir/operators/dedup.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/prefetch.hpp>

#include "operators/working_set_support.hpp"
#include "support/fails_with.hpp"

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;

namespace {

struct numbered {
  numbered(std::uint64_t i, instant t) noexcept : id(i), at(t) {}
  std::uint64_t id;
  instant at;
};
constexpr ns horizon(40);

auto unique(std::size_t n) {
  return [n](stream<numbered> s) -> stream<std::string> {
    return std::move(s) | event_time(&numbered::at, bounded_disorder(horizon)) | dedup(&numbered::id, horizon).working_set(n) |
           map([](numbered const& e) { return std::to_string(e.id); });
  };
}
auto unique_in_memory() {
  return [](stream<numbered> s) -> stream<std::string> {
    return std::move(s) | event_time(&numbered::at, bounded_disorder(horizon)) | dedup(&numbered::id, horizon) |
           map([](numbered const& e) { return std::to_string(e.id); });
  };
}

struct redelivered {
  std::vector<numbered> input;
  std::vector<std::string> once;  // by a set without end, which is the same as long as an id comes again within the horizon only
};
redelivered random_ids(std::uint64_t seed, int n) {
  std::mt19937_64 random(seed);
  redelivered out;
  std::set<std::uint64_t> seen;
  for (int i = 0; i != n; ++i) {
    auto const size = out.input.size();
    numbered e(random(), i * 2);
    if (size > 0 && random() % 3 == 0) {
      numbered const& before = out.input[size - 1 - random() % std::min<std::size_t>(size, 12)];
      if (e.at - before.at < horizon.count()) e = before;
    }
    out.input.push_back(e);
    if (seen.insert(e.id).second) out.once.push_back(std::to_string(e.id));
  }
  return out;
}

}  // namespace

TEST_CASE("dedup with a working set lets through what a set of all ids does, however small it is") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    auto const ids = random_ids(seed, 150);
    for (std::size_t const n : {1u, 2u, 7u, 30u}) {
      std::uint64_t const records = 1 + seed % 7;
      CAPTURE(seed, n, records);
      auto const store = std::make_shared<memory_state_store>();
      CHECK(run_on(store, records, in_chunks(ids.input, 1 + seed % 5), unique(n)) == ids.once);
      CHECK((n > 7 || left_in_store(*store) > 0));
    }
  }
}

TEST_CASE("ids stay in memory until the commit that takes them out has returned, however far behind the barrier it is") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto const ids = random_ids(seed, 150);
    CAPTURE(seed);
    auto const behind = [](stream<numbered> s) -> stream<std::string> { return unique(2)(std::move(s)) | prefetch(9); };
    CHECK(run_on(std::make_shared<memory_state_store>(), 3, in_chunks(ids.input, 4), behind) == ids.once);
  }
}

TEST_CASE("after a restart at any place the ids are known that the store has, whether or not there was a working set before") {
  auto const ids = random_ids(3, 60);
  for (std::size_t at = 0; at <= ids.input.size(); at += 3) {
    for (bool const before : {true, false}) {
      CAPTURE(at, before);
      auto const store = std::make_shared<memory_state_store>();
      std::vector first(ids.input.begin(), ids.input.begin() + static_cast<std::ptrdiff_t>(at));
      auto input = in_chunks(first, 4).fail("connection lost");
      for (std::size_t i = at; i != ids.input.size(); ++i) input.element(ids.input[i]);
      std::vector<std::string> out;
      auto const run = [&](auto make) { run_on(store, 1, input, make, out); };
      if (before) CHECK_THROWS_AS(run(unique(4)), error);
      else CHECK_THROWS_AS(run(unique_in_memory()), error);
      run(unique(4));
      CHECK(out == ids.once);
    }
  }
}

TEST_CASE("ids of text, and of parts, are kept in blocks whole") {
  struct named {
    std::string name;
    int part;
    instant at;
  };
  std::vector<named> input;
  std::vector<std::string> once;
  for (int i = 0; i != 300; ++i) {
    input.push_back({"name " + std::to_string(i), i % 3, i});
    once.push_back(input.back().name);
    if (i % 4 == 3) input.push_back(input[input.size() - 1 - static_cast<std::size_t>(i) % 50 % input.size()]);
  }
  auto const by = [](auto id) {
    return [id](stream<named> s) -> stream<std::string> {
      return std::move(s) | event_time(&named::at, bounded_disorder(100ns)) | dedup(id, 1000ns).working_set(20) | map(&named::name);
    };
  };
  auto const store = std::make_shared<counted_store>();
  CHECK(run_on(store, 10, in_chunks(input, 7), by([](named const& x) { return std::string_view(x.name); })) == once);
  CHECK(left_in_store(*store) > 0);
  CHECK(store->reads > 0);
  auto const other = std::make_shared<counted_store>();
  CHECK(run_on(other, 10, in_chunks(input, 7), by([](named const& x) { return std::pair(x.part, x.name); })) == once);
  CHECK(other->reads > 0);
}

TEST_CASE("of ids that are new the store is hardly asked, of one that has left it is once") {
  std::vector<numbered> input;
  std::mt19937_64 random(1);
  for (int i = 0; i != 20'000; ++i) input.emplace_back(random(), i);
  auto const make = [](stream<numbered> s) -> stream<std::string> {
    return std::move(s) | event_time(&numbered::at, bounded_disorder(100'000ns)) | dedup(&numbered::id, 100'000ns).working_set(4'000) |
           map([](numbered const& e) { return std::to_string(e.id); });
  };
  auto const store = std::make_shared<counted_store>();
  CHECK(run_on(store, 100, in_chunks(input, 100), make).size() == 20'000);
  std::size_t const in_vain = store->reads;
  CHECK(in_vain < 20'000 / 20);  // ten filters in the end, each wrong for one id in 200
  input.insert(input.end(), 10, input[5]);
  auto const again = std::make_shared<counted_store>();
  CHECK(run_on(again, 100, in_chunks(input, 100), make).size() == 20'000);
  CHECK(again->reads == in_vain + 1);
}

TEST_CASE("what time has passed goes from the store as well") {
  std::vector<numbered> input;
  for (int i = 0; i != 400; ++i) input.emplace_back(static_cast<std::uint64_t>(i), i);
  auto const store = std::make_shared<memory_state_store>();
  run_on(store, 10, in_chunks(input, 10), unique(4));
  // Of the 400 those are in the store that came in the last three horizons (40 each, a checkpoint each 10), in blocks of one run.
  CHECK(left_in_store(*store) > 2);
  CHECK(left_in_store(*store) <= 14);
}

TEST_CASE("ids are not left in a store that cannot be asked for them") {
  auto const ids = random_ids(1, 20);
  fails_with(
      errc::misuse, [&] { run_on(std::make_shared<blind_store>(), 5, in_chunks(ids.input, 4), unique(100)); },
      "dedup: cannot keep a part of its state outside memory", "cannot read single entries", "leave working_set out");
  fails_with(errc::invalid_option, [] { (void)dedup(&numbered::id, horizon).working_set(0); }, "dedup", "its working set is 0");
}

TEST_CASE("ids that have left memory are not forgotten where the working set is") {
  auto const ids = random_ids(1, 60);
  auto const store = std::make_shared<memory_state_store>();
  auto input = in_chunks(ids.input, 4).fail("connection lost").element(ids.input.front());
  std::vector<std::string> out;
  CHECK_THROWS_AS(run_on(store, 1, input, unique(4), out), error);
  fails_with(errc::incompatible, [&] { run_on(store, 1, input, unique_in_memory(), out); }, "dedup", "needs a working set");
}

TEST_CASE("a block that cannot be read, or is gone, stops the pipeline") {
  auto const ids = random_ids(1, 60);
  auto const store = std::make_shared<counted_store>();
  store->failure.emplace(errc::io, "store: cannot read", "the disk is gone", "look at it");
  fails_with(errc::io, [&] { run_on(store, 1, in_chunks(ids.input, 4), unique(2)); }, "the disk is gone");

  class loses_blocks final : public forwarding_store {
  public:
    loses_blocks() : forwarding_store(std::make_shared<memory_state_store>()) {}
    task<> commit(checkpoint_key key, checkpoint_update update) override {
      std::erase_if(update.changes, [](state_change const& c) { return is_read_through(c.entry.operator_id); });
      return forwarding_store::commit(std::move(key), std::move(update));
    }
  };
  fails_with(
      errc::corrupt, [&] { run_on(std::make_shared<loses_blocks>(), 1, in_chunks(ids.input, 4), unique(2)); },
      "a block of ids is missing in the store");
}
