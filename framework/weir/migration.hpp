#pragma once
#include <weir/codec.hpp>
#include <weir/detail/value_section.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {

namespace detail {
class checkpoint_parts;
}

/// What an operator keeps, by key, while a migration changes it: it may put in, change and erase.
using operator_entries = std::map<std::string, std::vector<std::byte>, std::less<>>;

/// A step that makes the state of one version of a program that of the next: `pipeline.use_migration(...)`.
///
/// Migrations run on a checkpoint that was loaded, in the order in which they were registered, before the first pull. What they give is
/// written with the next checkpoint of the pipeline, in one transaction with what operators make of it; until then the store has what it
/// had, and they run again after a crash. Each looks whether there is something for it to do, so that it may stay registered for as long as
/// there may be old checkpoints, and a chain of them brings up any version. One that throws halts the partition, and the checkpoint
/// stays as it was.
///
/// Entries of `key` are one operator's; ids and schemas are those that `weir state dump` shows. Ready-made: `rename_operator`,
/// `migrate_rows`. A copy is the same migration; `change` runs on the strand of each partition that has something for it.
class migration {
public:
  /// Calls `change(entries)` where the operator's state was kept as `from`, and then says that it is kept as `to`. A checkpoint that does
  /// not say how it was kept, or says something else, stays as it is. Throws `errc::invalid_pipeline` when the two are equal, since then
  /// nothing tells whether it has run.
  migration(std::string operator_id, std::string from, std::string to, std::function<void(operator_entries&)> change);
  /// For hosts. Whether there was something to do; throws what went wrong, with the operator's id.
  bool run(detail::checkpoint_parts& on) const;
  /// What it does, for messages: "bars: from `u32` to `u64`".
  std::string const& text() const noexcept { return text_; }

private:
  using step = std::function<bool(detail::checkpoint_parts&)>;
  migration(std::string text, step s) : text_(std::move(text)), step_(std::move(s)) {}
  friend migration rename_operator(std::string, std::string);
  friend migration detail::migrate_values(std::string, detail::value_change);

  std::string text_;
  step step_;
};

/// The state of the operator that was called `from_id` is that of `to_id` now; behind a split, with "split 0/" and so on in front of both.
/// Nothing to do where there is none of `from_id`. Where there is some of both, nothing tells whose it is: `errc::incompatible`.
migration rename_operator(std::string from_id, std::string to_id);

/// Where the operator kept values of yours as an `Old`, it keeps `f(old)` from now on, a `New`: the state of `process`, the accumulator of
/// `scan` and of windows (if it is yours), the ids of `dedup`. What the operator has beside them stays.
/// ```cpp
/// pipeline.use_migration(weir::migrate_rows<totals_v1, totals>("totals", [](totals_v1 const& old) { return totals(old.sum, 0); }));
/// ```
/// Whether it was an `Old` is told by the operator's schema, whose section `value` is that of `Old`; both types need different ones
/// (`schema_of`). Sessions are kept behind their key, whose type is the third argument: `migrate_rows<Old, New, std::string>(...)`; without
/// it, `errc::misuse`. `errc::corrupt` for bytes that are no `Old`.
template <encodable Old, encodable New, class Key = void, class F> migration migrate_rows(std::string operator_id, F f) {
  static_assert(std::is_invocable_r_v<New, F&, Old>, "weir: migrate_rows<Old, New>'s function makes a New of an Old");
  detail::value_change change;
  change.from = schema_of<Old>();
  change.to = schema_of<New>();
  if constexpr (!std::is_void_v<Key>) change.skip_key = [](std::span<std::byte const>& from) { static_cast<void>(decode_part<Key>(from)); };
  change.one = [f = std::move(f)](std::span<std::byte const>& from, std::vector<std::byte>& to) mutable {
    New const now = f(decode_part<Old>(from));
    encode_state(now, to);
  };
  return detail::migrate_values(std::move(operator_id), std::move(change));
}

}  // namespace weir
