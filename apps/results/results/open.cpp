#include <results/open.hpp>

#include <results/postgres_database.hpp>
#include <results/sqlite_database.hpp>

#include <weir/error.hpp>
#include <weir/sqlite/state_store.hpp>
#ifdef WEIR_HAS_POSTGRES
#include <weir/postgres/state_store.hpp>
#endif

#include <utility>

namespace results {
namespace {

using command_line::store_kind;

[[noreturn]] void refuse(char const* why, char const* advice) {
  throw weir::error(weir::errc::invalid_option, "results: cannot open the store", why, advice);
}

[[noreturn]] void refuse_kind() { refuse("results are kept in SQLite or PostgreSQL", "give a file, or postgres:CONNINFO"); }

}  // namespace

std::unique_ptr<database> open_database(command_line::store_name const& name) {
  if (name.kind == store_kind::sqlite) return std::make_unique<sqlite_database>(name.place);
  if (name.kind == store_kind::postgres) return make_postgres_database(name.place);
  refuse_kind();
}

std::shared_ptr<weir::state_store> open_checkpoints(command_line::store_name const& name) {
  if (name.kind == store_kind::sqlite) return std::make_shared<weir::sqlite::state_store>(name.place);
  if (name.kind != store_kind::postgres) refuse_kind();
#ifdef WEIR_HAS_POSTGRES
  weir::postgres::state_store_options where{weir::postgres::connection_options(name.place)};
  return std::make_shared<weir::postgres::state_store>(std::move(where));
#else
  refuse("this program was built without postgres", "build it with postgres in WEIR_COMPONENTS");
#endif
}

}  // namespace results
