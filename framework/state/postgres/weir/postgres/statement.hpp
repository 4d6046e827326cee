#pragma once
#include <weir/postgres/parameters.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace weir::postgres {

/// How the server writes the columns of a result.
enum class value_format : std::uint8_t {
  text,    ///< as psql shows them
  binary,  ///< as they are in memory: integers and bytea are cheaper, other types are the caller's affair
};

/// One SQL command with its parameters.
struct statement {
  explicit statement(std::string text, parameters with = {}, value_format of_results = value_format::text)
      : sql(std::move(text)), values(std::move(with)), results(of_results) {}

  std::string sql;    ///< exactly one command, with $1, $2, ... for the values
  parameters values;  ///< as many as the SQL names
  value_format results;
};

}  // namespace weir::postgres
