#include <weir/operators/batch.hpp>

#include <weir/error.hpp>

#include <string>

namespace weir::detail {
namespace {
[[noreturn]] void refuse(std::string why, std::string advice) {
  throw error(errc::invalid_option, "batch: cannot be built", std::move(why), std::move(advice));
}
}  // namespace

std::size_t checked_count(std::size_t n) {
  if (n == 0) refuse("a batch of 0 elements is never full", "give it at least 1");
  return n;
}

std::uint64_t checked_bytes(std::uint64_t n) {
  if (n == 0) refuse("a batch of 0 bytes is full before it begins", "give it at least 1");
  return n;
}

std::chrono::nanoseconds checked_time(std::chrono::nanoseconds d) {
  if (d <= d.zero()) refuse("the time limit is not above zero", "leave it out, or give it at least 1 ns");
  return d;
}

void check_limited(bool limited) {
  if (!limited) refuse("no limit is given", "call count(), bytes() or time() on its options");
}

}  // namespace weir::detail
