#pragma once

#include "hit.hpp"
#include "options.hpp"

#include <weir/instant.hpp>

#include <cstdint>

namespace weblog {

/// Requests, and how many of them were answered with an error: an accumulator for `weir::aggregate`.
class error_count {
public:
  /// What is counted.
  struct state {
    std::uint64_t requests = 0, errors = 0;
  };
  explicit error_count(alert_rule rule) noexcept : rule_(rule) {}

  void add(state& s, hit const& h, weir::instant) const noexcept {
    ++s.requests;
    if (rule_.is_error(h.status)) ++s.errors;
  }
  void merge(state& s, state const& other) const noexcept {
    s.requests += other.requests;
    s.errors += other.errors;
  }
  state result(state const& s) const noexcept { return s; }

private:
  alert_rule rule_;
};

}  // namespace weblog
