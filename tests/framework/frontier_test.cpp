#include <weir/frontier.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

using weir::errc;
using weir::frontier;
using weir::position;
using weir::test::fails_with;

namespace {

// What a frontier is, in the words of its definition and without any cleverness.
class naive_frontier {
public:
  void issue(position p) { records_.push_back({p, false}); }
  void complete(std::size_t n) { records_[n].done = true; }
  void complete_up_to(std::size_t n) {
    for (std::size_t i = 0; i <= n; ++i) records_[i].done = true;
  }
  bool is_done(std::size_t n) const { return records_[n].done; }
  std::size_t prefix() const {
    return static_cast<std::size_t>(std::find_if(records_.begin(), records_.end(), [](record const& r) { return !r.done; }) -
                                    records_.begin());
  }
  position at(position start) const { return prefix() == 0 ? start : records_[prefix() - 1].where; }
  std::size_t gap() const { return records_.size() - prefix(); }
  std::size_t size() const { return records_.size(); }

private:
  struct record {
    position where;
    bool done;
  };
  std::vector<record> records_;
};

}  // namespace

TEST_CASE("a frontier that has seen nothing stands where it starts", "[framework][frontier]") {
  CHECK(frontier().position() == position());
  CHECK(frontier(position(7)).position() == position(7));
  CHECK(frontier(position(7)).gap() == 0);
  CHECK(frontier(position(7)).issued() == position(7));
}

TEST_CASE("a frontier waits for the record that is not done", "[framework][frontier]") {
  frontier done(position(5));
  auto const a = done.issue(position(10)), b = done.issue(position(20)), c = done.issue(position(30));
  CHECK(a == 0);
  CHECK(c == 2);
  CHECK(done.gap() == 3);
  done.complete(b);
  done.complete(c);
  CHECK(done.position() == position(5));
  CHECK(done.gap() == 3);
  done.complete(a);
  CHECK(done.position() == position(30));
  CHECK(done.issued() == position(30));
  CHECK(done.gap() == 0);
}

TEST_CASE("complete_up_to completes everything before, what was done already included", "[framework][frontier]") {
  frontier done;
  for (std::uint64_t i = 0; i < 200; ++i) done.issue(position(i));
  done.complete(50);
  done.complete(150);
  done.complete(101);
  done.complete_up_to(100);
  CHECK(done.position() == position(101));
  done.complete_up_to(20);
  CHECK(done.position() == position(101));
  done.complete_up_to(101);
  CHECK(done.position() == position(101));
  CHECK(done.gap() == 98);
  done.complete_up_to(199);
  CHECK(done.position() == position(199));
}

TEST_CASE("nonsense is refused and changes nothing", "[framework][frontier]") {
  frontier done(position(5));
  fails_with(errc::misuse, [&] { done.issue(position(5)); }, "frontier: cannot issue a record (position 5)", "not after the last one, 5");
  done.issue(position(10));
  done.issue(position(20));
  fails_with(errc::misuse, [&] { done.issue(position(20)); }, "position 20");
  fails_with(errc::misuse, [&] { done.issue(position(15)); }, "position 15", "20");
  fails_with(errc::misuse, [&] { done.complete(2); }, "frontier: cannot complete record 2", "never issued");
  fails_with(errc::misuse, [&] { done.complete_up_to(2); }, "record 2", "never issued");
  done.complete(1);
  fails_with(errc::misuse, [&] { done.complete(1); }, "record 1", "completed before");
  CHECK(done.position() == position(5));
  CHECK(done.gap() == 2);
  done.complete(0);
  fails_with(errc::misuse, [&] { done.complete(0); }, "record 0", "completed before");
  fails_with(errc::misuse, [&] { done.complete(1); }, "record 1", "completed before", "position 20");
  CHECK(done.position() == position(20));
}

TEST_CASE("a frontier agrees with its definition for any order of completion", "[framework][frontier]") {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    position const start(random() % 100);
    std::uint64_t next = start.offset();
    frontier done(start);
    naive_frontier oracle;
    std::size_t const in_flight = 1 + random() % (seed % 3 == 0 ? 2000 : 70);
    std::vector<frontier::ordinal> open;
    position last = start;
    for (int step = 0; step < 3000; ++step) {
      if (open.size() < in_flight && random() % 3 != 0) {
        position const p(next += 1 + random() % 50);
        REQUIRE(done.issue(p) == oracle.size());
        open.push_back(oracle.size());
        oracle.issue(p);
      } else if (!open.empty() && random() % 40 == 0) {
        auto const n = open[random() % open.size()];
        done.complete_up_to(n);
        oracle.complete_up_to(n);
        std::erase_if(open, [&](frontier::ordinal o) { return o <= n; });
      } else if (!open.empty()) {
        std::swap(open[random() % open.size()], open.back());
        done.complete(open.back());
        oracle.complete(open.back());
        open.pop_back();
      }
      REQUIRE(done.position() == oracle.at(start));
      REQUIRE(done.gap() == oracle.gap());
      REQUIRE(done.position() >= last);
      last = done.position();
    }
  }
}

TEST_CASE("a shuffled batch is done when its last record is", "[framework][frontier]") {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    std::mt19937 random(seed);
    std::vector<frontier::ordinal> order(1 + random() % 5000);
    std::iota(order.begin(), order.end(), frontier::ordinal(0));
    std::shuffle(order.begin(), order.end(), random);
    frontier done;
    for (std::size_t i = 0; i < order.size(); ++i) done.issue(position(i, seed));
    std::vector<bool> is_done(order.size());
    std::size_t prefix = 0;
    for (auto const n : order) {
      done.complete(n);
      is_done[n] = true;
      while (prefix < is_done.size() && is_done[prefix]) ++prefix;
      REQUIRE(done.position() == (prefix == 0 ? position() : position(prefix - 1, seed)));
    }
    CHECK(done.gap() == 0);
  }
}

TEST_CASE("memory follows the gap and not the number of records", "[framework][frontier]") {
  frontier done;
  std::uint64_t offset = 0;
  for (int i = 0; i < 1'000'000; ++i) done.complete(done.issue(position(++offset)));
  CHECK(done.memory() <= std::size_t(64) * 33);

  auto const stuck = done.issue(position(++offset));
  for (int i = 0; i < 100'000; ++i) done.complete(done.issue(position(++offset)));
  CHECK(done.gap() == 100'001);
  CHECK(done.memory() <= std::size_t(131'072) * 33);  // the next power of two, 32 bytes and a bit each
  done.complete(stuck);
  CHECK(done.position() == position(offset));
  for (int i = 0; i < 100; ++i) done.complete(done.issue(position(++offset)));
  CHECK(done.memory() <= std::size_t(64) * 33);
}
