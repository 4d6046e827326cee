#include <weir/eventhubs/detail/offset_trail.hpp>

namespace weir::eventhubs::detail {
namespace {

constexpr std::size_t most_places = 65'536;

}  // namespace

void offset_trail::add(std::int64_t number, std::string_view offset) {
  while (!places_.empty() && places_.back().number >= number) places_.pop_back();
  if (places_.size() == most_places) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < places_.size(); i += 2) std::swap(places_[kept++], places_[i]);
    while (places_.size() > kept) places_.pop_back();
  }
  places_.emplace_back(number, offset);
}

std::optional<offset_trail::place> offset_trail::take(std::int64_t up_to) {
  std::optional<place> out;
  while (!places_.empty() && places_.front().number <= up_to) {
    out = std::move(places_.front());
    places_.pop_front();
  }
  return out;
}

}  // namespace weir::eventhubs::detail
