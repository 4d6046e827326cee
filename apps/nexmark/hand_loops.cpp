#include "hand_loops.hpp"

#include "queries.hpp"

#include <weir/instant.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <variant>
#include <vector>

namespace nexmark {
namespace {

template <class V> using by_id = boost::unordered_flat_map<std::int64_t, V>;

void pass_through(std::span<event const> in, output& out) {
  for (event const& e : in)
    if (auto const* b = std::get_if<bid>(&e)) out.add(b->auction, b->bidder, b->price, b->time);
}

void currency(std::span<event const> in, output& out) {
  for (event const& e : in)
    if (auto const* b = std::get_if<bid>(&e)) out.add(b->auction, b->bidder, b->price * 908, b->time);
}

void selection(std::span<event const> in, output& out) {
  for (event const& e : in)
    if (auto const* b = std::get_if<bid>(&e); b && b->auction % 123 == 0) out.add(b->auction, b->price);
}

void local_items(std::span<event const> in, output& out) {
  by_id<person> people;
  by_id<std::vector<std::int64_t>> waiting;
  auto const give = [&out](person const& p, std::int64_t id) {
    if (p.state == oregon || p.state == idaho || p.state == california) out.add(p.id, p.city, p.state, id);
  };
  for (event const& e : in) {
    if (auto const* a = std::get_if<auction>(&e)) {
      if (a->category != 10) continue;
      if (auto const p = people.find(a->seller); p != people.end()) give(p->second, a->id);
      else waiting[a->seller].push_back(a->id);
    } else if (auto const* p = std::get_if<person>(&e)) {
      people.emplace(p->id, *p);
      if (auto const w = waiting.find(p->id); w != waiting.end()) {
        for (std::int64_t const id : w->second) give(*p, id);
        waiting.erase(w);
      }
    }
  }
}

void bids_by_clock(std::span<event const> in, output& out) {
  constexpr weir::instant size = 10'000'000'000;
  by_id<std::int64_t> counts;
  weir::instant start = 0;
  auto const close = [&] {
    for (auto const& [bidder, count] : counts) out.add(bidder, start, count);
    counts.clear();
  };
  for (event const& e : in) {
    auto const* b = std::get_if<bid>(&e);
    if (!b) continue;
    weir::instant const now = clock_tick();
    if (now >= start + size) {
      close();
      start = now - now % size;
    }
    ++counts[b->bidder];
  }
  close();
}

void auction_statistics(std::span<event const> in, output& out) {
  constexpr weir::instant day = 86'400'000'000'000;
  struct statistics {
    std::int64_t bids = 0, low = 0, middle = 0, high = 0, least = std::numeric_limits<std::int64_t>::max(), greatest = 0, sum = 0;
  };
  by_id<statistics> auctions;
  weir::instant start = 0;
  auto const close = [&] {
    for (auto const& [id, s] : auctions) out.add(id, start, s.bids, s.low, s.middle, s.high, s.least, s.greatest, s.sum);
    auctions.clear();
  };
  for (event const& e : in) {
    auto const* b = std::get_if<bid>(&e);
    if (!b) continue;
    if (b->time >= start + day) {
      close();
      start = b->time - b->time % day;
    }
    statistics& s = auctions[b->auction];
    ++s.bids;
    ++(b->price < 10'000 ? s.low : b->price < 1'000'000 ? s.middle : s.high);
    s.least = std::min(s.least, b->price);
    s.greatest = std::max(s.greatest, b->price);
    s.sum += b->price;
  }
  close();
}

}  // namespace

hand_loop hand_loop_of(std::string_view query) {
  if (query == "q0") return pass_through;
  if (query == "q1") return currency;
  if (query == "q2") return selection;
  if (query == "q3") return local_items;
  if (query == "q12") return bids_by_clock;
  if (query == "q17") return auction_statistics;
  return nullptr;
}

}  // namespace nexmark
