#include <account_history.hpp>
#include <login_generator.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

using namespace fraud;

namespace {

std::vector<login> make(login_generator& g, std::size_t count) {
  std::vector<login> out;
  for (std::size_t i = 0; i != count; ++i) out.push_back(g.next());
  return out;
}

// What the rules find in all logins at once, account by account, each in the order of time.
std::vector<std::string> found_in(std::vector<login> const& logins) {
  std::map<std::string, std::vector<login>> accounts;
  for (auto const& l : logins) accounts[l.account].push_back(l);
  std::vector<std::string> out;
  for (auto& [account, all] : accounts) {
    std::sort(all.begin(), all.end(), [](login const& a, login const& b) { return a.time < b.time; });
    account_history past;
    for (auto const& l : all)
      if (auto const found = judge(l, past, {})) out.push_back(alert_text(*found));
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> texts(std::vector<alert> const& alerts) {
  std::vector<std::string> out;
  for (auto const& a : alerts) out.push_back(alert_text(a));
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

TEST_CASE("the frauds that were planted are all the rules find") {
  for (std::uint64_t const seed : {1U, 2U, 3U, 42U}) {
    scenario s;
    s.seed = seed;
    s.every = 100;
    login_generator g(s);
    auto const logins = make(g, 100'000);
    auto const planted = texts(g.frauds());
    CHECK(planted.size() > 300);
    CHECK(std::count_if(planted.begin(), planted.end(), [](auto const& t) { return t.find("travel") != std::string::npos; }) > 150);
    CHECK(found_in(logins) == planted);
  }
}

TEST_CASE("the same scenario gives the same logins, another seed others") {
  scenario s;
  login_generator a(s), b(s);
  auto const logins = make(a, 10'000);
  CHECK(logins == make(b, 10'000));
  s.seed = 43;
  login_generator c(s);
  CHECK_FALSE(logins == make(c, 10'000));
}

TEST_CASE("logins arrive out of order, by no more than the scenario says") {
  for (std::int64_t const disorder : {std::int64_t(0), std::int64_t(5'000'000'000)}) {
    scenario s;
    s.disorder = disorder;
    login_generator g(s);
    weir::instant newest = s.start;
    std::int64_t worst = 0;
    for (auto const& l : make(g, 50'000)) {
      CHECK(l.time % 1'000'000 == 0);
      newest = std::max(newest, l.time);
      worst = std::max(worst, newest - l.time);
    }
    CHECK(worst <= disorder);
    CHECK((worst > disorder / 2 || disorder == 0));
  }
}

TEST_CASE("logins come at the rate of the scenario, from places on the Earth") {
  scenario s;
  s.rate = 100;
  login_generator g(s);
  auto const logins = make(g, 100'000);
  double const seconds = static_cast<double>(logins.back().time - s.start) / 1e9;
  CHECK(100'000 / seconds == Approx(100).epsilon(0.1));
  for (auto const& l : logins) {
    CHECK((l.from.latitude >= -90 && l.from.latitude <= 90));
    CHECK((l.from.longitude >= -180 && l.from.longitude <= 180));
  }
}

TEST_CASE("even one account has its logins") {
  scenario s;
  s.accounts = 1;
  s.every = 1;
  login_generator g(s);
  auto const logins = make(g, 200);
  CHECK(found_in(logins) == texts(g.frauds()));
}

TEST_CASE("a scenario that cannot be is refused") {
  auto const refused = [](auto change) {
    scenario s;
    change(s);
    CHECK_THROWS_AS(login_generator(s), std::invalid_argument);
  };
  refused([](scenario& s) { s.accounts = 0; });
  refused([](scenario& s) { s.accounts = 1'000'001; });
  refused([](scenario& s) { s.rate = 0; });
  refused([](scenario& s) { s.rate = 1'000'001; });
  refused([](scenario& s) { s.every = 0; });
  refused([](scenario& s) { s.disorder = -1; });
}
