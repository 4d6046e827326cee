#pragma once
#include <weir/kinesis/lease_write.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weir::test {

/// A lease table in memory. What a write needs to find is written down here once more, as the table of conditions of KCL has it, and not
/// taken from the product.
class lease_fake {
public:
  std::optional<kinesis::lease> at(std::string const& key) const {
    auto const found = rows_.find(key);
    if (found == rows_.end()) return std::nullopt;
    return found->second;
  }
  std::vector<kinesis::lease> all() const {
    std::vector<kinesis::lease> out;
    for (auto const& [key, l] : rows_) out.push_back(l);
    return out;
  }
  void put(kinesis::lease l) { rows_.insert_or_assign(l.key, std::move(l)); }
  void drop(std::string const& key) { rows_.erase(key); }
  /// False: the condition does not hold.
  bool write(kinesis::lease_write const& w) {
    using kind = kinesis::lease_write_kind;
    auto const found = rows_.find(w.key());
    if (w.what() == kind::create) return rows_.emplace(w.key(), w.before()).second;
    if (found == rows_.end()) return false;
    kinesis::lease& row = found->second;
    if (row.counter != w.before().counter) return false;
    bool const mine = row.owner == w.worker(), i_finish = row.checkpoint_owner == w.worker(),
               nobody_finishes = row.checkpoint_owner.empty();
    bool const may_go_on = w.before().checkpoint_owner.empty() ? mine && nobody_finishes : i_finish;
    kinesis::lease const before = row;
    switch (w.what()) {
      case kind::renew:
        if (!may_go_on) return false;
        break;
      case kind::checkpoint:
        if (!may_go_on) return false;
        row.checkpoint = w.to();
        row.owner_switches = 0;
        if (!w.children().empty()) row.children = w.children();
        break;
      case kind::take:
        if (row.owner != w.before().owner) return false;
        if (!before.owner.empty() && before.owner != w.worker()) ++row.owner_switches;
        row.owner = w.worker();
        row.checkpoint_owner.clear();
        break;
      case kind::ask_for:
        if (row.owner != w.before().owner || !nobody_finishes) return false;
        ++row.owner_switches;
        row.checkpoint_owner = row.owner;
        row.owner = w.worker();
        return true;  // it is not counted
      case kind::hand_over:
        if (!i_finish) return false;
        row.checkpoint_owner.clear();
        break;
      case kind::evict:
        if (!mine || row.checkpoint_owner != w.before().checkpoint_owner) return false;
        row.checkpoint_owner.clear();
        break;
      case kind::let_go:
        if (!mine) return false;
        row.owner.clear();
        break;
      default:
        if (!row.checkpoint.ended()) return false;
        rows_.erase(found);
        return true;
    }
    ++row.counter;
    return true;
  }

private:
  std::map<std::string, kinesis::lease> rows_;
};

}  // namespace weir::test
