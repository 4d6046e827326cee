#include "guarantees/promises.hpp"

#include <sstream>
#include <stdexcept>

namespace weir::test {
namespace {

std::string trimmed(std::string const& text) {
  std::string out;
  for (char const c : text)
    if (c != '`') out += c;
  auto const first = out.find_first_not_of(' '), last = out.find_last_not_of(' ');
  return first == std::string::npos ? std::string() : out.substr(first, last - first + 1);
}

std::vector<std::string> cells_of(std::string const& line) {
  std::vector<std::string> out;
  std::istringstream in(line.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) out.push_back(trimmed(cell));
  return out;
}

}  // namespace

promises promises_in(std::string const& readme) {
  promises out;
  std::istringstream in(readme);
  std::string line;
  while (std::getline(in, line) && !line.starts_with("| sink \\ source |")) {}
  if (!in) throw std::runtime_error("the README has no table that begins with | sink \\ source |");
  out.sources = cells_of(line);
  out.sources.erase(out.sources.begin());
  std::getline(in, line);  // |---|
  while (std::getline(in, line) && line.starts_with("|")) {
    std::vector<std::string> const row = cells_of(line);
    if (row.size() != out.sources.size() + 1) throw std::runtime_error("a row of the table has other columns: " + line);
    out.sinks.push_back(row[0]);
    for (std::size_t i = 0; i != out.sources.size(); ++i) out.cells[{out.sources[i], row[0]}] = row[i + 1];
  }
  return out;
}

}  // namespace weir::test
