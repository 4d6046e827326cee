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

std::vector<std::byte> state_after(std::string const& line, std::size_t part) {
  feed<event> in(events(line));
  in.barrier_at(events(line).size());
  auto const got = testing::run(run_to(as_text(counts(in.open())), in.barrier()));
  return snapshot::decode(*got.state).parts().at(part);
}
std::error_code restored_with(std::vector<std::byte> event_time_part, std::vector<std::byte> window_part) {
  feed<event> in(events("a21"));
  in.restores(snapshot({std::move(event_time_part), std::move(window_part)}).encode());
  return testing::run(drain(as_text(counts(in.open())))).code;
}

}  // namespace

TEST_CASE("tumbling windows refuse a checkpoint that is cut short, goes on, or has bits changed; or they take it, but never break") {
  auto const time = state_after("a1 b4 a12 b15", 0), windows = state_after("a1 b4 a12 b15", 1);
  CHECK(restored_with(time, windows) == std::error_code());
  for (std::size_t n = 0; n != windows.size(); ++n) {
    CAPTURE(n);
    CHECK(restored_with(time, {windows.begin(), windows.begin() + static_cast<std::ptrdiff_t>(n)}) == errc::corrupt);
  }
  for (std::size_t n = 0; n != time.size(); ++n) {
    CAPTURE(n);
    CHECK(restored_with({time.begin(), time.begin() + static_cast<std::ptrdiff_t>(n)}, windows) == errc::corrupt);
  }
  auto longer = windows;
  longer.push_back(std::byte(0));
  CHECK(restored_with(time, longer) == errc::corrupt);
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit != windows.size() * 8; ++bit) {
    auto damaged = windows;
    damaged[bit / 8] ^= std::byte(1) << bit % 8;
    auto const code = restored_with(time, damaged);
    if (code) {
      CAPTURE(bit);
      CHECK((code == errc::corrupt || code == errc::incompatible));
      ++refused;
    }
  }
  CHECK(refused > windows.size() * 8 / 2);  // what is left are bits of keys, sums and the watermark, which may be anything
  for (std::size_t bit = 0; bit != time.size() * 8; ++bit) {
    auto damaged = time;
    damaged[bit / 8] ^= std::byte(1) << bit % 8;
    auto const code = restored_with(damaged, windows);
    CHECK((!code || code == errc::corrupt));
  }
}

TEST_CASE("tumbling windows refuse the checkpoint of windows that lie elsewhere, and say which") {
  feed<event> in(events("a21"));
  in.restores(snapshot({state_after("a1", 0), state_after("a1", 1)}).encode());
  auto out = in_time(in, 2ns) | key_by(&event::key) | tumbling_window(20ns, late::drop()) | aggregate(count());
  auto const got = testing::run(drain(as_text(std::move(out))));
  CHECK(got.code == errc::incompatible);
  CHECK(got.failure.find("its windows were 10 ns every 10 ns from 0 ns on and are 20 ns every 20 ns from 0 ns on") != std::string::npos);
}

TEST_CASE("sliding windows refuse a checkpoint that is cut short, of other windows, or of another way to keep them") {
  feed<event> in(events("a1 b4 a12 b15"));
  in.barrier_at(4);
  auto const got = testing::run(run_to(as_text(sliced(in.open())), in.barrier()));
  auto const parts = snapshot::decode(*got.state).parts();
  auto restored = [&](std::vector<std::byte> windows, auto make) {
    feed<event> rest(events("a21"));
    rest.restores(snapshot({parts[0], std::move(windows)}).encode());
    return testing::run(drain(as_text(make(rest.open())))).code;
  };
  CHECK(restored(parts[1], sliced) == std::error_code());
  CHECK(restored(parts[1], whole) == errc::incompatible);
  for (std::size_t n = 0; n != parts[1].size(); ++n)
    CHECK(restored({parts[1].begin(), parts[1].begin() + static_cast<std::ptrdiff_t>(n)}, sliced) == errc::corrupt);
  for (std::size_t bit = 0; bit != parts[1].size() * 8; ++bit) {
    auto damaged = parts[1];
    damaged[bit / 8] ^= std::byte(1) << bit % 8;
    auto const code = restored(damaged, sliced);
    CHECK((!code || code == errc::corrupt || code == errc::incompatible));
  }
  CHECK(restored(parts[1], [](stream<event> s) {
          return in_time(std::move(s), 2ns) | key_by(&event::key) | sliding_window(10ns, 2ns, late::drop()) | aggregate(count());
        }) == errc::incompatible);
}
