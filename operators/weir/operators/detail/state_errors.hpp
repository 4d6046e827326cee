#pragma once
#include <weir/heir.hpp>
#include <weir/instant.hpp>
#include <weir/ledger.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// What operators on time say when they are given a state that cannot be theirs.
namespace weir::detail {

// Throws `errc::corrupt`: no run of this operator leaves such a state.
[[noreturn]] void throw_damaged_state(std::string_view who, std::string why);
// Throws `errc::incompatible`: it is the state of another operator, or of this one with other options.
[[noreturn]] void throw_foreign_state(std::string_view who, std::string why);

// A tally from a checkpoint; throws `errc::corrupt` when it does not balance.
tally decode_counts(std::string_view who, std::span<std::byte const>& from);
// At the end of a state: throws `errc::corrupt` when bytes are left over, or other elements wait in it than its counts have as open.
void check_restored(std::string_view who, std::span<std::byte const> left_over, tally const& counts, std::uint64_t waiting);

// Of the books that were kept for another partition: those of `open` elements, and the rest if that goes over too.
tally inherited_counts(tally const& theirs, std::uint64_t open, heir const& by) noexcept;

}  // namespace weir::detail
