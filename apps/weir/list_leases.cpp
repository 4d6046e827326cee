#include "kinesis_commands.hpp"

#ifdef WEIR_HAS_KINESIS
#include "text.hpp"

#include <weir/dynamodb/client.hpp>
#include <weir/error.hpp>
#include <weir/kinesis/lease_row.hpp>
#include <command_line/complain.hpp>
#include <command_line/event_loop.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace kinesis_tool {
namespace {

using state_tool::name_text;
using state_tool::table;
using weir::dynamodb::item;
using weir::kinesis::lease;
using weir::kinesis::lease_row_fault;

std::string text_of(item const& row, char const* name) {
  auto const* const value = weir::dynamodb::find(row, name);
  std::string const* const text = value ? value->as_string() : nullptr;
  return text ? *text : std::string();
}

std::string key_of(item const& row) { return text_of(row, "leaseKey"); }

weir::task<std::vector<item>> rows_of(weir::dynamodb::client calls, std::string name) {
  std::vector<item> out;
  weir::dynamodb::scan_request r(name);
  do {
    weir::dynamodb::page page = co_await calls.scan(r);
    std::move(page.items.begin(), page.items.end(), std::back_inserter(out));
    r.from = std::move(page.next);
  } while (!r.from.empty());
  std::sort(out.begin(), out.end(), [](item const& a, item const& b) { return key_of(a) < key_of(b); });
  co_return out;
}

std::string joined(std::set<std::string> const& ids) { return fmt::format("{}", fmt::join(ids, " ")); }

std::string checkpoint_of(lease const& l) {
  std::string out = l.checkpoint.text();
  if (l.checkpoint.sub() != 0) out += fmt::format(".{}", l.checkpoint.sub());
  return out;
}

// While a lease is handed over, its old worker finishes.
std::string owner_of(lease const& l) {
  if (l.checkpoint_owner.empty()) return l.owner.empty() ? "nobody" : name_text(l.owner);
  return fmt::format("{}, from {}", name_text(l.owner), name_text(l.checkpoint_owner));
}

class listing {
public:
  listing(std::string table_name, bool json) : table_(std::move(table_name)), json_(json) {}

  void add(item const& row) {
    auto const found = weir::kinesis::read_lease(row);
    if (found) add_lease(*found);
    else if (found.error() == lease_row_fault::other_entity) add_other(key_of(row), text_of(row, "entityType"));
    else add_damaged(key_of(row), std::string(to_string(found.error())));
  }
  void print() const {
    if (json_) return;
    if (leases_shown_) leases_.print();
    if (others_shown_) others_.print();
  }
  bool is_sound() const noexcept { return sound_; }

private:
  using side = table::side;
  void add_lease(lease const& l) {
    leases_shown_ = true;
    if (!json_) {
      leases_.add({name_text(l.key), owner_of(l), std::to_string(l.counter), std::to_string(l.owner_switches), checkpoint_of(l),
                   joined(l.parents)});
      return;
    }
    state_tool::json_line line;
    line.add("shard", l.key).add("owner", l.owner).add("checkpoint_owner", l.checkpoint_owner).add("counter", l.counter);
    line.add("owner_switches", l.owner_switches).add("checkpoint", l.checkpoint.text()).add("sub_sequence_number", l.checkpoint.sub());
    line.add("parents", joined(l.parents)).add("children", joined(l.children)).print();
  }
  void add_other(std::string const& key, std::string const& type) {
    others_shown_ = true;
    if (json_) state_tool::json_line().add("row", key).add("entity_type", type).print();
    else others_.add({name_text(key), name_text(type)});
  }
  void add_damaged(std::string const& key, std::string const& why) {
    sound_ = false;
    leases_shown_ = true;
    command_line::complain("weir",
                           fmt::format("lease table {}: {} cannot be read: {}", table_, key.empty() ? "a row" : name_text(key), why));
    if (json_) state_tool::json_line().add("shard", key).add("problem", why).print();
    else leases_.add({name_text(key), "DAMAGED"});
  }

  std::string table_;
  bool json_, sound_ = true, leases_shown_ = false, others_shown_ = false;
  table leases_{{{"SHARD"}, {"OWNER"}, {"COUNTER", side::right}, {"SWITCHES", side::right}, {"CHECKPOINT"}, {"PARENTS"}}};
  table others_{{{"OTHER ROW"}, {"ENTITY TYPE"}}};
};

[[noreturn]] void refuse(std::string const& name) {
  throw weir::error(weir::errc::not_found, "weir: cannot show the leases", "there is no such table",
                    "give the application's name, in its region; its first worker makes the table")
      .with_detail("table " + name);
}

}  // namespace

int leases(options const& o) {
  weir::dynamodb::client_options how;
  how.where.url = o.where.endpoint;
  how.where.region = o.where.region;
  weir::dynamodb::client const calls(std::move(how));
  command_line::event_loop loop;
  auto const found = loop.run(calls.describe_table(o.where.stream));
  if (!found) refuse(o.where.stream);
  if (found->hash.name != "leaseKey") {
    throw weir::error(weir::errc::incompatible, "weir: cannot show the leases", "the table's key is " + found->hash.name + ", not leaseKey",
                      "it is no lease table; give the name of the application")
        .with_detail("table " + o.where.stream);
  }
  std::vector<item> const rows = loop.run(rows_of(calls, o.where.stream));
  if (rows.empty()) fmt::print(stderr, "no leases in {}\n", o.where.stream);
  listing all(o.where.stream, o.json);
  for (item const& row : rows) all.add(row);
  all.print();
  return all.is_sound() ? 0 : 1;
}

}  // namespace kinesis_tool
#endif
