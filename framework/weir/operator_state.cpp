#include <weir/operator_state.hpp>

#include <weir/detail/kept_schemas.hpp>
#include <weir/detail/owned_bytes.hpp>
#include <weir/error.hpp>
#include <weir/schema_id.hpp>

#include <algorithm>
#include <iterator>

namespace weir {
namespace {

bool contains(std::vector<std::string> const& ids, std::string_view id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }
std::string next_of(std::string_view kind, std::vector<std::string> const& ids) {
  std::string id(kind);
  for (int n = 2; contains(ids, id); ++n) id = std::string(kind) + " " + std::to_string(n);
  return id;
}

}  // namespace

std::size_t detail::memory_of(state_change const& c) noexcept {
  return sizeof(c) + owned_bytes(c.entry.operator_id) + owned_bytes(c.entry.key) + owned_bytes(c.entry.value);
}

void state_writer::add(state_change c) {
  to_->changes_memory_ += detail::memory_of(c);
  to_->all_.push_back(std::move(c));
}
void state_writer::schema(std::string text) { to_->schemas_.emplace_back(id_, std::move(text)); }

state_writer state_changes::of(std::string_view operator_id) {
  if (contains(ids_, operator_id)) {
    throw error(errc::misuse, "checkpoint: cannot be made", "two operators with state are called \"" + std::string(operator_id) + '"',
                "give one of them another name: .named(\"...\")");
  }
  ids_.emplace_back(operator_id);
  return {operator_id, *this};
}

// It is found again by its place among others of its kind, which need not be there.
state_writer state_changes::of_next(std::string_view kind) {
  std::string const id = next_of(kind, ids_);
  stays(id);
  return of(id);
}

void state_changes::add(std::string_view prefix, state_changes&& branch) {
  for (std::string& id : branch.ids_) ids_.push_back(std::string(prefix) + id);
  for (state_change& c : branch.all_) {
    c.entry.operator_id.insert(0, prefix);
    all_.push_back(std::move(c));
  }
  for (std::string& id : branch.staying_) staying_.push_back(std::string(prefix) + id);
  for (operator_schema& s : branch.schemas_) {
    s.operator_id.insert(0, prefix);
    schemas_.push_back(std::move(s));
  }
  for (auto& w : branch.writes_) writes_.push_back(std::move(w));
  changes_memory_ += branch.changes_memory_;
  writes_memory_ += branch.writes_memory_;
  branch = state_changes();
}

restored_state::restored_state(std::vector<state_entry> entries, std::string pipeline, committed_entries const* all)
    : pipeline_(std::move(pipeline)), entries_(std::move(entries)), all_(all) {
  auto const [first, end] = std::ranges::equal_range(entries_, schema_id, {}, &state_entry::operator_id);
  std::ranges::transform(first, end, std::back_inserter(schemas_), detail::schema_in);
  entries_.erase(first, end);
}

std::span<state_entry const> restored_state::take(std::string_view operator_id) {
  taken_.emplace_back(operator_id);
  auto const [first, last] = std::equal_range(entries_.begin(), entries_.end(), operator_id, [](auto const& a, auto const& b) {
    auto const id = [](auto const& x) -> std::string_view {
      if constexpr (requires { x.operator_id; }) return x.operator_id;
      else return x;
    };
    return id(a) < id(b);
  });
  return {first, last};
}

std::span<state_entry const> restored_state::take(std::string_view operator_id, std::string_view schema) {
  std::span<state_entry const> const entries = take(operator_id);
  if (entries.empty()) return entries;
  auto const kept = std::ranges::find(schemas_, operator_id, &operator_schema::operator_id);
  if (kept != schemas_.end() && kept->text != schema) throw_other_schema(*kept, schema);
  return entries;
}

std::span<state_entry const> restored_state::take_next(std::string_view kind, std::string_view schema) {
  return take(next_of(kind, taken_), schema);
}

void restored_state::throw_other_schema(operator_schema const& kept, std::string_view now) const {
  error e(errc::incompatible, "checkpoint: cannot restore",
          "the state of the operator \"" + line_ + kept.operator_id + "\" was kept as `" + kept.text + "`, and the pipeline keeps it as `" +
              std::string(now) + '`',
          "register a migration (pipeline.use_migration), drop all state and read again from an earlier position (weir state rewind "
          "--drop-state), or give the pipeline another name, under which it begins from the start");
  if (!pipeline_.empty()) e.with_detail("pipeline " + pipeline_);
  throw e;
}

restored_state& restored_state::branch(std::string_view prefix, std::uint64_t family) {
  restored_state& b = branches_.emplace_back();
  b.pipeline_ = pipeline_;
  b.line_ = line_ + std::string(prefix);
  b.family_ = family;
  b.all_ = all_;
  b.root_ = &root();
  for (state_entry const& e : entries_) {
    if (!e.operator_id.starts_with(prefix)) continue;
    if (!contains(taken_, e.operator_id)) taken_.push_back(e.operator_id);
    b.entries_.emplace_back(e.operator_id.substr(prefix.size()), e.key, e.value);
  }
  for (operator_schema const& s : schemas_)
    if (s.operator_id.starts_with(prefix)) b.schemas_.emplace_back(s.operator_id.substr(prefix.size()), s.text);
  for (restored_state* const p : predecessors_) {
    restored_state& part = p->branch(prefix, family);
    part.heir_ = p->heir_;
    b.predecessors_.push_back(&part);
  }
  return b;
}

void restored_state::add_predecessor(std::vector<state_entry> entries, std::shared_ptr<heir const> by) {
  restored_state& p = own_predecessors_.emplace_back(std::move(entries), pipeline_, all_);
  p.heir_ = std::move(by);
  predecessors_.push_back(&p);
}

void restored_state::check_all_taken() const {
  for (restored_state const& b : branches_) b.check_all_taken();
  for (restored_state const& p : own_predecessors_) p.check_all_taken();
  for (state_entry const& e : entries_) {
    if (contains(taken_, e.operator_id)) continue;
    throw error(errc::incompatible, "checkpoint: cannot restore",
                "it has state of an operator called \"" + line_ + e.operator_id + "\", and the pipeline has none of that name",
                "give the operator its old name back, or erase the checkpoint to begin from the start");
  }
}

std::span<std::byte const> detail::whole_state(std::span<state_entry const> entries) {
  if (entries.size() == 1 && entries[0].key.empty()) return entries[0].value;
  throw error(
      errc::corrupt, "checkpoint: cannot restore",
      "the state of \"" + entries[0].operator_id + "\" has " + std::to_string(entries.size()) + " entries instead of one without a key");
}

void detail::throw_stays(std::string_view operator_id) {
  throw error(errc::misuse, "checkpoint: state cannot be handed over",
              "the operator \"" + std::string(operator_id) +
                  "\" keeps some for a partition that has ended and goes on in others, and what it keeps cannot be divided by keys",
              "the state is kept as it is; put an operator with a key in its place, or drop it (weir state erase)");
}

}  // namespace weir
