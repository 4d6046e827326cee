#include <weir/operators/detail/schema_sections.hpp>

#include <cstdint>

namespace weir::detail {

std::string span_text(std::chrono::nanoseconds span) {
  struct unit {
    std::int64_t nanoseconds;
    char const* name;
  };
  for (unit const u :
       {unit{3'600'000'000'000, " h"}, unit{60'000'000'000, " min"}, unit{1'000'000'000, " s"}, unit{1'000'000, " ms"}, unit{1'000, " us"}})
    if (span.count() != 0 && span.count() % u.nanoseconds == 0) return std::to_string(span.count() / u.nanoseconds) + u.name;
  return std::to_string(span.count()) + " ns";
}

std::string value_section_at(std::string const& schema, std::size_t at) { return "; value " + schema + " at " + std::to_string(at); }

}  // namespace weir::detail
