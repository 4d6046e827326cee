#pragma once

#include <sqlite3.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace ticks::test {

/// The rows of an answer in the shared data, sorted: "symbol,window_start,open,high,low,close,volume,trades".
inline std::vector<std::string> answer(std::string const& csv) {
  std::ifstream in(csv);
  std::vector<std::string> rows;
  std::string line;
  std::getline(in, line);
  if (line != "symbol,window_start,open,high,low,close,volume,trades") throw std::runtime_error(csv + " has other columns: " + line);
  while (std::getline(in, line)) rows.push_back(line);
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// The rows of the table `bars`, in the same form, through a connection of its own; none where there is no file.
inline std::vector<std::string> bars_in(std::string const& file) {
  std::vector<std::string> rows;
  sqlite3* db = nullptr;
  if (sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK) {
    auto const add = [](void* out, int columns, char** values, char**) {
      std::string row;
      for (int i = 0; i != columns; ++i) row += (i ? "," : "") + std::string(values[i] ? values[i] : "NULL");
      static_cast<std::vector<std::string>*>(out)->push_back(row);
      return 0;
    };
    sqlite3_exec(db, "SELECT symbol, window_start, open, high, low, close, volume, trades FROM bars", add, &rows, nullptr);
  }
  sqlite3_close(db);
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace ticks::test
