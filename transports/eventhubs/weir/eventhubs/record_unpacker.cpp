#include <weir/eventhubs/record_unpacker.hpp>

#include <weir/eventhubs/detail/instant_of_ms.hpp>

#include <algorithm>
#include <utility>

namespace weir::eventhubs {
namespace {

constexpr std::size_t block_size = std::size_t{64} * 1024;

// Annotations of a message, in one walk over them.
struct annotations_of_service {
  std::optional<std::int64_t> sequence_number, enqueued;
  std::optional<std::string_view> offset;
  std::string_view key;
  std::string number_as_text;  // an offset that came as a number
};

// Offsets are strings; there were services, and are proxies, that give them as numbers of any width.
void take_offset(annotations_of_service& out, amqp::value_view v) {
  out.offset = v.text();
  if (out.offset) return;
  if (auto const number = v.integer()) {
    out.number_as_text = std::to_string(*number);
    out.offset = out.number_as_text;
  }
}

amqp::errc read_annotations(annotations_of_service& out, amqp::value_view map) {
  for (auto items = map.items(); items.left() != 0;) {
    amqp::value_view name, v;
    if (auto const wrong = items.take(name); wrong != amqp::errc()) return wrong;
    if (auto const wrong = items.take(v); wrong != amqp::errc()) return wrong;
    auto const key = name.text();
    if (!key || !key->starts_with("x-opt-")) continue;
    if (*key == "x-opt-sequence-number") {
      out.sequence_number = v.integer();
    } else if (*key == "x-opt-offset") {
      take_offset(out, v);
    } else if (*key == "x-opt-enqueued-time") {
      out.enqueued = v.timestamp();
    } else if (*key == "x-opt-partition-key") {
      out.key = v.text().value_or("");
    }
  }
  return {};
}

std::optional<partition_runtime> runtime_of(amqp::value_view map) {
  auto const last = amqp::find(map, "last_enqueued_sequence_number");
  if (!last || !last->integer()) return std::nullopt;
  partition_runtime out;
  out.last_sequence_number = *last->integer();
  if (auto const offset = amqp::find(map, "last_enqueued_offset"); offset && offset->text()) out.last_offset = *offset->text();
  if (auto const at = amqp::find(map, "last_enqueued_time_utc"); at && at->timestamp())
    out.last_enqueued = detail::instant_of_ms(*at->timestamp());
  return out;
}

}  // namespace

record_unpacker::record_unpacker(std::string partition) : name_(shared_bytes::copy_of(partition)) {}

// The bytes in the block that is being filled; in one of their own when they do not fit a fresh one.
std::string_view record_unpacker::keep(std::string_view bytes) {
  if (!block_ || block_.capacity() - used_ < bytes.size()) {
    block_ = shared_bytes(std::max(bytes.size() + name_.capacity(), block_size));
    std::ranges::copy(name_.view(), block_.data());
    used_ = name_.capacity();
  }
  char* const at = block_.data() + used_;
  std::ranges::copy(bytes, at);
  used_ += bytes.size();
  return {at, bytes.size()};
}

// A body of several sections is one behind the other.
std::string_view record_unpacker::joined(amqp::message_view const& message) {
  std::string all;
  for (amqp::body_reader bodies(message); bodies.left() != 0;) {
    auto const one = bodies.next();
    if (one && one->binary()) all.append(*one->binary());
  }
  char* const at = block_.extend(std::max<std::size_t>(all.size(), 1));
  std::ranges::copy(all, at);
  return {at, all.size()};
}

amqp::result<record> record_unpacker::unpack(std::string_view bytes) {
  auto const message = amqp::message_view::read(keep(bytes));
  if (!message) return message.error();
  annotations_of_service service;
  if (auto const wrong = read_annotations(service, message->message_annotations); wrong != amqp::errc()) return wrong;
  if (!service.sequence_number || !service.offset) return amqp::errc::missing_field;
  if (!message->delivery_annotations.is_null())
    if (auto now = runtime_of(message->delivery_annotations)) runtime_ = std::move(now);
  record out;
  out.bytes_ = block_;
  out.partition_ = {block_.data(), name_.capacity()};
  out.sequence_number_ = *service.sequence_number;
  out.offset_ = *service.offset;
  if (!service.number_as_text.empty()) {
    char* const at = block_.extend(service.number_as_text.size());
    std::ranges::copy(service.number_as_text, at);
    out.offset_ = {at, service.number_as_text.size()};
  }
  out.enqueued_ = detail::instant_of_ms(service.enqueued.value_or(0));
  out.key_ = service.key;
  out.properties_ = message->application_properties;
  out.annotations_ = message->message_annotations;
  out.about_ = message->properties;
  out.kind_ = message->kind;
  switch (message->kind) {
    case amqp::body_kind::data: out.body_ = message->sections == 1 ? message->body.binary().value_or("") : joined(*message); break;
    case amqp::body_kind::value:
      out.body_ = message->body.text() ? *message->body.text() : message->body.binary().value_or(message->bodies);
      break;
    case amqp::body_kind::sequence: out.body_ = message->bodies; break;
    case amqp::body_kind::none: break;
  }
  return out;
}

}  // namespace weir::eventhubs
