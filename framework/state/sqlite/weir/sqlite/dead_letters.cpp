#include <weir/sqlite/dead_letters.hpp>

#include <weir/error.hpp>
#include <weir/rfc3339.hpp>
#include <weir/sqlite/database.hpp>
#include <weir/sqlite/state_store.hpp>

#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace weir::sqlite {
namespace {

constexpr std::string_view letters_schema = R"(
CREATE TABLE IF NOT EXISTS dead_letters(
  id          INTEGER PRIMARY KEY,
  pipeline    TEXT NOT NULL,
  stream      TEXT NOT NULL,
  partition   TEXT NOT NULL,
  position    TEXT NOT NULL,     -- where the record ends
  payload     BLOB NOT NULL,
  error       TEXT NOT NULL,
  code        TEXT NOT NULL,     -- category and number; empty: the error has none
  attempts    INTEGER NOT NULL,
  died_at     TEXT NOT NULL,     -- RFC 3339, UTC
  replayed_at TEXT,              -- likewise; null: not yet
  UNIQUE(pipeline, stream, partition, position)
) STRICT;
)";

constexpr char const* insert_letter =
    "INSERT INTO dead_letters(pipeline, stream, partition, position, payload, error, code, attempts, died_at) "
    "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT(pipeline, stream, partition, position) DO UPDATE SET payload = excluded.payload, error = excluded.error, "
    "code = excluded.code, attempts = excluded.attempts, died_at = excluded.died_at, replayed_at = NULL";

[[noreturn]] void refuse_letter(database const& file, std::int64_t id, char const* what) {
  throw error(errc::corrupt, "dead letters: cannot read",
              std::string(what) + " of row " + std::to_string(id) + " is not of the form it should have", "correct or delete the row")
      .with_detail(file.path().string());
}

instant time_of(database const& file, std::int64_t id, std::string_view text, char const* what) {
  auto const when = parse_rfc3339(text);
  if (!when) refuse_letter(file, id, what);
  return *when;
}

stored_dead_letter letter_of(database const& file, statement const& row) {
  stored_dead_letter out;
  out.id = row.integer(0);
  dead_letter& l = out.letter;
  l.pipeline = row.text(1);
  l.stream = row.text(2);
  l.partition = row.text(3);
  auto const at = position::parse(row.text(4));
  if (!at) refuse_letter(file, out.id, "the position");
  l.position = *at;
  auto const payload = row.blob(5);
  if (!payload.empty()) l.payload.assign(reinterpret_cast<char const*>(payload.data()), payload.size());
  l.error = row.text(6);
  l.code = row.text(7);
  l.attempts = static_cast<std::uint64_t>(row.integer(8));
  l.died_at = time_of(file, out.id, row.text(9), "the time of death");
  if (!row.is_null(10)) out.replayed_at = time_of(file, out.id, row.text(10), "the time of the replay");
  return out;
}

}  // namespace

table<dead_letter> dead_letter_table(std::shared_ptr<state_store> store) {
  if (!store) throw error(errc::invalid_option, "dead letters: cannot be kept", "the table was given no store");
  store->in_transaction([](database& db) { db.execute(letters_schema); });
  return table<dead_letter>(std::move(store), insert_letter, [](dead_letter const& l) {
    return std::tuple(std::string_view(l.pipeline), std::string_view(l.stream), std::string_view(l.partition), l.position.text(),
                      std::as_bytes(std::span(l.payload)), std::string_view(l.error), std::string_view(l.code), l.attempts,
                      format_rfc3339(l.died_at, 9));
  });
}

std::vector<stored_dead_letter> read_dead_letters(database& file) {
  std::vector<stored_dead_letter> all;
  if (file.number("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'dead_letters'") == 0) return all;
  statement rows = file.prepare(
      "SELECT id, pipeline, stream, partition, position, payload, error, code, attempts, died_at, replayed_at FROM dead_letters ORDER BY "
      "id");
  while (rows.step()) all.push_back(letter_of(file, rows));
  return all;
}

bool mark_replayed(database& file, std::int64_t id, instant when) {
  statement update = file.prepare("UPDATE dead_letters SET replayed_at = ? WHERE id = ?");
  update.run(format_rfc3339(when, 9), id);
  return file.changes() != 0;
}

}  // namespace weir::sqlite
