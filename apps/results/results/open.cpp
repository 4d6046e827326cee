#include <results/open.hpp>

#include <results/postgres_database.hpp>
#include <results/sqlite_database.hpp>

#include <weir/error.hpp>
#include <weir/sqlite/state_store.hpp>
#ifdef WEIR_HAS_DYNAMODB
#include <weir/dynamodb/state_store.hpp>
#endif
#ifdef WEIR_HAS_POSTGRES
#include <weir/postgres/state_store.hpp>
#endif

#include <string>
#include <utility>

namespace results {
namespace {

using command_line::store_kind;

[[noreturn]] void refuse(std::string why, std::string advice) {
  throw weir::error(weir::errc::invalid_option, "results: cannot open the store", std::move(why), std::move(advice));
}

[[noreturn]] [[maybe_unused]] void refuse_unbuilt(std::string const& component) {
  refuse("this program was built without " + component, "build it with " + component + " in WEIR_COMPONENTS");
}

std::shared_ptr<weir::state_store> open_postgres([[maybe_unused]] std::string const& conninfo) {
#ifdef WEIR_HAS_POSTGRES
  weir::postgres::state_store_options where{weir::postgres::connection_options(conninfo)};
  return std::make_shared<weir::postgres::state_store>(std::move(where));
#else
  refuse_unbuilt("postgres");
#endif
}

std::shared_ptr<weir::state_store> open_dynamodb([[maybe_unused]] std::string const& table) {
#ifdef WEIR_HAS_DYNAMODB
  weir::dynamodb::state_store_options where;
  where.table = table;
  return std::make_shared<weir::dynamodb::state_store>(weir::dynamodb::client(), std::move(where));
#else
  refuse_unbuilt("dynamodb");
#endif
}

}  // namespace

std::unique_ptr<database> open_database(command_line::store_name const& name) {
  if (name.kind == store_kind::sqlite) return std::make_unique<sqlite_database>(name.place);
  if (name.kind == store_kind::postgres) return make_postgres_database(name.place);
  refuse("results are kept in SQLite or PostgreSQL", "give a file, or postgres:CONNINFO");
}

std::shared_ptr<weir::state_store> open_checkpoints(command_line::store_name const& name) {
  if (name.kind == store_kind::sqlite) return std::make_shared<weir::sqlite::state_store>(name.place);
  if (name.kind == store_kind::postgres) return open_postgres(name.place);
  if (name.kind == store_kind::dynamodb) return open_dynamodb(name.place);
  refuse("checkpoints are kept in SQLite, PostgreSQL or DynamoDB", "give a file, postgres:CONNINFO or dynamodb:TABLE");
}

}  // namespace results
