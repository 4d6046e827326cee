#include <weir/postgres/detail/net_changes.hpp>

#include "conformance/state_store_conformance.hpp"

#include <random>

using namespace weir;
using namespace weir::test;
using postgres::detail::end_of_prefix;
using postgres::detail::net_changes;

TEST_CASE("the end of a prefix is above all that begin with it, and nothing else is below", "[postgres]") {
  CHECK(end_of_prefix("a") == "b");
  CHECK(end_of_prefix("ab") == "ac");
  CHECK(end_of_prefix("a\xff") == "b");
  CHECK(end_of_prefix("a\xff\xff") == "b");
  CHECK(end_of_prefix("\x7f") == "\x80");
  CHECK(end_of_prefix("\xfe") == "\xff");
  CHECK(end_of_prefix(std::string(1, '\0')) == "\1");
  CHECK(end_of_prefix("") == "");
  CHECK(end_of_prefix("\xff\xff") == "");
}

TEST_CASE("changes come to the same when prefixes go first, then single entries, then what is put", "[postgres]") {
  std::mt19937 dice(11);
  auto const any = [&](unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(dice); };
  auto const some = [&] {
    std::string k;
    for (unsigned length = any(4); length != 0; --length) k += static_cast<char>(any(2) == 0 ? 'a' : '\xff');
    return k;
  };
  for (int round = 0; round != 2000; ++round) {
    expected_entries in_order, by_kind;
    std::vector<state_change> before, changes;
    for (unsigned n = any(10); n != 0; --n) before.push_back(put(some(), some(), std::to_string(any(100))));
    for (unsigned n = any(12); n != 0; --n) switch (any(3)) {
        case 0: changes.push_back(put(some(), some(), std::to_string(any(100)))); break;
        case 1: changes.push_back(state_change::erase(some(), some())); break;
        default: changes.push_back(state_change::erase_prefix(some(), some())); break;
      }
    in_order.take(before);
    in_order.take(changes);
    net_changes const net(changes);
    std::vector<state_change> regrouped;
    for (auto const& [id, key] : net.prefixes) regrouped.push_back(state_change::erase_prefix(std::string(id), std::string(key)));
    for (auto const& [id, key] : net.erased) regrouped.push_back(state_change::erase(std::string(id), std::string(key)));
    std::map<std::pair<std::string, std::string>, int> named;
    for (auto const* e : net.put) {
      regrouped.push_back(state_change::put(e->operator_id, e->key, e->value));
      ++named[{e->operator_id, e->key}];
    }
    for (auto const& [id, key] : net.erased) ++named[{std::string(id), std::string(key)}];
    for (auto const& [name, times] : named) CHECK(times == 1);
    by_kind.take(before);
    by_kind.take(regrouped);
    CHECK(by_kind.all() == in_order.all());
  }
}
