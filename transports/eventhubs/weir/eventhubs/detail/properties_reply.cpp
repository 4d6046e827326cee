#include <weir/eventhubs/detail/properties_reply.hpp>

#include <weir/eventhubs/detail/instant_of_ms.hpp>

#include <string_view>

namespace weir::eventhubs::detail {
namespace {

amqp::value_view field(amqp::value_view map, std::string_view name) {
  auto const v = amqp::find(map, name);
  return v ? *v : amqp::value_view{};
}
std::string text_in(amqp::value_view map, std::string_view name) { return std::string(field(map, name).text().value_or("")); }
instant time_in(amqp::value_view map, std::string_view name) { return instant_of_ms(field(map, name).timestamp().value_or(0)); }

}  // namespace

std::optional<hub_properties> hub_properties_in(amqp::value_view body) {
  hub_properties out;
  out.name = text_in(body, "name");
  out.created = time_in(body, "created_at");
  out.geo_replicated = field(body, "georeplication_factor").integer().value_or(1) > 1;
  for (auto ids = field(body, "partition_ids").items(); ids.left() != 0;) {
    auto const id = ids.next();
    if (!id || !id->text()) return std::nullopt;
    out.partitions.emplace_back(*id->text());
  }
  if (out.partitions.empty()) return std::nullopt;
  return out;
}

std::optional<partition_properties> partition_properties_in(amqp::value_view body) {
  auto const last = field(body, "last_enqueued_sequence_number").integer();
  if (!last) return std::nullopt;
  partition_properties out;
  out.event_hub = text_in(body, "name");
  out.id = text_in(body, "partition");
  out.empty = field(body, "is_partition_empty").boolean().value_or(false);
  out.first_sequence_number = field(body, "begin_sequence_number").integer().value_or(0);
  out.last_sequence_number = *last;
  out.last_offset = text_in(body, "last_enqueued_offset");
  out.last_enqueued = time_in(body, "last_enqueued_time_utc");
  return out;
}

}  // namespace weir::eventhubs::detail
