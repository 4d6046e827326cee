// Where streams part and meet, count and say things twice, nothing is lost either and each effect happens once.
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/as_of_join.hpp>
#include <weir/operators/emit.hpp>
#include <weir/operators/flat_map.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/merge.hpp>
#include <weir/operators/skip.hpp>
#include <weir/operators/sliding_window.hpp>
#include <weir/operators/split.hpp>
#include <weir/operators/take.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/operators/window.hpp>
#include <weir/operators/window_join.hpp>
#include <weir/when_all.hpp>

#include "properties/delivery_support.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using testing::delivery_check;
using testing::idempotent_sink;

namespace {

bool every_third(happening const& h) { return h.id % 3 == 0; }
contents seen(int from, int to) {
  contents out;
  for (int id = from; id != to; ++id) out[std::to_string(id)] = "seen";
  return out;
}
task<> write_ids(stream<happening> s, idempotent_sink& out) {
  while (happening* const h = co_await s.next()) co_await out.write(std::to_string(h->id), "seen");
}
template <class R> std::string named(R const& r) {
  return std::to_string(r.key) + "/" + std::to_string(r.window.start) + "#" + std::to_string(r.revision);
}
template <class P> std::string pair_of(P const& p) {
  return (p.left ? std::to_string(p.left->id) : "") + "+" + (p.right ? std::to_string(p.right->id) : "");
}
auto by_key(stream<happening> s) { return std::move(s) | event_time(&happening::time, bounded_disorder(60ns)) | key_by(&happening::key); }

}  // namespace

TEST_CASE("delivery: windows that say more than once what they hold", "[properties][delivery]") {
  delivery_check updated(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto counts = std::move(s) | in_time() | key_by(&happening::key) | tumbling_window(10ns, late::update(20ns)) | aggregate(count());
    while (auto* const r = co_await counts.next()) co_await out.write(named(*r), std::to_string(r->value));
  });
  check_delivers(updated.run());
  delivery_check sliding(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto counts =
        std::move(s) | in_time() | key_by(&happening::key) | sliding_window(20ns, 5ns, late::drop(), emit::early(5ns)) | aggregate(count());
    while (auto* const r = co_await counts.next()) co_await out.write(named(*r), std::to_string(r->value));
  });
  check_delivers(sliding.run());
}

TEST_CASE("delivery: the two halves of a split, each with its own consumer", "[properties][delivery]") {
  delivery_check check(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto halves = split(std::move(s), every_third);
    auto both = when_all(write_ids(std::move(halves.matching), out), write_ids(std::move(halves.rest), out));
    co_await std::move(both);
  });
  check_delivers(check.expect(seen(0, 20)).run());
}

TEST_CASE("delivery: the two halves of a split, merged again", "[properties][delivery]") {
  delivery_check check(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto halves = split(std::move(s), every_third);
    stream<happening> all = merge(std::move(halves.matching), std::move(halves.rest));
    while (happening* const h = co_await all.next()) co_await out.write(std::to_string(h->id), "seen");
  });
  check_delivers(check.expect(seen(0, 20)).run());
}

TEST_CASE("delivery: joins by window and as of a time", "[properties][delivery]") {
  delivery_check windows(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto halves = split(std::move(s), every_third);
    auto pairs = window_join(by_key(std::move(halves.matching)), by_key(std::move(halves.rest)), 10ns, late::drop(), join_kind::full);
    while (auto* const p = co_await pairs.next()) co_await out.write(pair_of(*p), "joined");
  });
  check_delivers(windows.run());
  delivery_check as_of(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto halves = split(std::move(s), every_third);
    auto pairs = as_of_join(by_key(std::move(halves.matching)), by_key(std::move(halves.rest)), 15ns, late::drop());
    while (auto* const p = co_await pairs.next()) co_await out.write(pair_of(*p), "joined");
  });
  check_delivers(as_of.run());
}

TEST_CASE("delivery: counts over restarts, and groups by count", "[properties][delivery]") {
  delivery_check part(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    stream<happening> middle = std::move(s) | skip(3) | take(12);
    co_await write_ids(std::move(middle), out);
  });
  check_delivers(part.expect(seen(3, 15)).run());
  delivery_check groups(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    stream<happening> all = std::move(s) | window(3) | flat_map([](std::vector<happening>& group) { return std::move(group); });
    co_await write_ids(std::move(all), out);
  });
  check_delivers(groups.expect(seen(0, 20)).run());
}
