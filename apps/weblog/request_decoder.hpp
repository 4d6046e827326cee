#pragma once

#include "hit.hpp"

#include <weir/file/options.hpp>
#include <weir/file/record.hpp>
#include <command_line/broken_records.hpp>

#include <cstdint>
#include <utility>

namespace weblog {

/// Makes hits of the lines of an access log.
///
/// A line that is no request fails the stream with `errc::malformed` and file, line and byte, or goes to the dead letters of the policy
/// and becomes a hit without a client, to be filtered out. Not thread-safe.
class request_decoder {
public:
  explicit request_decoder(weir::file::broken_line_policy policy) : broken_("weblog", std::move(policy)) {}

  hit operator()(weir::file::record const& record);

  /// Lines so far that broke off within the user agent, and were counted all the same.
  std::uint64_t cut() const noexcept { return cut_; }

private:
  command_line::broken_records broken_;
  std::uint64_t cut_ = 0;
};

}  // namespace weblog
