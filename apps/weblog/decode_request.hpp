#pragma once

#include "request.hpp"

#include <boost/system/result.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace weblog {

/// Why a line is no request.
struct request_fault {
  std::string_view expected;  ///< what should have stood there, for people
  std::size_t at = 0;         ///< offset of it in the line
};

/// Reads a line of Apache's combined log format, without its line's end:
/// `client identity user [time] "method path protocol" status bytes "referer" "agent"`, one blank between them.
///
/// A quoted text ends at the first quote without a backslash before it (which may itself be escaped). A line that breaks off within the
/// agent is a request, and `cut`: nothing that is counted is missing. Any other line that is not of this form is a fault.
/// Source: Apache HTTP Server 2.4, mod_log_config, `"%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-agent}i\""`.
boost::system::result<request, request_fault> decode_request(std::string_view line) noexcept;

/// One sentence for people: the column (from 1), what should stand there, what does.
std::string describe(request_fault const& fault, std::string_view line);

}  // namespace weblog
