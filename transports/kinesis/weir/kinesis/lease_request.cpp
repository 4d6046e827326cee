#include <weir/kinesis/lease_request.hpp>

#include <weir/kinesis/detail/lease_attributes.hpp>
#include <weir/kinesis/lease_row.hpp>

#include <utility>

namespace weir::kinesis {
namespace {

using dynamodb::attribute_value;
using dynamodb::item;
using kind = lease_write_kind;

item key_of(lease_write const& w) { return {{detail::lease_key, attribute_value::string(w.key())}}; }

// Collects the parts of the expressions.
class row_update {
public:
  row_update(lease_write const& w, std::string const& table) : out_(table, key_of(w)) {
    is(detail::lease_counter, attribute_value::number(w.before().counter));
  }
  void is(char const* attribute, attribute_value v) {
    if (!out_.condition.empty()) out_.condition += " AND ";
    out_.condition += name(attribute) + " = " + value(std::move(v));
  }
  void is_text_or_absent(char const* attribute, std::string const& text) {
    if (!text.empty()) return is(attribute, attribute_value::string(text));
    out_.condition += " AND attribute_not_exists(" + name(attribute) + ')';
  }
  void set(char const* attribute, attribute_value v) {
    set_ += (set_.empty() ? "SET " : ", ") + name(attribute) + " = " + value(std::move(v));
  }
  void remove(char const* attribute) { remove_ += (remove_.empty() ? " REMOVE " : ", ") + name(attribute); }
  dynamodb::update_request take() && {
    out_.update = set_ + remove_;
    return std::move(out_);
  }

private:
  // Each has a placeholder: which names are reserved is a long list of DynamoDB.
  std::string name(char const* attribute) {
    out_.with.name(std::string("#") + attribute, attribute);
    return std::string("#") + attribute;
  }
  std::string value(attribute_value v) {
    std::string placeholder = ":v" + std::to_string(out_.with.values.size());
    out_.with.value(placeholder, std::move(v));
    return placeholder;
  }

  dynamodb::update_request out_;
  std::string set_, remove_;
};

// Who may: the checkpoint owner, if there is one, else the owner.
void is_worker(row_update& to, lease_write const& w) {
  if (w.before().checkpoint_owner.empty()) {
    to.is(detail::lease_owner, attribute_value::string(w.worker()));
    to.is_text_or_absent(detail::checkpoint_owner, "");
  } else {
    to.is(detail::checkpoint_owner, attribute_value::string(w.worker()));
  }
}

void put_conditions(row_update& to, lease_write const& w) {
  switch (w.what()) {
    case kind::renew:
    case kind::checkpoint: return is_worker(to, w);
    case kind::hand_over: return to.is(detail::checkpoint_owner, attribute_value::string(w.worker()));
    case kind::let_go: return to.is(detail::lease_owner, attribute_value::string(w.worker()));
    default:  // whoever writes saw who they are
      to.is_text_or_absent(detail::lease_owner, w.before().owner);
      to.is_text_or_absent(detail::checkpoint_owner, w.before().checkpoint_owner);
  }
}

void put_checkpoint(row_update& to, lease const& after) {
  to.set(detail::checkpoint, attribute_value::string(after.checkpoint.text()));
  to.set(detail::checkpoint_sub, attribute_value::number(after.checkpoint.sub()));
  to.remove(detail::pending_checkpoint);
  to.remove(detail::pending_checkpoint_sub);
  to.remove(detail::pending_checkpoint_state);
  if (!after.children.empty()) to.set(detail::child_shards, attribute_value::string_set(after.children));
}

dynamodb::update_request update_of(lease_write const& w, std::string const& table) {
  row_update out(w, table);
  put_conditions(out, w);
  lease const after = w.after();
  out.set(detail::lease_counter, attribute_value::number(after.counter));
  if (after.owner_switches != w.before().owner_switches || w.what() == kind::checkpoint)
    out.set(detail::owner_switches, attribute_value::number(after.owner_switches));
  if (w.what() == kind::checkpoint) put_checkpoint(out, after);
  if (after.owner != w.before().owner) {
    if (after.owner.empty()) out.remove(detail::lease_owner);
    else out.set(detail::lease_owner, attribute_value::string(after.owner));
  }
  if (after.checkpoint_owner != w.before().checkpoint_owner) {
    if (after.checkpoint_owner.empty()) out.remove(detail::checkpoint_owner);
    else out.set(detail::checkpoint_owner, attribute_value::string(after.checkpoint_owner));
  }
  return std::move(out).take();
}

}  // namespace

lease_request to_request(lease_write const& w, std::string const& table) {
  if (w.what() == kind::create) {
    dynamodb::put_request out(table, write_lease(w.before()));
    out.condition = std::string("attribute_not_exists(") + detail::lease_key + ')';
    return out;
  }
  if (w.what() == kind::erase) {
    dynamodb::delete_request out(table, key_of(w));
    out.condition = "#counter = :counter AND #checkpoint = :end";
    out.with.name("#counter", detail::lease_counter).name("#checkpoint", detail::checkpoint);
    out.with.value(":counter", attribute_value::number(w.before().counter)).value(":end", attribute_value::string("SHARD_END"));
    return out;
  }
  return update_of(w, table);
}

}  // namespace weir::kinesis
