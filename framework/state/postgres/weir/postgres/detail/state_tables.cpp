#include <weir/postgres/detail/state_tables.hpp>

#include <weir/checksum.hpp>
#include <weir/error.hpp>
#include <weir/postgres/transaction.hpp>

#include <array>
#include <utility>

namespace weir::postgres::detail {
namespace {

constexpr std::int64_t version = 1;

// The view is for people. Updated rows find room on their page, so that the index needs no new entry; values are not compressed, which
// costs more time than the disk does.
constexpr std::string_view make_tables = R"(
CREATE TABLE @weir_state_format(version integer NOT NULL);
CREATE TABLE @checkpoints(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  pipeline bytea NOT NULL,
  stream bytea NOT NULL,
  partition bytea NOT NULL,
  position text NOT NULL,
  written_at text NOT NULL,
  version bigint NOT NULL,
  writer bytea NOT NULL,
  entries bigint NOT NULL,
  checksum bigint NOT NULL,
  UNIQUE(pipeline, stream, partition)) WITH (fillfactor = 50);
CREATE TABLE @entries(
  checkpoint bigint NOT NULL,
  operator bytea NOT NULL,
  key bytea NOT NULL,
  value bytea NOT NULL,
  checksum bigint NOT NULL,
  PRIMARY KEY(checkpoint, operator, key)) WITH (fillfactor = 80);
ALTER TABLE @entries ALTER COLUMN value SET STORAGE EXTERNAL;
CREATE VIEW @overview AS
  SELECT encode(pipeline, 'escape') AS pipeline, encode(stream, 'escape') AS stream, encode(partition, 'escape') AS partition,
         position, written_at, version, encode(writer, 'escape') AS writer, entries
  FROM @checkpoints ORDER BY checkpoints.pipeline, checkpoints.stream, checkpoints.partition;
)";

// Rows are always looked up by their keys, which statistics of a young table do not show to the planner. A worker that vanished within
// a transaction must not keep its lock. What is committed has to be on the disk, whatever the database's default is.
constexpr std::string_view session = R"(
SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET jit = off;
SET idle_in_transaction_session_timeout = '30s';
SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
)";

constexpr std::array relations{"checkpoints", "entries", "overview"};

[[noreturn]] void refuse(errc code, std::string const& server, std::string const& schema, std::string why, std::string advice) {
  throw error(code, "checkpoint: cannot use the schema " + schema, std::move(why), std::move(advice)).with_detail(server);
}

}  // namespace

state_tables::state_tables(std::string schema) : schema_(std::move(schema)) {
  constexpr std::size_t longest = 63;  // PostgreSQL cuts off the rest
  if (schema_.empty() || schema_.size() > longest || schema_.find('\0') != std::string::npos)
    throw error(errc::invalid_option, "postgres: cannot use the schema \"" + schema_ + '"', "a name has 1 to 63 bytes, none of them zero");
  quoted_ = '"';
  for (char const c : schema_) {
    if (c == '"') quoted_ += c;
    quoted_ += c;
  }
  quoted_ += '"';
}

std::string state_tables::with_names(std::string_view sql) const {
  std::string out;
  for (char const c : sql)
    if (c == '@') out.append(quoted_).append(".");
    else out += c;
  return out;
}

// Not by to_regclass, which may remember from before the lock that there was none.
task<bool> state_tables::exists(connection& on, std::string table) const {
  parameters names;
  names.text(schema_).text(table);
  statement look("SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2",
                 std::move(names));
  result const found = co_await on.query(std::move(look));
  co_return found.integer(0, 0) != 0;
}

task<> state_tables::create(connection& on) const {
  transaction all = co_await transaction::begin(on, "ISOLATION LEVEL READ COMMITTED");
  parameters key;
  key.integer(static_cast<std::int64_t>(checksum().add("weir state tables").add(schema_).value()));
  statement lock("SELECT pg_advisory_xact_lock($1)", std::move(key));  // CREATE ... IF NOT EXISTS is not safe beside another
  co_await on.query(std::move(lock));
  bool const made = co_await exists(on, "weir_state_format");
  if (made) {
    co_await all.rollback();
    co_return;
  }
  for (char const* const table : relations) {
    bool const foreign = co_await exists(on, table);
    if (foreign)
      refuse(errc::incompatible, on.server(), schema_, "it has a table " + std::string(table) + " of another program",
             "give another schema for the checkpoints");
  }
  parameters schema;
  schema.text(schema_);
  statement look("SELECT count(*) FROM pg_namespace WHERE nspname = $1",
                 std::move(schema));  // IF NOT EXISTS wants a right that is not needed
  result const found = co_await on.query(std::move(look));
  if (found.integer(0, 0) == 0) co_await on.execute("CREATE SCHEMA " + quoted_);
  std::string sql = with_names(make_tables);
  sql += with_names("INSERT INTO @weir_state_format VALUES(") + std::to_string(version) + ')';
  co_await on.execute(std::move(sql));
  co_await all.commit();
}

task<> state_tables::prepare(connection& on) const {
  bool const made = co_await exists(on, "weir_state_format");
  if (!made) co_await create(on);
  statement look(with_names("SELECT version FROM @weir_state_format"));
  result const found = co_await on.query(std::move(look));
  if (found.rows() != 1) {
    refuse(errc::corrupt, on.server(), schema_, "its table weir_state_format has " + std::to_string(found.rows()) + " rows in place of one",
           "restore it from a backup");
  }
  if (auto const v = found.integer(0, 0); v > version) {
    refuse(errc::incompatible, on.server(), schema_,
           "it was written by a later version of Weir: its tables have version " + std::to_string(v) + ", this program knows " +
               std::to_string(version),
           "use that version, or another schema to start anew");
  } else if (v < 1) {
    refuse(errc::corrupt, on.server(), schema_, "its version is " + std::to_string(v), "restore it from a backup");
  }
  co_await on.execute(std::string(session));
}

}  // namespace weir::postgres::detail
