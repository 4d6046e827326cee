#include <weir/amqp/detail/composite.hpp>
#include <weir/amqp/message_writer.hpp>

namespace weir::amqp {

encoder::mark message_writer::begin_map(std::uint64_t code) {
  to_.described_by(code);
  return to_.begin_map();
}

void message_writer::properties(properties_view const& v) { detail::write_composite(to_, v); }

void message_writer::data(std::string_view bytes) {
  to_.described_by(0x75);
  to_.binary(bytes);
}

}  // namespace weir::amqp
