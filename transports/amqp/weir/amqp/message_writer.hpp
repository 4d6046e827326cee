#pragma once
#include <weir/amqp/encoder.hpp>
#include <weir/amqp/message_view.hpp>

#include <string>
#include <string_view>

namespace weir::amqp {

/// Writes the sections of a message behind each other. They must come in the order of the functions; each may be left out.
/// ```cpp
/// message_writer message(bytes);
/// message.properties(about);
/// auto const map = message.begin_application_properties();
/// message.to().string("operation"); message.to().string("READ");
/// message.end(map);
/// message.data(body);
/// ```
/// Source: AMQP 1.0, 3.2.
class message_writer {
public:
  /// Appends to `out`, which must outlive it.
  explicit message_writer(std::string& out) noexcept : to_(out) {}

  /// Keys of both annotations are symbols.
  encoder::mark begin_delivery_annotations() { return begin_map(0x71); }
  encoder::mark begin_message_annotations() { return begin_map(0x72); }
  void properties(properties_view const& v);
  /// Keys are strings; values are of any type but lists, maps and arrays.
  encoder::mark begin_application_properties() { return begin_map(0x74); }
  void data(std::string_view bytes);
  /// What is described is written next, into `to()`.
  void begin_value() { to_.described_by(0x77); }

  /// What has been begun.
  encoder& to() noexcept { return to_; }
  void end(encoder::mark const& from) { to_.end(from); }

private:
  encoder::mark begin_map(std::uint64_t code);

  encoder to_;
};

}  // namespace weir::amqp
