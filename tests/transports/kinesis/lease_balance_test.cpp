#include <weir/kinesis/lease_balance.hpp>

#include "support/catch.hpp"

#include <random>
#include <string>
#include <vector>

using namespace weir;
using kinesis::choose_leases;
using kinesis::lease;
using kinesis::lease_choice;
using kinesis::lease_options;
using kinesis::lease_sight;

namespace {

// "me", of leases that are held as the letters say: "aab.": two by a, one by b, one by nobody.
lease_choice chosen(std::string const& held, lease_options const& o = {}, std::string const& draining = "") {
  static std::vector<lease> leases;
  leases.assign(held.size(), lease());
  std::vector<lease_sight> sights;
  for (std::size_t i = 0; i != held.size(); ++i) {
    leases[i].key = std::to_string(i);
    leases[i].owner = held[i] == '.' ? "" : std::string(1, held[i]);
    if (draining.find(static_cast<char>('0' + i)) != std::string::npos) leases[i].checkpoint_owner = "x";
    sights.emplace_back(&leases[i], leases[i].owner);
  }
  std::mt19937_64 dice(1);
  return choose_leases("m", sights, o, dice);
}

}  // namespace

TEST_CASE("a worker takes its share of what is free, rounded up", "[kinesis][lease]") {
  CHECK(chosen("").take.empty());
  CHECK(chosen("....").take.size() == 4);     // alone
  CHECK(chosen("aa..").take.size() == 2);     // 4 by 2
  CHECK(chosen("aaab...").take.size() == 3);  // 7 by 3 is 3
  CHECK(chosen("ab.").take.size() == 1);      // 3 by 3
  CHECK(chosen("aabbmm.").take.size() == 1);  // 7 by 3 is 3
  CHECK(chosen("aabbmm.").steal.empty());
  CHECK(chosen("abmm..").take.empty());  // 6 by 3 is 2, and it has 2
  CHECK(chosen("....", {.most_leases = 1}).take.size() == 1);
}

TEST_CASE("a worker steals from who has most, only when nothing is free, and until the difference is one", "[kinesis][lease]") {
  auto const from = [](lease_choice const& c) {
    std::string out;
    for (lease const* l : c.steal) out += l->owner;
    return out;
  };
  CHECK(from(chosen("aaab")) == "a");
  CHECK(from(chosen("aaaabb")) == "a");
  CHECK(chosen("aaab.").steal.empty());
  CHECK(from(chosen("abm")).empty());
  CHECK(from(chosen("aabbm")).empty());           // 2, 2, 1
  CHECK(from(chosen("aaabbbcccm")).size() == 1);  // 10 by 4 is 3: nobody has more than that, but 3, 3, 3, 1 becomes 2, 3, 3, 2
  CHECK(from(chosen("aaaaaaaaaa", {.most_stolen = 3})) == "aaa");
  CHECK(from(chosen("aaaaaaaaaa", {.most_stolen = 9})) == "aaaaa");
  CHECK(from(chosen("aaaam", {.most_leases = 1})).empty());
}

TEST_CASE("a lease that is being handed over is not stolen again", "[kinesis][lease]") {
  CHECK(chosen("aaa", {}, "012").steal.empty());
  auto const c = chosen("aaa", {}, "02");
  REQUIRE(c.steal.size() == 1);
  CHECK(c.steal[0]->key == "1");
}
