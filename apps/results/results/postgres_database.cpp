#include <results/postgres_database.hpp>

#ifdef WEIR_HAS_POSTGRES
#include <results/postgres_statement.hpp>

#include <weir/detail/async_lock.hpp>
#include <weir/postgres/connection.hpp>
#include <weir/postgres/transaction.hpp>

#include <utility>

namespace results {
namespace {

rows rows_of(weir::postgres::result const& r) {
  rows out;
  for (int at = 0; at != r.rows(); ++at) {
    auto& row = out.emplace_back();
    for (int i = 0; i != r.columns(); ++i) row.emplace_back(r.text(at, i));
  }
  return out;
}

class server_work final : public transaction {
public:
  server_work(weir::postgres::connection& on, weir::detail::async_lock::holder turn, weir::postgres::transaction begun)
      : on_(on), turn_(std::move(turn)), all_(std::move(begun)) {}
  weir::task<std::vector<rows>> run(std::vector<statement> all) override {
    std::vector<weir::postgres::statement> asked;
    asked.reserve(all.size());
    for (statement const& s : all) asked.push_back(to_postgres(s));
    std::vector<weir::postgres::result> const answers = co_await on_.query_all(std::move(asked));
    std::vector<rows> found;
    found.reserve(answers.size());
    for (auto const& a : answers) found.push_back(rows_of(a));
    co_return found;
  }
  weir::task<> commit() override { return all_.commit(); }

private:
  weir::postgres::connection& on_;
  weir::detail::async_lock::holder turn_;
  weir::postgres::transaction all_;
};

class postgres_database final : public database {
public:
  explicit postgres_database(std::string const& conninfo)
      : server_(weir::postgres::connection_options(conninfo)), name_("postgres " + server_.server()) {}

  // The lock makes it wait for a commit that is under way: of a program that was killed, too.
  weir::task<std::unique_ptr<transaction>> begin() override {
    weir::detail::async_lock::holder turn = co_await turns_.acquire();
    co_await server_.open();
    weir::postgres::transaction all = co_await weir::postgres::transaction::begin(server_);
    weir::postgres::statement lock("SELECT pg_advisory_xact_lock(hashtext('weir results'))");  // of this database
    co_await server_.query(std::move(lock));
    std::unique_ptr<transaction> begun = std::make_unique<server_work>(server_, std::move(turn), std::move(all));
    co_return begun;
  }
  // Those that are found by their name alone, in whatever schema. The one in which tables are made may become another: with the schema of
  // the checkpoints, where the user is called like it.
  statement list_tables() const override {
    return {
        "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND pg_table_is_visible(oid)"
        " AND relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)"};
  }
  bool is_shared() const noexcept override { return true; }
  std::string const& name() const noexcept override { return name_; }

private:
  weir::postgres::connection server_;
  weir::detail::async_lock turns_;  // partitions of one pipeline share the connection
  std::string name_;
};

}  // namespace

std::unique_ptr<database> make_postgres_database(std::string const& conninfo) { return std::make_unique<postgres_database>(conninfo); }

}  // namespace results
#else
#include <weir/error.hpp>

namespace results {
std::unique_ptr<database> make_postgres_database(std::string const&) {
  throw weir::error(weir::errc::invalid_option, "results: cannot open the store", "this program was built without postgres",
                    "build it with postgres in WEIR_COMPONENTS");
}
}  // namespace results
#endif
