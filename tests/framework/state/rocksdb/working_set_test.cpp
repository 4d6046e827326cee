// Operators whose state is larger than what they may have in memory, on RocksDB.
#include <weir/application.hpp>
#include <weir/operators/dedup.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/process.hpp>
#include <weir/rocksdb/state_store.hpp>
#include <weir/source.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;

namespace {

struct numbered {
  std::uint64_t id;
  instant at;
};

// What there is so far of a stream that grows.
class so_far final : public source<numbered> {
public:
  explicit so_far(std::vector<numbered> all) : all_(std::move(all)) {}
  std::string_view name() const noexcept override { return "numbers"; }
  std::vector<std::string> partitions() const override { return {"0"}; }
  stream<numbered> open(std::string, std::optional<position> after) override {
    for (std::size_t i = after ? after->offset() : 0; i < all_.size(); i += 100)
      co_yield std::span<numbered>(all_).subspan(i, std::min<std::size_t>(100, all_.size() - i));
  }

private:
  std::vector<numbered> all_;
};

// Runs `make(stream<numbered>) -> stream<std::uint64_t>` in several processes, one after the other, each with more of the input.
template <class Make> std::vector<std::uint64_t> in_parts(std::vector<numbered> const& input, std::size_t parts, Make make) {
  test::temporary_folder folder;
  std::vector<std::uint64_t> out;
  for (std::size_t part = 1; part <= parts; ++part) {
    application app({.name = "app",
                     .checkpoints = std::make_shared<weir::rocksdb::state_store>(folder / "state"),
                     .commit = {.records = 500, .every = 1h}});
    std::vector some(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(input.size() * part / parts));
    auto const handle = [&](stream<numbered> s, cancellation) -> task<> {
      stream<std::uint64_t> all = make(std::move(s));
      while (std::uint64_t const* const x = co_await all.next()) out.push_back(*x);
    };
    app.use_source(std::make_shared<so_far>(std::move(some)), [&](auto& pipeline) {
      pipeline.use_stream([&](stream<numbered> s, cancellation c) { return handle(std::move(s), c); });
    });
    testing::run(app.serve());
  }
  return out;
}

struct counting {
  using output = std::uint64_t;
  struct state {
    std::uint64_t n = 0;
  };
  void element(numbered const& x, state& s, auto& c) { c.emit(x.id * 1'000 + ++s.n); }
};

}  // namespace

TEST_CASE("ids that are in RocksDB only are known, also by a process that starts anew", "[rocksdb][state]") {
  std::mt19937_64 random(1);
  std::vector<numbered> input;
  std::vector<std::uint64_t> once;
  std::set<std::uint64_t> seen;
  for (int i = 0; i != 20'000; ++i) {
    std::uint64_t const id = i % 10 == 9 ? input[random() % input.size()].id : random();
    input.push_back({id, i});
    if (seen.insert(id).second) once.push_back(id);
  }
  auto const got = in_parts(input, 4, [](stream<numbered> s) -> stream<std::uint64_t> {
    return std::move(s) | event_time(&numbered::at, bounded_disorder(1ms)) | dedup(&numbered::id, 1h).working_set(1'000) |
           map(&numbered::id);
  });
  CHECK(got == once);
}

TEST_CASE("keys that are in RocksDB only go on counting, also in a process that starts anew", "[rocksdb][state]") {
  std::mt19937_64 random(2);
  std::vector<numbered> input;
  std::vector<std::uint64_t> expected, counts(3'000);
  for (int i = 0; i != 20'000; ++i) {
    std::uint64_t const key = random() % counts.size();
    input.push_back({key, i});
    expected.push_back(key * 1'000 + ++counts[key]);
  }
  auto const by_key = [](auto expiry) {
    return [expiry](stream<numbered> s) -> stream<std::uint64_t> {
      return std::move(s) | event_time(&numbered::at, bounded_disorder(1ms)) | key_by(&numbered::id) |
             process(counting(), expiry).working_set(200);
    };
  };
  CHECK(in_parts(input, 3, by_key(never_expires())) == expected);
  CHECK(in_parts(input, 3, by_key(expire_after(1h))) == expected);
}
