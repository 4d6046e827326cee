#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace results {

/// What stands for $1, $2, ... in a statement.
using value = std::variant<std::int64_t, std::string>;

/// One SQL command that SQLite and PostgreSQL understand alike.
struct statement {
  statement(std::string text, std::vector<value> with = {}) : sql(std::move(text)), values(std::move(with)) {}

  std::string sql;            ///< $1 stands before $2, and so on: SQLite numbers them in the order in which they come first
  std::vector<value> values;  ///< as many as the SQL names
};

/// What a statement returned: rows of texts, numbers in decimal, null as an empty text.
using rows = std::vector<std::vector<std::string>>;

}  // namespace results
