#include <weir/migration.hpp>

#include <weir/detail/checkpoint_parts.hpp>
#include <weir/detail/failure_parts.hpp>
#include <weir/error.hpp>

#include <exception>
#include <optional>

namespace weir {
namespace {

using detail::value_section;

[[noreturn]] void throw_alike(std::string const& operator_id, std::string const& schema) {
  throw error(errc::invalid_pipeline, "migration: cannot be used",
              "of the operator \"" + operator_id + "\" it makes `" + schema + "` of the same, so that nothing tells whether it has run",
              "give the codec of one of the two types another schema()");
}

// Runs user code on the state of an operator.
template <class F> void change_state(std::string const& text, F change) {
  std::exception_ptr failure;
  try {
    change();
  } catch (...) {
    failure = std::current_exception();
  }
  if (!failure) return;
  throw error(detail::code_of(failure, errc::incompatible), "migration: cannot change a checkpoint", detail::reason_of(failure),
              "the checkpoint is as it was: correct the migration, or run the program that wrote it")
      .with_detail(text);
}

// The values of one entry.
std::vector<std::byte> with_values_changed(detail::value_change const& c, value_section const& s, std::span<std::byte const> from) {
  std::span<std::byte const> rest = from;
  if (s.kept == value_section::where::row_behind_key) c.skip_key(rest);
  if (s.at > rest.size()) throw error(errc::corrupt, "an entry is shorter than its schema says");
  rest = rest.subspan(s.at);
  std::span<std::byte const> const front = from.first(from.size() - rest.size());
  std::vector<std::byte> to(front.begin(), front.end());
  if (s.kept == value_section::where::row_repeated) {
    while (!rest.empty()) c.one(rest, to);
  } else {
    c.one(rest, to);
    to.insert(to.end(), rest.begin(), rest.end());
  }
  return to;
}

void change_values(detail::value_change const& c, value_section const& s, operator_entries& entries) {
  if (s.kept == value_section::where::row_behind_key && !c.skip_key) {
    throw error(errc::misuse, "its values are kept behind the key, whose type is not known", "",
                "name it: migrate_rows<Old, New, Key>(...)");
  }
  for (auto& [key, value] : entries)
    if (s.kept == value_section::where::whole || !key.empty()) value = with_values_changed(c, s, value);
}

std::string between(std::string const& operator_id, std::string const& from, std::string const& to) {
  return "operator " + operator_id + ", from `" + from + "` to `" + to + '`';
}

}  // namespace

migration::migration(std::string operator_id, std::string from, std::string to, std::function<void(operator_entries&)> change)
    : text_(between(operator_id, from, to)) {
  if (from == to) throw_alike(operator_id, to);
  step_ = [text = text_, id = std::move(operator_id), from = std::move(from), to = std::move(to),
           change = std::move(change)](detail::checkpoint_parts& on) {
    if (on.schema_of(id) != from) return false;
    operator_entries entries = on.entries_of(id);
    change_state(text, [&] { change(entries); });
    on.replace(id, std::move(entries), to);
    return true;
  };
}

bool migration::run(detail::checkpoint_parts& on) const { return step_(on); }

migration rename_operator(std::string from_id, std::string to_id) {
  std::string text = "operator " + from_id + ", which is called " + to_id + " now";
  auto step = [text, from = std::move(from_id), to = std::move(to_id)](detail::checkpoint_parts& on) {
    if (from == to || !on.has(from)) return false;
    if (on.has(to)) {
      throw error(errc::incompatible, "migration: cannot change a checkpoint", "there is state of both",
                  "rename before the pipeline runs with the new name; or erase the state of one, by a migration of its own")
          .with_detail(text);
    }
    operator_entries entries = on.entries_of(from);
    std::optional<std::string> schema = on.schema_of(from);
    on.erase(from);
    on.replace(to, std::move(entries), std::move(schema));
    return true;
  };
  return migration(std::move(text), std::move(step));
}

migration detail::migrate_values(std::string operator_id, value_change change) {
  if (change.from == change.to) throw_alike(operator_id, change.to);
  std::string text = between(operator_id, change.from, change.to);
  auto step = [text, id = std::move(operator_id), c = std::move(change)](checkpoint_parts& on) {
    std::optional<std::string> schema = on.schema_of(id);
    if (!schema) return false;
    std::optional<value_section> const s = find_value_section(*schema, c.from);
    if (!s) return false;
    operator_entries entries = on.entries_of(id);
    change_state(text, [&] { change_values(c, *s, entries); });
    schema->replace(s->begin, s->size, c.to);
    on.replace(id, std::move(entries), std::move(schema));
    return true;
  };
  return migration(std::move(text), std::move(step));
}

}  // namespace weir
