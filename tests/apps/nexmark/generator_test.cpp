#include <generator.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>

using namespace nexmark;

// What the benchmark's definition says of its events: 1, 3 and 46 of 50, half, three quarters, 10^(6u) dollars.
TEST_CASE("of fifty events one is a person, three are auctions, the others bids, and ids go up from 1000") {
  std::int64_t people = 1000, auctions = 1000;
  auto const all = generate(500);
  for (std::size_t i = 0; i != all.size(); ++i) {
    CHECK(all[i].index() == (i % 50 == 0 ? 0U : i % 50 < 4 ? 1U : 2U));
    if (auto const* p = std::get_if<person>(&all[i])) CHECK(p->id == people++);
    if (auto const* a = std::get_if<auction>(&all[i])) CHECK(a->id == auctions++);
  }
}

TEST_CASE("an event is the same whenever it is made, and another with another seed") {
  auto const all = generate(1000);
  auto const bid_of = [](event const& e) { return std::get<bid>(e); };
  CHECK(bid_of(make_event(999)).price == bid_of(all[999]).price);
  generator_options other;
  other.seed = 43;
  CHECK(bid_of(make_event(999, other)).price != bid_of(all[999]).price);
}

TEST_CASE("times are those of the rate, in whole milliseconds") {
  generator_options o;
  CHECK(std::get<bid>(make_event(199, o)).time == o.start + 1'000'000);  // 1.99 ms at 100,000 a second
  CHECK(std::get<person>(make_event(100'000, o)).time == o.start + 1'000'000'000);
  o.per_second = 1000;
  CHECK(std::get<bid>(make_event(199, o)).time == o.start + 199'000'000);
}

TEST_CASE("bids, sellers, prices and lifetimes are distributed as defined") {
  auto const all = generate(500'000);
  double hot_auctions = 0, hot_bidders = 0, hot_sellers = 0, bids = 0, auctions = 0, dollars_below_1000 = 0, longest = 0;
  std::int64_t newest_auction = 0, newest_person = 0;
  bool all_in_range = true;
  for (event const& e : all) {
    if (auto const* p = std::get_if<person>(&e)) newest_person = p->id;
    if (auto const* a = std::get_if<auction>(&e)) {
      newest_auction = a->id;
      ++auctions;
      hot_sellers += a->seller == newest_person / 100 * 100;
      longest = std::max(longest, static_cast<double>(a->expires - a->time) * 1e-6);
      all_in_range =
          all_in_range && a->category >= 10 && a->category <= 14 && a->seller <= newest_person + 10 && a->seller > newest_person - 1000;
      all_in_range = all_in_range && a->expires > a->time && a->reserve > a->initial_bid;
    }
    if (auto const* b = std::get_if<bid>(&e)) {
      ++bids;
      hot_auctions += b->auction == newest_auction / 100 * 100;
      hot_bidders += b->bidder == newest_person / 100 * 100 + 1;
      dollars_below_1000 += b->price < 100'000;
      all_in_range = all_in_range && b->auction >= 1000 && b->auction <= newest_auction + 10 && b->auction >= newest_auction - 100;
      all_in_range = all_in_range && b->bidder >= 1000 && b->bidder <= newest_person + 10 && b->bidder > newest_person - 1000;
      all_in_range = all_in_range && b->price >= 100 && b->price <= 100'000'000;
    }
  }
  CHECK(all_in_range);
  CHECK(hot_auctions / bids == Approx(0.5 + 0.5 / 111).margin(0.005));
  CHECK(hot_bidders / bids == Approx(0.75).margin(0.005));
  CHECK(hot_sellers / auctions == Approx(0.75).margin(0.01));
  CHECK(dollars_below_1000 / bids == Approx(0.5).margin(0.005));  // 10^3 is in the middle of 10^0 and 10^6
  CHECK(longest == Approx(2 * 16.66).margin(2));                  // 100 auctions come in 1,666 events, 16.66 ms
}
