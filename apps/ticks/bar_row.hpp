#pragma once

#include "bar_change.hpp"
#include "bar_part.hpp"
#include "bar_store.hpp"

#include <results/statement.hpp>

#include <string>
#include <vector>

namespace ticks {

/// Reads and writes the rows of the tables in `bar_schema`. Errors, of the reading ones: `errc::corrupt` with `place`, the store's name.
keyed_bar read_bar(std::vector<std::string> const& row, std::string const& place);
bar_part read_part(std::vector<std::string> const& row, std::string const& place);
std::int64_t read_number(std::string const& text, std::string const& place);

results::statement write_bar(bar_change const& b);
results::statement write_part(bar_change const& b);

}  // namespace ticks
