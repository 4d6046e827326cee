#include <weir/operators/detail/id_generation.hpp>
#include <weir/operators/detail/state_rows.hpp>

namespace weir::detail {

std::string generation_prefix(instant start) {
  std::string key;
  put_time_in_name(key, start);
  return key;
}
std::string generation_part(instant start, std::uint64_t part) {
  std::string key = generation_prefix(start);
  put_in_name(key, part);
  return key;
}
std::pair<instant, std::uint64_t> parse_generation_part(std::string_view key) {
  instant const start = take_time_from_name("dedup", key);
  std::uint64_t const part = take_from_name("dedup", key);
  if (!key.empty()) throw_damaged_state("dedup", "it has an entry of another form");
  return {start, part};
}

}  // namespace weir::detail
