#include "commands.hpp"
#include "difference.hpp"
#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace state_tool {
namespace {

using weir::checkpoint_key;

std::string size_of(weir::state_entry const& e) { return count_text(e.value.size(), "byte", "bytes"); }

std::string in_words(entry_difference const& d) {
  weir::state_entry const& either = d.a ? *d.a : *d.b;
  std::string const which = fmt::format("operator {}, key {}", name_text(either.operator_id), key_text(either.key));
  if (!d.b) return fmt::format("{}: only in A ({})", which, size_of(*d.a));
  if (!d.a) return fmt::format("{}: only in B ({})", which, size_of(*d.b));
  return fmt::format("{}: {} in A, {} in B", which, size_of(*d.a), d.a->value.size() == d.b->value.size() ? "others" : size_of(*d.b));
}

void print_json(checkpoint_key const& key, difference const& found) {
  for (auto const& f : found.fields) json_line().add_key(key).add("differs", f.field).add_bytes("a", f.a).add_bytes("b", f.b).print();
  for (auto const& e : found.entries) {
    weir::state_entry const& either = e.a ? *e.a : *e.b;
    json_line line;
    line.add_key(key).add("differs", "entry").add_bytes("operator", either.operator_id).add_bytes("key", either.key);
    line.add_value("a_bytes", e.a ? std::to_string(e.a->value.size()) : "null");
    line.add_value("b_bytes", e.b ? std::to_string(e.b->value.size()) : "null").print();
  }
}

// False: there is a difference. `shown`: the key it is reported under.
bool compare_one(checkpoint_key const& shown, std::optional<weir::saved_checkpoint> const& a,
                 std::optional<weir::saved_checkpoint> const& b, bool json) {
  if (!a && !b) return true;
  if (!a || !b) {
    std::string const where = a ? "A" : "B";
    if (json) json_line().add_key(shown).add("differs", "checkpoint").add("only_in", a ? "a" : "b").print();
    else fmt::print("{}: only in {} ({})\n", checkpoint_text(shown), where, content_text(a ? *a : *b));
    return false;
  }
  auto const found = compare(*a, *b);
  if (found.empty()) return true;
  if (json) {
    print_json(shown, found);
    return false;
  }
  fmt::print("{}:\n", checkpoint_text(shown));
  for (auto const& f : found.fields) fmt::print("  {}: {} in A, {} in B\n", f.field, name_text(f.a), name_text(f.b));
  for (auto const& e : found.entries) fmt::print("  {}\n", in_words(e));
  return false;
}

int result(std::size_t compared, std::size_t differ, bool json) {
  if (!json)
    fmt::print("{} compared, {}\n", count_text(compared, "checkpoint", "checkpoints"),
               differ == 0 ? "no difference" : count_text(differ, "differs", "differ"));
  return differ == 0 ? 0 : 1;
}

int diff_partitions(opened_store& a, opened_store& b, options const& o) {
  checkpoint_key const key = select_one(a, o.which);
  selection with{key.pipeline, key.stream, o.other_partition};
  checkpoint_key const other = select_one(b, with);
  if (!o.json)
    fmt::print("A: partition {} in {}\nB: partition {} in {}\n", name_text(key.partition), a.name(), name_text(other.partition), b.name());
  return result(1, compare_one(key, a.load(key), b.load(other), o.json) ? 0 : 1, o.json);
}

}  // namespace

int diff(opened_store& a, opened_store& b, options const& o) {
  if (o.other_partition) return diff_partitions(a, b, o);
  auto of_a = a.keys(), of_b = b.keys();
  std::vector<checkpoint_key> all;
  std::set_union(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(all));
  std::erase_if(all, [&](auto const& key) { return !o.which.takes(key); });
  if (all.empty() && !o.which.takes_all()) select_keys(a, o.which);  // says that there is none, and which there are
  if (!o.json) fmt::print("A: {}\nB: {}\n", a.name(), b.name());
  std::size_t differ = 0;
  for (auto const& key : all) differ += compare_one(key, a.load(key), b.load(key), o.json) ? 0 : 1;
  return result(all.size(), differ, o.json);
}

}  // namespace state_tool
