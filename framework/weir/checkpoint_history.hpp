#pragma once
#include <weir/instant.hpp>
#include <weir/position.hpp>
#include <weir/state_store.hpp>

#include <string_view>
#include <vector>

namespace weir {

/// Where a checkpoint says where it stood before: the operator id of these entries, which no operator has. Under a time (RFC 3339, UTC,
/// to the millisecond) the text of the position up to which everything was done then. They do not belong to the position, as other state
/// does.
inline constexpr std::string_view history_id = "(history)";

/// Where a checkpoint stood, and when that was written.
struct past_checkpoint {
  past_checkpoint(instant when, weir::position at) noexcept : written_at(when), position(at) {}
  friend bool operator==(past_checkpoint const&, past_checkpoint const&) = default;
  instant written_at;
  weir::position position;
};

/// The past of a checkpoint: one for each minute of the last hour in which it moved, for each hour of the last two days, for each day of
/// the last 31; so 140 short entries at most. A value.
class checkpoint_history {
public:
  /// Takes its entries off those of a checkpoint, which are in order. Throws `errc::corrupt` for what is none.
  void load(std::vector<state_entry>& entries);
  /// This checkpoint is about to be replaced, at `now`: adds what that changes. One that is less than a minute behind the last is left out.
  void replaced(past_checkpoint const& p, instant now, std::vector<state_change>& changes);
  /// The checkpoint is set back: adds the erasure of what came behind `at`.
  void set_back(position const& at, std::vector<state_change>& changes);
  /// Oldest first.
  std::vector<past_checkpoint> const& all() const noexcept { return all_; }

private:
  template <class Keeps> void keep(Keeps keeps, std::vector<state_change>& changes);
  std::vector<past_checkpoint> all_;
};

}  // namespace weir
