#include <weir/sqlite/detail/state_tables.hpp>

#include <weir/checksum.hpp>
#include <weir/detail/ordered_bytes.hpp>
#include <weir/error.hpp>
#include <weir/rfc3339.hpp>

#include <array>
#include <bit>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

namespace weir::sqlite {
namespace {

constexpr std::int64_t application = 0x77656972;  // "weir"
constexpr std::int64_t tables_version = 2;

// Without STRICT a text column would turn numbers into texts, and the checksum would not see it.
constexpr std::string_view schema = R"(
CREATE TABLE checkpoints(
  id         INTEGER PRIMARY KEY,
  pipeline   TEXT NOT NULL,
  stream     TEXT NOT NULL,
  partition  TEXT NOT NULL,
  position   TEXT NOT NULL,     -- everything up to here is done
  written_at TEXT NOT NULL,     -- RFC 3339, UTC
  version    INTEGER NOT NULL,  -- how many commits made it
  writer     TEXT NOT NULL,     -- the run of the pipeline that committed last
  checksum   TEXT NOT NULL,     -- over the columns from pipeline to writer, 16 hexadecimal digits
  UNIQUE(pipeline, stream, partition)
) STRICT;
CREATE TABLE state(
  checkpoint INTEGER NOT NULL REFERENCES checkpoints(id),
  operator   TEXT NOT NULL,
  key        BLOB NOT NULL,
  value      BLOB NOT NULL,
  checksum   INTEGER NOT NULL,  -- over operator, key and value
  PRIMARY KEY(checkpoint, operator, key)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = 2003134834;
PRAGMA user_version = 2;
)";

std::string check_of(checkpoint_key const& key, std::string_view position, std::string_view written_at, std::int64_t version,
                     std::string_view writer) {
  checksum sum;
  for (std::string_view const text :
       {std::string_view(key.pipeline), std::string_view(key.stream), std::string_view(key.partition), position, written_at, writer})
    sum.add(text.size()).add(text);
  sum.add(static_cast<std::uint64_t>(version));
  std::array<char, 16> digits{};
  auto const end = std::to_chars(digits.data(), digits.data() + digits.size(), sum.value(), 16).ptr;
  auto const count = static_cast<std::size_t>(end - digits.data());
  return std::string(digits.size() - count, '0').append(digits.data(), count);
}
std::int64_t check_of(std::string_view id, std::span<std::byte const> key, std::span<std::byte const> value) {
  checksum sum;
  sum.add(id.size()).add(id).add(key.size()).add(key).add(value.size()).add(value);
  return std::bit_cast<std::int64_t>(sum.value());
}

std::span<std::byte const> as_blob(std::string_view s) { return std::as_bytes(std::span(s.data(), s.size())); }
std::string as_text(std::span<std::byte const> blob) {
  return blob.empty() ? std::string() : std::string(reinterpret_cast<char const*>(blob.data()), blob.size());
}
[[noreturn]] void refuse(errc code, std::filesystem::path const& file, std::string why, std::string advice) {
  throw error(code, "checkpoint: cannot use the file", std::move(why), std::move(advice)).with_detail(file.string());
}

void check_owner(database& db) {
  if (std::int64_t const id = db.number("PRAGMA application_id"); id != application) {
    refuse(errc::incompatible, db.path(), "it is a database of another program, with application_id " + std::to_string(id),
           "give another name for the checkpoints");
  }
  std::int64_t const found = db.number("PRAGMA user_version");
  if (found == tables_version) return;
  if (found < 1) refuse(errc::corrupt, db.path(), "its user_version is " + std::to_string(found), "restore the file from a backup");
  refuse(errc::incompatible, db.path(),
         std::string("it was written by ") + (found > tables_version ? "a later" : "an earlier") +
             " version of Weir: its tables have version " + std::to_string(found) + ", this program knows " +
             std::to_string(tables_version),
         "use that version, or start anew without the file");
}

}  // namespace

database open_state_file(std::filesystem::path file, std::chrono::milliseconds busy_timeout) {
  database db(std::move(file), open_mode::create, busy_timeout);
  std::string_view const tables = "SELECT count(*) FROM sqlite_schema";
  if (db.number(tables) == 0) {
    transaction all(db);  // another process may be about to make them too
    if (db.number(tables) == 0) db.execute(schema);
    all.commit();
  }
  check_owner(db);
  return db;
}

state_tables::state_tables(database& db)
    : db_(db),
      select_(db.prepare("SELECT id, pipeline, stream, partition, position, written_at, version, writer, checksum FROM checkpoints "
                         "WHERE pipeline = ? AND stream = ? AND partition = ?")),
      select_all_(db.prepare("SELECT id, pipeline, stream, partition, position, written_at, version, writer, checksum FROM checkpoints "
                             "WHERE pipeline = ? ORDER BY stream, partition")),
      keys_(db.prepare("SELECT pipeline, stream, partition FROM checkpoints ORDER BY pipeline, stream, partition")),
      insert_(db.prepare("INSERT INTO checkpoints(pipeline, stream, partition, position, written_at, version, writer, checksum) "
                         "VALUES(?, ?, ?, ?, ?, ?, ?, ?) RETURNING id")),
      update_(db.prepare("UPDATE checkpoints SET position = ?, written_at = ?, version = ?, writer = ?, checksum = ? WHERE id = ?")),
      entries_(db.prepare("SELECT operator, key, value, checksum FROM state WHERE checkpoint = ? ORDER BY operator, key")),
      sizes_(db.prepare(
          "SELECT count(*), total(length(CAST(operator AS BLOB)) + length(key) + length(value)) FROM state WHERE checkpoint = ?")),
      put_(db.prepare("INSERT OR REPLACE INTO state VALUES(?, ?, ?, ?, ?)")),
      erase_(db.prepare("DELETE FROM state WHERE checkpoint = ? AND operator = ? AND key = ?")),
      erase_range_(db.prepare("DELETE FROM state WHERE checkpoint = ? AND operator = ? AND key >= ? AND key < ?")),
      erase_from_(db.prepare("DELETE FROM state WHERE checkpoint = ? AND operator = ? AND key >= ?")),
      erase_state_(db.prepare("DELETE FROM state WHERE checkpoint IN "
                              "(SELECT id FROM checkpoints WHERE pipeline = ? AND stream = ? AND partition = ?)")),
      erase_head_(db.prepare("DELETE FROM checkpoints WHERE pipeline = ? AND stream = ? AND partition = ?")) {}

void state_tables::refuse_row(checkpoint_key const& key, std::string const& why) const {
  throw error(errc::corrupt, "checkpoint: cannot load", why,
              "restore the file from a backup, or erase the checkpoint to begin from the start")
      .with_stream(key.stream)
      .with_partition(key.partition)
      .with_detail("pipeline " + key.pipeline)
      .with_detail(db_.path().string());
}

checkpoint_row state_tables::read_head(statement const& row) const {
  checkpoint_key key(std::string(row.text(1)), std::string(row.text(2)), std::string(row.text(3)));
  auto const at = position::parse(row.text(4));
  auto const written_at = parse_rfc3339(row.text(5));
  std::int64_t const version = row.integer(6);
  if (check_of(key, row.text(4), row.text(5), version, row.text(7)) != row.text(8)) refuse_row(key, "the row does not match its checksum");
  if (!at || !written_at || version < 1) refuse_row(key, "the row's position, time or version is not of the form it should have");
  return {row.integer(0), std::move(key), checkpoint_head(*at, *written_at, static_cast<std::uint64_t>(version), std::string(row.text(7)))};
}

std::optional<checkpoint_row> state_tables::find(checkpoint_key const& key) {
  reset_at_end const ended(select_);
  select_.bind(1, key.pipeline);
  select_.bind(2, key.stream);
  select_.bind(3, key.partition);
  if (!select_.step()) return std::nullopt;
  return read_head(select_);
}

std::vector<checkpoint_row> state_tables::find_all(std::string const& pipeline) {
  reset_at_end const ended(select_all_);
  select_all_.bind(1, pipeline);
  std::vector<checkpoint_row> all;
  while (select_all_.step()) all.push_back(read_head(select_all_));
  return all;
}

std::vector<checkpoint_key> state_tables::keys() {
  reset_at_end const ended(keys_);
  std::vector<checkpoint_key> all;
  while (keys_.step()) all.emplace_back(std::string(keys_.text(0)), std::string(keys_.text(1)), std::string(keys_.text(2)));
  return all;
}

std::vector<state_entry> state_tables::entries_of(checkpoint_row const& row) {
  reset_at_end const ended(entries_);
  entries_.bind(1, row.id);
  std::vector<state_entry> all;
  while (entries_.step()) {
    auto const key = entries_.blob(1), value = entries_.blob(2);
    if (check_of(entries_.text(0), key, value) != entries_.integer(3))
      refuse_row(row.key, "a row of the state of operator " + std::string(entries_.text(0)) + " does not match its checksum");
    all.emplace_back(std::string(entries_.text(0)), as_text(key), std::vector<std::byte>(value.begin(), value.end()));
  }
  return all;
}

checkpoint_listing state_tables::listing_of(checkpoint_row row) {
  reset_at_end const ended(sizes_);
  sizes_.bind(1, row.id);
  sizes_.step();
  return {std::move(row.key), std::move(row.head), static_cast<std::uint64_t>(sizes_.integer(0)),
          static_cast<std::uint64_t>(sizes_.real(1))};
}

std::int64_t state_tables::write_head(checkpoint_key const& key, checkpoint_head const& head, checkpoint_row const* before) {
  std::string const at = head.position.text();
  std::string const when = format_rfc3339(head.written_at, 9);
  auto const version = static_cast<std::int64_t>(head.version);
  std::string const check = check_of(key, at, when, version, head.writer);
  if (before) {
    update_.run(at, when, version, head.writer, check, before->id);
    return before->id;
  }
  reset_at_end const ended(insert_);
  int parameter = 0;
  for (std::string const* text : {&key.pipeline, &key.stream, &key.partition, &at, &when}) insert_.bind(++parameter, *text);
  insert_.bind(++parameter, version);
  insert_.bind(++parameter, head.writer);
  insert_.bind(++parameter, check);
  insert_.step();
  return insert_.integer(0);
}

void state_tables::write(std::int64_t checkpoint, state_change const& change) {
  auto const& [id, key, value] = change.entry;
  switch (change.kind) {
    case state_change_kind::put:
      put_.run(checkpoint, id, as_blob(key), std::span<std::byte const>(value), check_of(id, as_blob(key), value));
      break;
    case state_change_kind::erase: erase_.run(checkpoint, id, as_blob(key)); break;
    case state_change_kind::erase_prefix:
      if (std::string const end = weir::detail::behind_prefix(key); end.empty()) erase_from_.run(checkpoint, id, as_blob(key));
      else erase_range_.run(checkpoint, id, as_blob(key), as_blob(end));
      break;
  }
}

void state_tables::erase(checkpoint_key const& key) {
  erase_state_.run(key.pipeline, key.stream, key.partition);
  erase_head_.run(key.pipeline, key.stream, key.partition);
}

}  // namespace weir::sqlite
