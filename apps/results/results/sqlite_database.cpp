#include <results/sqlite_database.hpp>

#include <sqlite3.h>

#include <utility>

namespace results {
namespace {

void bind(weir::sqlite::statement& to, std::vector<value> const& values) {
  int parameter = 0;
  for (value const& v : values) {
    ++parameter;
    std::visit([&](auto const& of_type) { to.bind(parameter, of_type); }, v);
  }
}

}  // namespace

class sqlite_database::work final : public transaction {
public:
  explicit work(sqlite_database& of) : of_(of), all_(of.file_) {}
  weir::task<std::vector<rows>> run(std::vector<statement> all) override {
    std::vector<rows> found;
    found.reserve(all.size());
    for (statement const& s : all) found.push_back(of_.run(s));
    co_return found;
  }
  weir::task<> commit() override {
    all_.commit();
    co_return;
  }

private:
  sqlite_database& of_;
  weir::sqlite::transaction all_;
};

sqlite_database::sqlite_database(std::string file) : name_(std::move(file)), file_(name_) {}

weir::task<std::unique_ptr<transaction>> sqlite_database::begin() {
  std::unique_ptr<transaction> begun = std::make_unique<work>(*this);
  co_return begun;
}

statement sqlite_database::list_tables() const { return {"SELECT name FROM sqlite_schema WHERE type = 'table'"}; }

rows sqlite_database::run(statement const& s) {
  auto known = prepared_.find(s.sql);
  if (known == prepared_.end()) known = prepared_.emplace(s.sql, file_.prepare(s.sql)).first;
  weir::sqlite::statement& run = known->second;
  run.reset();
  bind(run, s.values);
  int const columns = sqlite3_column_count(run.native());
  rows found;
  while (run.step()) {
    auto& row = found.emplace_back();
    for (int i = 0; i != columns; ++i) row.emplace_back(run.is_null(i) ? std::string_view() : run.text(i));
  }
  return found;
}

}  // namespace results
