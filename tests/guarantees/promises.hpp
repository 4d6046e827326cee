#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

/// The table of guarantees in the README: a row for each sink, a column for each source, in each cell what is promised.
struct promises {
  std::vector<std::string> sources, sinks;                           ///< as the table calls them, without backticks, in its order
  std::map<std::pair<std::string, std::string>, std::string> cells;  ///< by source and sink
};

/// Finds it in the text of the README, by its head `| sink \ source |`. Throws `std::runtime_error` when it is not there, or not whole.
promises promises_in(std::string const& readme);

}  // namespace weir::test
