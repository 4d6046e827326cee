#include <weir/kinesis/lease_row.hpp>

#include <weir/error.hpp>
#include <weir/kinesis/detail/lease_attributes.hpp>

#include <utility>

namespace weir::kinesis {
namespace {

using dynamodb::attribute_value;
using dynamodb::item;
using fault = lease_row_fault;

// Takes attributes out of a copy of the row; what is left is not known here.
class row_reader {
public:
  explicit row_reader(item row) : rest_(std::move(row)) {}

  // Absent, NULL and of the wrong type differ: the last is a fault.
  std::optional<attribute_value> take(char const* name) {
    auto found = rest_.extract(name);
    if (found.empty() || found.mapped().is_null()) return std::nullopt;
    return std::move(found.mapped());
  }
  std::string text(char const* name) {
    auto const value = take(name);
    if (!value) return {};
    if (std::string const* const t = value->as_string()) return *t;
    wrong_ = true;
    return {};
  }
  std::set<std::string> texts(char const* name) {
    auto const value = take(name);
    if (!value) return {};
    if (auto const* const all = value->as_string_set()) return *all;
    wrong_ = true;
    return {};
  }
  // Null: absent, or no whole number.
  std::optional<std::uint64_t> number(char const* name) {
    auto const value = take(name);
    return value ? value->as_unsigned() : std::nullopt;
  }
  void put_back(char const* name, attribute_value v) { rest_.insert_or_assign(name, std::move(v)); }
  bool has(char const* name) const { return rest_.contains(name); }
  void set_wrong() noexcept { wrong_ = true; }
  bool wrong() const noexcept { return wrong_; }
  item rest() && { return std::move(rest_); }

private:
  item rest_;
  bool wrong_ = false;
};

// Null: it is none.
std::optional<lease_checkpoint> take_checkpoint(row_reader& from, char const* name, char const* sub_name) {
  std::string const text = from.text(name);
  bool const has_sub = from.has(sub_name);
  auto const sub = from.number(sub_name);
  if (has_sub && !sub) return std::nullopt;
  return lease_checkpoint::parse(text, sub.value_or(0));
}

}  // namespace

std::string_view to_string(lease_row_fault f) noexcept {
  switch (f) {
    case fault::other_entity: return "it is no lease by its entityType";
    case fault::no_key: return "it has no leaseKey";
    case fault::bad_counter: return "its leaseCounter is no whole number";
    case fault::bad_checkpoint: return "its checkpoint is neither a word nor a sequence number";
    case fault::bad_hash_range: return "its hash keys are no range";
    case fault::wrong_type: break;
  }
  return "an attribute of it is of another type than KCL gives it";
}

void throw_exception_from_error(lease_row_fault f, boost::source_location const&) {
  throw error(weir::errc::corrupt, "kinesis: cannot read a lease", std::string(to_string(f)), "is it the lease table of this application?");
}

boost::system::result<lease, lease_row_fault> read_lease(item const& row) {
  if (auto const* const type = dynamodb::find(row, detail::entity_type)) {
    std::string const* const text = type->as_string();
    if (text && *text != detail::entity_lease) return fault::other_entity;
  }
  row_reader from(row);
  lease out;
  out.key = from.text(detail::lease_key);
  if (out.key.empty()) return fault::no_key;
  out.owner = from.text(detail::lease_owner);
  out.checkpoint_owner = from.text(detail::checkpoint_owner);
  auto const counter = from.number(detail::lease_counter);
  if (!counter) return fault::bad_counter;
  out.counter = *counter;
  out.owner_switches = from.number(detail::owner_switches).value_or(0);
  auto const at = take_checkpoint(from, detail::checkpoint, detail::checkpoint_sub);
  if (!at) return fault::bad_checkpoint;
  out.checkpoint = *at;
  if (from.has(detail::pending_checkpoint)) {
    out.pending = take_checkpoint(from, detail::pending_checkpoint, detail::pending_checkpoint_sub);
    if (!out.pending) return fault::bad_checkpoint;
  }
  if (auto const state = from.take(detail::pending_checkpoint_state)) {
    // KCL has written the sub-sequence number in its place, which is left as it is.
    if (auto const* const bytes = state->as_binary()) out.pending_state = *bytes;
    else from.put_back(detail::pending_checkpoint_state, *state);
  }
  out.parents = from.texts(detail::parent_shards);
  out.children = from.texts(detail::child_shards);
  if (from.has(detail::first_hash_key) || from.has(detail::last_hash_key)) {
    auto const first = hash_key::parse(from.text(detail::first_hash_key)), last = hash_key::parse(from.text(detail::last_hash_key));
    if (!first || !last || *last < *first) return fault::bad_hash_range;
    out.keys = hash_key_range{*first, *last};
  }
  if (auto const measured = from.take(detail::throughput)) {
    if (std::string const* const digits = measured->as_number()) out.throughput_kbps = *digits;
    else from.set_wrong();
  }
  if (from.wrong()) return fault::wrong_type;
  out.others = std::move(from).rest();
  return out;
}

item write_lease(lease const& l) {
  item out = l.others;
  auto const put = [&out](char const* name, attribute_value v) { out.insert_or_assign(name, std::move(v)); };
  put(detail::lease_key, attribute_value::string(l.key));
  put(detail::lease_counter, attribute_value::number(l.counter));
  put(detail::owner_switches, attribute_value::number(l.owner_switches));
  put(detail::checkpoint, attribute_value::string(l.checkpoint.text()));
  put(detail::checkpoint_sub, attribute_value::number(l.checkpoint.sub()));
  if (!l.owner.empty()) put(detail::lease_owner, attribute_value::string(l.owner));
  if (!l.checkpoint_owner.empty()) put(detail::checkpoint_owner, attribute_value::string(l.checkpoint_owner));
  if (l.pending) {
    put(detail::pending_checkpoint, attribute_value::string(l.pending->text()));
    put(detail::pending_checkpoint_sub, attribute_value::number(l.pending->sub()));
  }
  if (!l.pending_state.empty()) put(detail::pending_checkpoint_state, attribute_value::binary(l.pending_state));
  if (!l.parents.empty()) put(detail::parent_shards, attribute_value::string_set(l.parents));
  if (!l.children.empty()) put(detail::child_shards, attribute_value::string_set(l.children));
  if (l.keys) {
    put(detail::first_hash_key, attribute_value::string(l.keys->first.text()));
    put(detail::last_hash_key, attribute_value::string(l.keys->last.text()));
  }
  if (l.throughput_kbps) put(detail::throughput, attribute_value::number(*l.throughput_kbps));
  return out;
}

}  // namespace weir::kinesis
