#include "login_generator.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace fraud {
namespace {

constexpr std::int64_t millisecond = 1'000'000, second = 1'000 * millisecond, minute = 60 * second, hour = 60 * minute;

// In millionths of a degree.
struct city {
  std::int32_t latitude, longitude;
};
constexpr std::array<city, 8> homes{{{52'520'000, 13'405'000},     // Berlin
                                     {48'856'600, 2'352'200},      // Paris
                                     {40'416'800, -3'703'800},     // Madrid
                                     {41'902'800, 12'496'400},     // Rome
                                     {48'208'200, 16'373'800},     // Vienna
                                     {52'229'700, 21'012'200},     // Warsaw
                                     {59'913'900, 10'752'200},     // Oslo
                                     {38'722'300, -9'139'300}}};   // Lisbon
constexpr std::array<city, 8> abroad{{{40'712'800, -74'006'000},   // New York
                                      {-23'550'500, -46'633'300},  // Sao Paulo
                                      {35'676'200, 139'650'300},   // Tokyo
                                      {-33'868'800, 151'209'300},  // Sydney
                                      {1'352'100, 103'819'800},    // Singapore
                                      {-33'924'900, 18'424'100},   // Cape Town
                                      {34'052'200, -118'243'700},  // Los Angeles
                                      {19'076'000, 72'877'700}}};  // Mumbai
// 18,180 km, Lisbon to Sydney, in this time is 700 km/h.
constexpr std::int64_t long_journey = 26 * hour;

place around(city c, std::int64_t north, std::int64_t east) {
  return {static_cast<double>(c.latitude + north) / 1e6, static_cast<double>(c.longitude + east) / 1e6};
}

void check(bool good, char const* what) {
  if (!good) throw std::invalid_argument(what);
}

}  // namespace

login_generator::login_generator(scenario s) : scenario_(s), random_(s.seed), now_(s.start) {
  check(s.accounts >= 1 && s.accounts <= 1'000'000, "the number of accounts must be 1 to 1000000");
  check(s.rate >= 1 && s.rate <= 1'000'000, "the rate must be 1 to 1000000 logins per second");
  check(s.every >= 1, "something can be planted after one login at the earliest");
  check(s.disorder >= 0, "the disorder must not be negative");
  people_.resize(s.accounts);
  for (auto& p : people_) p.home = around(homes[static_cast<std::size_t>(draw(homes.size()))], draw(100'000), draw(100'000));
}

login login_generator::next() {
  // Whatever is made from now on arrives later.
  while (waiting_.empty() || waiting_.top().arrival > now_ - now_ % millisecond) make_some();
  event const first = waiting_.top();
  waiting_.pop();
  if (first.fraud != none) --planted_[first.fraud].to_come;
  return first.what;
}

std::vector<alert> login_generator::frauds() const {
  std::vector<alert> out;
  for (auto const& p : planted_)
    if (p.to_come == 0) out.push_back(p.what);
  return out;
}

void login_generator::make_some() {
  now_ += 1 + draw(2 * second / scenario_.rate);
  std::int64_t const time = now_ - now_ % millisecond;
  auto account = static_cast<std::uint32_t>(draw(scenario_.accounts));
  for (int tries = 0; people_[account].quiet_until > time; ++tries) {
    if (tries == 64) return;
    account = (account + 1) % scenario_.accounts;
  }
  make_honest(account, time);
  if (++honest_ >= scenario_.every && people_[account].may_fail <= time) {
    honest_ = 0;
    plant(account, time + second);
  }
}

void login_generator::make_honest(std::uint32_t account, std::int64_t time) {
  auto& who = people_[account];
  bool const fails = draw(16) == 0 && who.may_fail <= time;
  if (fails) who.may_fail = time + 10 * minute;
  place const from{who.home.latitude + static_cast<double>(draw(16)) / 1024, who.home.longitude + static_cast<double>(draw(16)) / 1024};
  add(account, time, from, !fails, none);
}

void login_generator::plant(std::uint32_t account, std::int64_t time) {
  switch (kind_++ % 5) {
    case 0: return plant_failures(account, {time, time + second + draw(100) * second, time + 101 * second + draw(199) * second});
    case 1: return plant_travel(account, time, 10 * minute + draw(50) * minute);
    case 2: return plant_failures(account, {time, time + second + draw(299) * second});
    case 3: return plant_failures(account, {time, time + second + draw(299) * second, time + 5 * minute + millisecond + draw(60) * second});
    default: return plant_travel(account, time, long_journey);
  }
}

void login_generator::plant_failures(std::uint32_t account, std::vector<std::int64_t> const& times) {
  auto& who = people_[account];
  std::size_t fraud = none;
  if (times.size() == 3 && times.back() - times.front() <= 5 * minute)
    fraud = announce(3, failed_logins{fmt::format("account-{}", account), times.front(), times.back(), 3});
  for (auto const time : times) add(account, time, who.home, false, fraud);
  who.quiet_until = who.may_fail = times.back() + 10 * minute;
}

void login_generator::plant_travel(std::uint32_t account, std::int64_t time, std::int64_t duration) {
  auto& who = people_[account];
  place const there = around(abroad[static_cast<std::size_t>(draw(abroad.size()))], 0, 0);
  std::size_t fraud = none;
  if (duration <= hour) fraud = announce(2, impossible_travel{fmt::format("account-{}", account), time, time + duration, who.home, there});
  add(account, time, who.home, true, fraud);
  add(account, time + duration, there, true, fraud);
  who.quiet_until = time + duration + long_journey;
}

std::size_t login_generator::announce(std::uint32_t logins, alert what) {
  planted_.push_back({logins, std::move(what)});
  return planted_.size() - 1;
}

void login_generator::add(std::uint32_t account, std::int64_t time, place from, bool success, std::size_t fraud) {
  std::int64_t const arrival = time + draw(scenario_.disorder + 1);
  waiting_.push(event{arrival, made_++, fraud, login{fmt::format("account-{}", account), time, from, success}});
}

}  // namespace fraud
