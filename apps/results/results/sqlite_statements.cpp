#include <results/sqlite_statements.hpp>

#include <sqlite3.h>

#include <string_view>
#include <variant>

namespace results {

rows sqlite_statements::run(statement const& s) {
  auto known = prepared_.find(s.sql);
  if (known == prepared_.end()) known = prepared_.emplace(s.sql, file_.prepare(s.sql)).first;
  weir::sqlite::statement& run = known->second;
  run.reset();
  int parameter = 0;
  for (value const& v : s.values) {
    ++parameter;
    std::visit([&](auto const& of_type) { run.bind(parameter, of_type); }, v);
  }
  int const columns = sqlite3_column_count(run.native());
  rows found;
  while (run.step()) {
    auto& row = found.emplace_back();
    for (int i = 0; i != columns; ++i) row.emplace_back(run.is_null(i) ? std::string_view() : run.text(i));
  }
  return found;
}

}  // namespace results
