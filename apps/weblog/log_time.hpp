#pragma once

#include <weir/instant.hpp>

#include <boost/system/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weblog {

/// What a text should have had to be the time of a log.
enum class log_time_fault : std::uint8_t {
  form,    ///< the form 17/May/2015:10:05:03 +0000
  month,   ///< one of the twelve months' names
  date,    ///< a day that exists
  clock,   ///< a time of day that exists; 23:59:60 does not: a log's clock has no leap seconds
  offset,  ///< an offset from UTC of at most 23:59
  range,   ///< a year from 1680 to 2260
};

/// Characters of a log's time.
inline constexpr std::size_t log_time_size = 26;

/// Reads the time of Apache's logs (`%t` without its brackets): "17/May/2015:10:05:03 +0000". Names of months are English, with a
/// capital; the offset is subtracted.
/// Source: Apache HTTP Server 2.4, mod_log_config, custom log formats.
boost::system::result<weir::instant, log_time_fault> parse_log_time(std::string_view text) noexcept;

}  // namespace weblog
