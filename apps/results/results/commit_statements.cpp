#include <results/commit_statements.hpp>

#include <results/sqlite_statements.hpp>

#include <weir/error.hpp>
#include <weir/sqlite/state_store.hpp>
#include <weir/sqlite/write.hpp>
#ifdef WEIR_HAS_POSTGRES
#include <results/postgres_statement.hpp>

#include <weir/postgres/state_store.hpp>
#include <weir/postgres/write.hpp>
#endif

#include <utility>

namespace results {
namespace {

class sqlite_write final : public weir::sqlite::write {
public:
  sqlite_write(weir::sqlite::state_store const& in, std::vector<statement> all) : write(in), all_(std::move(all)) {}
  void apply(weir::sqlite::database& file) const override {
    sqlite_statements on(file);
    for (statement const& s : all_) on.run(s);
  }

private:
  std::vector<statement> all_;
};

#ifdef WEIR_HAS_POSTGRES
class postgres_write final : public weir::postgres::write {
public:
  postgres_write(weir::postgres::state_store const& in, std::vector<statement> all) : write(in), all_(std::move(all)) {}
  std::vector<weir::postgres::statement> statements() const override {
    std::vector<weir::postgres::statement> out;
    out.reserve(all_.size());
    for (statement const& s : all_) out.push_back(to_postgres(s));
    return out;
  }

private:
  std::vector<statement> all_;
};
#endif

[[noreturn]] void refuse() {
  throw weir::error(weir::errc::invalid_option, "results: cannot make a table", "the store of the checkpoints keeps no tables");
}

}  // namespace

std::string_view kind_of_tables(weir::state_store const& checkpoints) {
  if (dynamic_cast<weir::sqlite::state_store const*>(&checkpoints)) return "sqlite";
#ifdef WEIR_HAS_POSTGRES
  if (dynamic_cast<weir::postgres::state_store const*>(&checkpoints)) return "postgresql";
#endif
  refuse();
}

std::shared_ptr<weir::store_write> commit_statements(weir::state_store const& checkpoints, std::vector<statement> all) {
  if (auto const* const file = dynamic_cast<weir::sqlite::state_store const*>(&checkpoints))
    return std::make_shared<sqlite_write>(*file, std::move(all));
#ifdef WEIR_HAS_POSTGRES
  if (auto const* const server = dynamic_cast<weir::postgres::state_store const*>(&checkpoints))
    return std::make_shared<postgres_write>(*server, std::move(all));
#endif
  refuse();
}

}  // namespace results
