#pragma once
#include <weir/committed_entries.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// Behind the operator's id: entries of this name stay in the store when a pipeline is restored, and the operator reads those it needs.
inline constexpr std::string_view read_through_suffix = " (read through)";
/// Whether these entries are read one by one, so that a restart does not load them.
constexpr bool is_read_through(std::string_view operator_id) noexcept { return operator_id.ends_with(read_through_suffix); }

/// The entries that an operator has in the store and not in memory. It writes them by `state_writer::read_through`.
///
/// An operator that gives up memory must be able to read again what was there: what a barrier has taken along may go when `committed` says
/// that it is in the store. Valid for as long as the pipeline's attempt. Strand only.
class read_through {
public:
  read_through() = default;  ///< of nothing
  /// `line`: what goes before the ids of the operators of a branch. Throws `errc::misuse` when the store cannot read single entries; `who`
  /// needs it.
  read_through(committed_entries const* from, std::string_view who, std::string_view line, std::string_view operator_id,
               std::uint64_t barrier);

  /// Null: there is no such entry. Fails as the store does.
  std::optional<std::vector<std::byte>> read(std::string_view key) const;
  /// All of them, in order of their keys. `f` must not read.
  void each(std::function<void(std::string_view key, std::span<std::byte const> value)> const& f) const;
  /// The number of the barrier that passes; 0 while the operator is restored.
  std::uint64_t passing() const noexcept { return passing_; }
  /// Whether the barrier of this number is committed. What was restored (0) is.
  bool committed(std::uint64_t barrier) const noexcept { return barrier == 0 || barrier <= from_->newest(); }

private:
  committed_entries const* from_ = nullptr;
  std::string id_;
  std::uint64_t passing_ = 0;
};

}  // namespace weir
