#include <weir/file/message_line.hpp>

#include <weir/file/json_member.hpp>

namespace weir::file {

std::string message_line(message const& m) {
  std::string out;
  add_json_member(out, "pipeline", m.pipeline);
  add_json_member(out, "stream", m.stream);
  add_json_member(out, "partition", m.partition);
  add_json_member(out, "topic", m.topic);
  out += ",\"number\":" + std::to_string(m.number);
  add_json_member(out, "payload", m.payload);
  return out += '}';
}

}  // namespace weir::file
