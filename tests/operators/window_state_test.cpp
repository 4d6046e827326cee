// Checkpoints of windows that are not what they should be: refused with a reason, whatever their bytes.
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/sliding_window.hpp>
#include <weir/operators/tumbling_window.hpp>

#include "operators/timed_support.hpp"

using namespace weir;
using namespace weir::test;

namespace {

auto counts(stream<event> s) {
  return in_time(std::move(s), 2ns) | key_by(&event::key) | tumbling_window(10ns, late::drop()) | aggregate(count());
}
auto sliced(stream<event> s) {
  return in_time(std::move(s), 2ns) | key_by(&event::key) | sliding_window(10ns, 5ns, late::drop()) | aggregate(count());
}
auto whole(stream<event> s) {
  return in_time(std::move(s), 2ns) | key_by(&event::key) | sliding_window(10ns, 5ns, late::update(0ns)) | aggregate(count());
}

kept_state state_after(std::string const& line, auto make) {
  feed<event> in(events(line));
  in.barrier_at(events(line).size());
  return *testing::run(run_to(as_text(make(in.open())), in.barrier())).state;
}
std::error_code restored_with(kept_state state, auto make) {
  feed<event> in(events("a21"));
  in.restores(std::move(state));
  return testing::run(drain(as_text(make(in.open())))).code;
}
constexpr auto tumbling = [](stream<event> s) { return counts(std::move(s)); };
constexpr auto sliding = [](stream<event> s) { return sliced(std::move(s)); };

// Every cut of an entry is refused; a changed bit is, or it is one of a sum, say, which may be anything. Returns how many bits were
// refused, and of how many.
std::pair<std::size_t, std::size_t> refusals(kept_state const& good, std::string_view operator_id, auto make) {
  std::size_t refused = 0, bits = 0;
  for (std::size_t i = 0; i != good.size(); ++i) {
    if (good[i].operator_id != operator_id) continue;
    CAPTURE(i, good[i].key);
    auto const with = [&](std::vector<std::byte> value) {
      kept_state state = good;
      state[i].value = std::move(value);
      return restored_with(std::move(state), make);
    };
    std::vector<std::byte> const& value = good[i].value;
    for (std::size_t n = 0; n != value.size(); ++n) {
      CAPTURE(n);
      CHECK(with({value.begin(), value.begin() + static_cast<std::ptrdiff_t>(n)}) == errc::corrupt);
    }
    auto longer = value;
    longer.push_back(std::byte(0));
    CHECK(with(longer) == errc::corrupt);
    for (std::size_t bit = 0; bit != value.size() * 8; ++bit, ++bits) {
      auto damaged = value;
      damaged[bit / 8] ^= std::byte(1) << bit % 8;
      auto const code = with(std::move(damaged));
      CAPTURE(bit);
      CHECK((!code || code == errc::corrupt || code == errc::incompatible));
      if (code) ++refused;
    }
    kept_state without = good;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(restored_with(without, make) == errc::corrupt);
  }
  return {refused, bits};
}

}  // namespace

TEST_CASE("tumbling windows refuse a checkpoint that is cut short, goes on, or has bits changed; or they take it, but never break") {
  auto const good = state_after("a1 b4 a12 b15", tumbling);
  CHECK(restored_with(good, tumbling) == std::error_code());
  auto const [refused, bits] = refusals(good, "window", tumbling);
  CHECK(refused > bits / 2);  // what is left are bits of keys, sums and the watermark, which may be anything
}

TEST_CASE("event time refuses a checkpoint that is cut short, goes on, or has bits changed; or takes it, but never breaks") {
  auto const good = state_after("a1 b4 a12 b15", tumbling);
  for (std::size_t i = 0; i != good.size(); ++i) {
    if (good[i].operator_id != "event_time") continue;
    std::vector<std::byte> const& value = good[i].value;
    for (std::size_t n = 0; n != value.size(); ++n) {
      kept_state cut = good;
      cut[i].value.resize(n);
      CHECK(restored_with(cut, tumbling) == errc::corrupt);
    }
    for (std::size_t bit = 0; bit != value.size() * 8; ++bit) {
      kept_state damaged = good;
      damaged[i].value[bit / 8] ^= std::byte(1) << bit % 8;
      auto const code = restored_with(damaged, tumbling);
      CHECK((!code || code == errc::corrupt));
    }
  }
}

TEST_CASE("windows have an entry per key and window, and a checkpoint writes only those that have changed") {
  feed<event> in(events("a1 b4 a5 c27 c28"));
  in.barrier_at(2).barrier_at(3).barrier_at(5);
  testing::run(drain(as_text(counts(in.open()))));
  auto const names = [&](std::size_t barrier) {
    return changes_of(in.barrier(barrier), "window", [](std::string const& name) {
      return name.empty() ? "" : std::to_string(static_cast<unsigned char>(name[7])) + name.substr(8);  // the start, big-endian
    });
  };
  CHECK(names(0) == "+ +0=a +0=b");
  CHECK(names(1) == "+ +0=a");
  CHECK(names(2) == "+ --0 +20=c");  // the watermark is at 25
}

TEST_CASE("tumbling windows refuse the checkpoint of windows that lie elsewhere, and say which") {
  feed<event> in(events("a21"));
  in.restores(state_after("a1", tumbling));
  auto out = in_time(in, 2ns) | key_by(&event::key) | tumbling_window(20ns, late::drop()) | aggregate(count());
  auto const got = testing::run(drain(as_text(std::move(out))));
  CHECK(got.code == errc::incompatible);
  CHECK(got.failure.find("its windows were 10 ns every 10 ns from 0 ns on and are 20 ns every 20 ns from 0 ns on") != std::string::npos);
}

TEST_CASE("sliding windows refuse a checkpoint that is cut short, of other windows, or of another way to keep them") {
  auto const good = state_after("a1 b4 a12 b15", sliding);
  CHECK(restored_with(good, sliding) == std::error_code());
  CHECK(restored_with(good, [](stream<event> s) { return whole(std::move(s)); }) == errc::incompatible);
  refusals(good, "window", sliding);
  CHECK(restored_with(good, [](stream<event> s) {
          return in_time(std::move(s), 2ns) | key_by(&event::key) | sliding_window(10ns, 2ns, late::drop()) | aggregate(count());
        }) == errc::incompatible);
}
