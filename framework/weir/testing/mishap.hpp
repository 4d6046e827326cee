#pragma once
#include <weir/testing/fault.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace weir::testing {

/// One thing that goes wrong in a trial of `delivery_check`: the process crashes at a step of the scheduler, or a call suffers a fault.
class mishap {
public:
  enum class place : std::uint8_t { step, read, write, commit };

  /// The process crashes when it has taken so many steps since it was started, or has ended before that.
  static mishap crash_after_step(std::uint64_t n) noexcept { return {place::step, n, fault::crash_after}; }
  /// The `nth` call of this kind in the trial, from 1.
  static mishap at_read(std::uint64_t nth, fault f) noexcept { return {place::read, nth, f}; }
  static mishap at_write(std::uint64_t nth, fault f) noexcept { return {place::write, nth, f}; }
  static mishap at_commit(std::uint64_t nth, fault f) noexcept { return {place::commit, nth, f}; }

  place where() const noexcept { return where_; }
  std::uint64_t nth() const noexcept { return nth_; }
  fault what() const noexcept { return what_; }
  /// "commit 3 is done, but its answer is lost".
  std::string text() const;
  friend bool operator==(mishap const&, mishap const&) = default;

private:
  mishap(place w, std::uint64_t n, fault f) noexcept : where_(w), nth_(n), what_(f) {}
  place where_;
  std::uint64_t nth_;
  fault what_;
};

/// What goes wrong in one trial. Crashes at steps come in this order, one per start of the process; the others when their call comes.
using delivery_schedule = std::vector<mishap>;
/// "crash after step 17, then commit 3 fails". Empty: "nothing goes wrong".
std::string text(delivery_schedule const& s);

}  // namespace weir::testing
