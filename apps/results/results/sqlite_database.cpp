#include <results/sqlite_database.hpp>

#include <utility>

namespace results {

class sqlite_database::work final : public transaction {
public:
  explicit work(sqlite_database& of) : of_(of), all_(of.file_) {}
  weir::task<std::vector<rows>> run(std::vector<statement> all) override {
    std::vector<rows> found;
    found.reserve(all.size());
    for (statement const& s : all) found.push_back(of_.statements_.run(s));
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

}  // namespace results
