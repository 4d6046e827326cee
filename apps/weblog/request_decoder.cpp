#include "request_decoder.hpp"

#include "decode_request.hpp"

#include <string>

namespace weblog {

hit request_decoder::operator()(weir::file::record const& record) {
  hit out;
  auto const decoded = decode_request(record.line());
  if (!decoded) {
    broken_.refuse(record, describe(decoded.error(), record.line()));
    return out;
  }
  cut_ += decoded->cut ? 1 : 0;
  out.client = std::string(decoded->client);
  out.time = decoded->time;
  out.bytes = decoded->bytes;
  out.status = decoded->status;
  return out;
}

}  // namespace weblog
