#include "generator.hpp"

#include <algorithm>
#include <cmath>

namespace nexmark {
namespace {

constexpr std::int64_t events_per_turn = 50, auctions_per_turn = 3;  // behind one person, and before 46 bids
constexpr std::int64_t first_id = 1'000, first_category = 10, categories = 5, cities = 10, people_states = 6;
constexpr std::int64_t auctions_in_flight = 100, active_people = 1'000, to_come = 10;
constexpr std::int64_t hot_every = 100, hot_channels = 4, other_channels = 10'000;

// SplitMix64 (Steele, Lea, Flood 2014), from a state of its own for each event.
class dice {
public:
  dice(std::uint64_t seed, std::uint64_t number) : state_(seed * 0xD1342543DE82EF95U + number * 0x2545F4914F6CDD1DU) {}
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(n)); }
  std::int64_t price() { return std::llround(std::pow(10.0, static_cast<double>(next() >> 11) * 0x1p-53 * 6.0) * 100.0); }

private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

weir::instant time_of(std::int64_t number, generator_options const& o) {
  auto const ms = static_cast<std::uint64_t>(number) * 1'000 / o.per_second;
  return o.start + static_cast<weir::instant>(ms) * 1'000'000;
}

// Where an event is in the order of all: the newest person and auction, from 0; -1 where there is no auction yet.
struct position {
  explicit position(std::int64_t number) : turn(number / events_per_turn), rest(number % events_per_turn) {}
  std::int64_t turn, rest;
  std::int64_t newest_person() const { return turn; }
  std::int64_t newest_auction() const {
    return rest == 0 ? turn * auctions_per_turn - 1 : turn * auctions_per_turn + std::min(rest, auctions_per_turn) - 1;
  }
};

std::int64_t any_person(dice& d, position const& p) {
  std::int64_t const people = p.newest_person() + 1, active = std::min(people, active_people);
  return people - active + d.below(active + to_come);
}
std::int64_t any_auction(dice& d, position const& p) {
  std::int64_t const oldest = std::max<std::int64_t>(p.newest_auction() - auctions_in_flight, 0);
  return oldest + d.below(p.newest_auction() - oldest + 1 + to_come);
}

auction make_auction(std::int64_t number, position const& p, dice& d, generator_options const& o) {
  auction a{};
  a.id = first_id + p.newest_auction();
  bool const hot = d.below(4) > 0;
  a.seller = first_id + (hot ? p.newest_person() / hot_every * hot_every : any_person(d, p));
  a.category = first_category + d.below(categories);
  a.initial_bid = d.price();
  a.reserve = a.initial_bid + d.price();
  a.time = time_of(number, o);
  std::int64_t const ahead = number + auctions_in_flight * events_per_turn / auctions_per_turn;
  std::int64_t const horizon = (time_of(ahead, o) - a.time) / 1'000'000;
  a.expires = a.time + (1 + d.below(std::max<std::int64_t>(horizon * 2, 1))) * 1'000'000;
  return a;
}

bid make_bid(std::int64_t number, position const& p, dice& d, generator_options const& o) {
  bid b{};
  bool const hot_auction = d.below(2) > 0;
  b.auction = first_id + (hot_auction ? p.newest_auction() / hot_every * hot_every : any_auction(d, p));
  bool const hot_bidder = d.below(4) > 0;
  b.bidder = first_id + (hot_bidder ? p.newest_person() / hot_every * hot_every + 1 : any_person(d, p));
  b.price = d.price();
  bool const hot_channel = d.below(2) > 0;
  b.channel = hot_channel ? d.below(hot_channels) : hot_channels + d.below(other_channels);
  b.time = time_of(number, o);
  return b;
}

}  // namespace

event make_event(std::uint64_t n, generator_options const& o) {
  dice d(o.seed, n);
  auto const number = static_cast<std::int64_t>(n);
  position const p(number);
  if (p.rest == 0) return person{first_id + p.newest_person(), time_of(number, o), d.below(cities), d.below(people_states)};
  if (p.rest <= auctions_per_turn) return make_auction(number, p, d, o);
  return make_bid(number, p, d, o);
}

std::vector<event> generate(std::size_t count, generator_options const& o) {
  std::vector<event> all;
  all.reserve(count);
  for (std::size_t i = 0; i != count; ++i) all.push_back(make_event(i, o));
  return all;
}

}  // namespace nexmark
