#include <results/postgres_statement.hpp>

#ifdef WEIR_HAS_POSTGRES
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace results {

weir::postgres::statement to_postgres(statement const& s) {
  weir::postgres::parameters values;
  for (value const& v : s.values) {
    if (auto const* const number = std::get_if<std::int64_t>(&v)) values.integer(*number);
    else values.text(std::get<std::string>(v));
  }
  return weir::postgres::statement(s.sql, std::move(values));
}

}  // namespace results
#endif
