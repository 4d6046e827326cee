#pragma once
#include <weir/state_store.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::dynamodb::detail {

// What the changes of some commits come to, whatever they are made to: first all entries with one of the prefixes go, then each name gets a
// value, or has none.
class state_delta {
public:
  using name = std::pair<std::string, std::string>;  // operator, key

  // Another step behind those that are here.
  void add(state_change c);
  // All of a later one behind this one.
  void add(state_delta later);
  // Nothing comes before it: what it erases need not be remembered.
  void be_first();
  bool empty() const noexcept { return prefixes_.empty() && values_.empty(); }

  std::vector<std::byte> encode() const;
  // Throws errc::corrupt.
  static state_delta decode(std::vector<std::byte> const& bytes);
  // Those that have a value, in order.
  std::vector<state_entry> entries() &&;

private:
  void erase_prefix(name prefix);

  std::vector<name> prefixes_;
  std::map<name, std::optional<std::vector<std::byte>>> values_;
};

}  // namespace weir::dynamodb::detail
