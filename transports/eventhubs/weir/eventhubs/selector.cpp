#include <weir/eventhubs/selector.hpp>

namespace weir::eventhubs {
namespace {

constexpr std::int64_t ns_per_ms = 1'000'000;

std::string comparison(std::string_view annotation, bool inclusive, std::string_view value) {
  std::string out = "amqp.annotation.";
  return out.append(annotation).append(inclusive ? " >= '" : " > '").append(value).append("'");
}

// To the past: what came within the millisecond is not left out.
std::int64_t floor_ms(instant at) noexcept { return at >= 0 ? at / ns_per_ms : -((-at + ns_per_ms - 1) / ns_per_ms); }

struct selector_of {
  std::string operator()(from_latest const&) const { return comparison("x-opt-offset", false, "@latest"); }
  std::string operator()(from_earliest const&) const { return comparison("x-opt-offset", false, "-1"); }
  std::string operator()(from_offset const& from) const { return comparison("x-opt-offset", from.inclusive, from.offset); }
  std::string operator()(from_sequence_number const& from) const {
    return comparison("x-opt-sequence-number", from.inclusive, std::to_string(from.sequence_number));
  }
  std::string operator()(from_time const& from) const {
    return comparison("x-opt-enqueued-time", false, std::to_string(floor_ms(from.enqueued)));
  }
};

}  // namespace

std::string selector(starting_position const& from) { return std::visit(selector_of{}, from); }

}  // namespace weir::eventhubs
