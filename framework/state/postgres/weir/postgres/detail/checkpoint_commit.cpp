#include <weir/postgres/detail/checkpoint_commit.hpp>

#include <weir/detail/commit_check.hpp>
#include <weir/error.hpp>
#include <weir/postgres/detail/entry_statements.hpp>
#include <weir/rfc3339.hpp>

#include <exception>
#include <limits>
#include <optional>
#include <utility>

namespace weir::postgres::detail {

checkpoint_commit::checkpoint_commit(state_tables const& tables, checkpoint_key key, checkpoint_update update,
                                     std::vector<std::shared_ptr<write>> writes)
    : tables_(&tables), key_(std::move(key)), update_(std::move(update)), writes_(std::move(writes)) {
  check_limits(key_);
  for (state_change const& c : update_.changes) check_limits(key_, c);
}

// The lock comes in a statement of its own, so that what is read behind it is what is committed then. A try before this one whose
// connection was lost has the lock until the server has committed or undone it.
task<> checkpoint_commit::run(connection& on) {
  parameters lock;
  lock.integer(lock_of(tables_->schema(), key_));
  std::vector<statement> first;
  first.emplace_back("BEGIN ISOLATION LEVEL READ COMMITTED");
  first.emplace_back("SELECT pg_advisory_xact_lock($1)", std::move(lock));
  first.emplace_back(tables_->with_names("SELECT " + std::string(head_columns) +
                                         " FROM @checkpoints WHERE pipeline = $1 AND stream = $2 AND partition = $3"),
                     names_of(key_), value_format::binary);
  auto const begun = co_await on.query_all(std::move(first));
  std::exception_ptr refusal;
  bool arrived = false;
  stored_head row;
  bool const known = begun[2].rows() != 0;
  try {
    if (known) row = read_head(begun[2], 0, 0, key_, on.server());
    arrived = weir::detail::judge_commit(key_, update_, known ? &row.head : nullptr) == weir::detail::commit_verdict::arrived;
  } catch (...) {
    refusal = std::current_exception();
  }
  if (arrived || refusal) {
    statement nothing("ROLLBACK");
    co_await on.query(std::move(nothing));
    if (refusal) std::rethrow_exception(refusal);
    co_return;
  }
  if (!known) row.id = co_await first_row(on);
  row.head = update_.head;
  row.entries += co_await change_entries(on, row.id);
  co_await write_rows(on);
  parameters values;
  values.integer(row.id).text(row.head.position.text()).text(format_rfc3339(row.head.written_at, 9));
  values.integer(static_cast<std::int64_t>(row.head.version)).bytes(row.head.writer).integer(row.entries).integer(check_of(key_, row));
  std::vector<statement> last;
  last.emplace_back(tables_->with_names("UPDATE @checkpoints SET position = $2, written_at = $3, version = $4, writer = $5, entries = $6, "
                                        "checksum = $7 WHERE id = $1"),
                    std::move(values));
  last.emplace_back("COMMIT");
  bool const before = std::exchange(uncertain_, true);
  try {
    co_await on.query_all(std::move(last));
  } catch (...) {
    uncertain_ = before || !on.is_open();
    throw;
  }
}

task<std::int64_t> checkpoint_commit::first_row(connection& on) {
  statement insert(
      tables_->with_names("INSERT INTO @checkpoints(pipeline, stream, partition, position, written_at, version, writer, entries, "
                          "checksum) VALUES($1, $2, $3, '', '', 0, '', 0, 0) RETURNING id"),
      names_of(key_), value_format::binary);
  result const made = co_await on.query(std::move(insert));
  co_return made.integer(0, 0);
}

// How many entries there are more than before.
task<std::int64_t> checkpoint_commit::change_entries(connection& on, std::int64_t id) {
  entry_statements all(*tables_, id, update_.changes);
  auto const done = co_await on.query_all(all.take());
  std::int64_t more = 0;
  for (std::size_t i = 0; i != done.size(); ++i) more += all.is_put(i) ? done[i].integer(0, 0) : -done[i].affected();
  co_return more;
}

task<> checkpoint_commit::write_rows(connection& on) {
  for (std::shared_ptr<write> const& w : writes_) {
    std::vector<statement> rows = w->statements();
    co_await on.query_all(std::move(rows));
  }
}

}  // namespace weir::postgres::detail
