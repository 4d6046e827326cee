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
generation_entry parse_generation_entry(std::string_view key) {
  instant const start = take_time_from_name("dedup", key);
  std::uint64_t const part = take_from_name("dedup", key);
  if (!key.empty() && key != std::string_view(&run_mark, 1)) throw_damaged_state("dedup", "it has an entry of another form");
  return {start, part, key};
}

void throw_ids_left_in_store() {
  throw_foreign_state("dedup", "some of its ids are in the store only, which needs a working set: .working_set(n)");
}

}  // namespace weir::detail
