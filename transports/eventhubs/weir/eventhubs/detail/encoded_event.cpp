#include <weir/eventhubs/detail/encoded_event.hpp>

#include <weir/amqp/message_writer.hpp>
#include <weir/detail/valid_utf8.hpp>
#include <weir/error.hpp>

#include <algorithm>
#include <utility>
#include <variant>

namespace weir::eventhubs::detail {
namespace {

constexpr std::size_t longest_key = 128;

[[noreturn]] void refuse(std::string why, std::string advice = {}) {
  throw error(errc::malformed, "event hubs: an event cannot be sent", std::move(why), std::move(advice));
}

void check_text(std::string_view text, std::string_view what) {
  if (weir::detail::valid_utf8(text) != text) refuse("its " + std::string(what) + " is not UTF-8");
}

// Characters, of what is UTF-8.
std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::string encoded_text(std::string_view text) {
  std::string out;
  if (!text.empty()) amqp::encoder(out).string(text);
  return out;
}

struct write_value {
  amqp::encoder& to;
  void operator()(bool v) const { to.boolean(v); }
  void operator()(std::int64_t v) const { to.int64(v); }
  void operator()(double v) const { to.float64(v); }
  void operator()(std::string const& v) const { to.string(v); }
};

}  // namespace

void check(outgoing_event const& event) {
  if (!event.partition_key.empty() && !event.partition.empty())
    refuse("it has a partition key, and a partition, which is " + event.partition, "give one of them");
  check_text(event.partition_key, "partition key");
  if (std::size_t const size = characters_in(event.partition_key); size > longest_key)
    refuse("its partition key has " + std::to_string(size) + " characters, and may have 128");
  check_text(event.message_id, "message id");
  check_text(event.correlation_id, "correlation id");
  if (std::ranges::any_of(event.content_type, [](char c) { return static_cast<unsigned char>(c) > 0x7f; }))
    refuse("its content type is not ASCII");
  for (auto const& [name, value] : event.properties) {
    if (name.empty()) refuse("one of its properties has no name");
    check_text(name, "property's name");
    if (auto const* const text = std::get_if<std::string>(&value)) check_text(*text, "property \"" + name + "\"");
  }
}

void encode(std::string& out, outgoing_event const& event) {
  amqp::message_writer message(out);
  if (!event.partition_key.empty()) encode_batch_key(out, event.partition_key);
  if (!event.message_id.empty() || !event.correlation_id.empty() || !event.content_type.empty()) {
    std::string const id = encoded_text(event.message_id), other = encoded_text(event.correlation_id);
    amqp::properties_view about;
    about.message_id = {id};
    about.correlation_id = {other};
    about.content_type = {event.content_type};
    message.properties(about);
  }
  if (!event.properties.empty()) {
    auto const map = message.begin_application_properties();
    for (auto const& [name, value] : event.properties) {
      message.to().string(name);
      std::visit(write_value{message.to()}, value);
    }
    message.end(map);
  }
  message.data(event.body);
}

void encode_batch_key(std::string& out, std::string_view partition_key) {
  if (partition_key.empty()) return;
  amqp::message_writer message(out);
  auto const map = message.begin_message_annotations();
  message.to().symbol("x-opt-partition-key");
  message.to().string(partition_key);
  message.end(map);
}

}  // namespace weir::eventhubs::detail
