#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace weir {

/// What became of elements: every one that went in is in exactly one of the other places. An element that belongs to several sliding
/// windows counts once for each of them.
struct tally {
  std::uint64_t in = 0;
  std::uint64_t out = 0;        ///< in windows that have fired
  std::uint64_t late = 0;       ///< came when their window had closed: dropped or given to the side output
  std::uint64_t duplicate = 0;  ///< seen before
  std::uint64_t dead = 0;       ///< could not be placed in time: set aside
  std::uint64_t open = 0;       ///< in windows that have not fired yet

  bool balanced() const noexcept { return in == out + late + duplicate + dead + open; }
  tally& operator+=(tally const& o) noexcept;
  friend bool operator==(tally const&, tally const&) = default;
};

/// The books of a pipeline's time: one tally per name, each the sum over the operators that count under it. At any time
/// `in = out + late + duplicate + dead + open` holds for each.
/// ```cpp
/// weir::ledger books;
/// auto bars = std::move(ticks) | event_time(&tick::time, bounded_disorder(5s)).counted_in(books, "bars")
///           | dedup(&tick::id, 10min).counted_in(books, "bars") | key_by(&tick::symbol)
///           | tumbling_window(1min, late::drop()) | aggregate(ohlcv(...)).counted_in(books, "bars");
/// ```
/// The counts are part of checkpoints: a restored pipeline goes on from them. A handle: copies share the books. An operator that is built
/// anew after its predecessor is gone (a retry) takes its place; those that live beside each other (partitions) add up. Strand only.
class ledger {
public:
  ledger() : books_(std::make_shared<books>()) {}

  /// For operators: the tally of one of them (`who`) under `name`, from zero. It takes the place of one of the same `who` that nobody
  /// holds any more.
  std::shared_ptr<tally> open(std::string name, std::string who);
  /// The sum under a name; zeros for one that nobody counts under.
  tally sum(std::string_view name) const;
  std::map<std::string, tally, std::less<>> all() const;

private:
  using books = std::map<std::string, std::multimap<std::string, std::shared_ptr<tally>>, std::less<>>;
  std::shared_ptr<books> books_;
};

}  // namespace weir
