#pragma once
#include <string>

namespace nexmark::test {

/// A script of Node.js: reads the tables person, auction and bid from CSV files of the folder it is given (`n` is the number of the event),
/// answers the queries with DuckDB, and compares the answer to each with the rows of its CSV file there. Prints, for each, its name, how
/// many rows its answer has, and how many rows are in one and not in the other.
std::string answers_script();

}  // namespace nexmark::test
