#include <weir/postgres/detail/checkpoint_read.hpp>

#include <weir/postgres/detail/checkpoint_rows.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace weir::postgres::detail {
namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  auto const* const at = reinterpret_cast<std::byte const*>(text.data());
  return {at, at + text.size()};
}

// How many rows are fetched at a time: some megabytes of them, but more only step by step, as nobody knows how large the next ones are.
class portion {
public:
  std::int64_t rows() const noexcept { return rows_; }
  void had(std::size_t bytes, int in_rows) noexcept {
    constexpr std::size_t enough = std::size_t{4} << 20;
    auto const fitting = static_cast<std::int64_t>(enough / (bytes / static_cast<std::size_t>(in_rows) + 1));
    rows_ = std::clamp<std::int64_t>(fitting, 1, std::min<std::int64_t>(rows_ * 4, 20'000));
  }

private:
  std::int64_t rows_ = 16;
};

std::string in_place_of(std::string const& found, std::int64_t expected) {
  return "it has " + found + " entries in place of " + std::to_string(expected);
}

// Returns their size in bytes.
std::size_t take_entries(result const& some, std::int64_t checkpoint, checkpoint_key const& key, std::string const& server,
                         std::vector<state_entry>& out) {
  std::size_t bytes = 0;
  for (int at = 0; at != some.rows(); ++at) {
    std::string_view const of_operator = some.bytes(at, 0), name = some.bytes(at, 1), value = some.bytes(at, 2);
    if (check_of(checkpoint, of_operator, name, value) != some.integer(at, 3))
      fail_corrupt(key, server, "an entry of " + std::string(of_operator.substr(0, 40)) + " does not match its checksum");
    out.emplace_back(std::string(of_operator), std::string(name), bytes_of(value));
    bytes += of_operator.size() + name.size() + value.size();
  }
  return bytes;
}

constexpr std::string_view by_key = " FROM @checkpoints WHERE pipeline = $1 AND stream = $2 AND partition = $3";

}  // namespace

task<std::optional<saved_checkpoint>> read_checkpoint(connection& on, state_tables const& tables, checkpoint_key const& key) {
  // A commit of this key which is under way ends first: of a worker that was killed the server goes on with what it was sent. In a
  // transaction of its own, as what the next one reads is of the moment of its first statement.
  parameters lock;
  lock.integer(lock_of(tables.schema(), key));
  statement wait("SELECT pg_advisory_xact_lock_shared($1)", std::move(lock));
  co_await on.query(std::move(wait));
  std::vector<statement> first;
  first.emplace_back("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  first.emplace_back("SET LOCAL statement_timeout = 0");  // it may be large; silence has a limit all the same
  first.emplace_back(tables.with_names("SELECT " + std::string(head_columns) + std::string(by_key)), names_of(key), value_format::binary);
  auto const begun = co_await on.query_all(std::move(first));
  std::optional<saved_checkpoint> out;
  if (begun[2].rows() != 0) {
    stored_head row = read_head(begun[2], 0, 0, key, on.server());
    out.emplace(std::move(row.head));
    co_await on.execute(
        tables.with_names("DECLARE entries NO SCROLL CURSOR FOR SELECT operator, key, value, checksum FROM @entries "
                          "WHERE checkpoint = " +
                          std::to_string(row.id) + " ORDER BY operator, key"));
    for (portion next;;) {
      statement fetch("FETCH " + std::to_string(next.rows()) + " FROM entries", parameters(), value_format::binary);
      result const some = co_await on.query(std::move(fetch));
      if (some.rows() == 0) break;
      next.had(take_entries(some, row.id, key, on.server(), out->entries), some.rows());
    }
    if (std::cmp_not_equal(out->entries.size(), row.entries))
      fail_corrupt(key, on.server(), in_place_of(std::to_string(out->entries.size()), row.entries));
  }
  statement last("COMMIT");
  co_await on.query(std::move(last));
  co_return out;
}

task<std::vector<checkpoint_listing>> read_listing(connection& on, state_tables const& tables, std::string const& pipeline) {
  parameters values;
  values.bytes(pipeline);
  statement select(tables.with_names("SELECT c.stream, c.partition, count(e.key), "
                                     "coalesce(sum(length(e.operator)::bigint + length(e.key) + length(e.value)), 0)::bigint, "
                                     "c.id, c.position, c.written_at, c.version, c.writer, c.entries, c.checksum "
                                     "FROM @checkpoints c LEFT JOIN @entries e ON e.checkpoint = c.id WHERE c.pipeline = $1 "
                                     "GROUP BY c.id ORDER BY c.stream, c.partition"),
                   std::move(values), value_format::binary);
  result const rows = co_await on.query(std::move(select));
  std::vector<checkpoint_listing> out;
  for (int at = 0; at != rows.rows(); ++at) {
    checkpoint_key key(pipeline, std::string(rows.bytes(at, 0)), std::string(rows.bytes(at, 1)));
    stored_head row = read_head(rows, at, 4, key, on.server());
    std::int64_t const entries = rows.integer(at, 2);
    if (entries != row.entries) fail_corrupt(key, on.server(), in_place_of(std::to_string(entries), row.entries));
    out.emplace_back(std::move(key), std::move(row.head), static_cast<std::uint64_t>(entries),
                     static_cast<std::uint64_t>(rows.integer(at, 3)));
  }
  co_return out;
}

task<std::vector<checkpoint_key>> read_keys(connection& on, state_tables const& tables) {
  std::vector<checkpoint_key> out;
  statement select(tables.with_names("SELECT pipeline, stream, partition FROM @checkpoints ORDER BY pipeline, stream, partition"),
                   parameters(), value_format::binary);
  result const rows = co_await on.query(std::move(select));
  for (int at = 0; at != rows.rows(); ++at)
    out.emplace_back(std::string(rows.bytes(at, 0)), std::string(rows.bytes(at, 1)), std::string(rows.bytes(at, 2)));
  co_return out;
}

task<> checkpoint_erasure::run(connection& on) {
  parameters lock;
  lock.integer(lock_of(tables_->schema(), key_));
  std::vector<statement> first;
  first.emplace_back("BEGIN ISOLATION LEVEL READ COMMITTED");
  first.emplace_back("SELECT pg_advisory_xact_lock($1)", std::move(lock));
  first.emplace_back(tables_->with_names("SELECT id" + std::string(by_key)), names_of(key_), value_format::binary);
  auto const begun = co_await on.query_all(std::move(first));
  if (!id_) id_ = begun[2].rows() == 0 ? 0 : begun[2].integer(0, 0);
  std::vector<statement> last;
  for (char const* const sql : {"DELETE FROM @entries WHERE checkpoint = $1", "DELETE FROM @checkpoints WHERE id = $1"}) {
    parameters id;
    id.integer(*id_);
    last.emplace_back(tables_->with_names(sql), std::move(id));
  }
  last.emplace_back("COMMIT");
  co_await on.query_all(std::move(last));
}

}  // namespace weir::postgres::detail
