#include <weir/sqlite/checkpoint_store.hpp>

#include <weir/checksum.hpp>
#include <weir/detail/stale_checkpoint.hpp>
#include <weir/error.hpp>
#include <weir/rfc3339.hpp>
#include <weir/sqlite/database.hpp>

#include <array>
#include <charconv>
#include <mutex>
#include <utility>

namespace weir::sqlite {
namespace {

constexpr std::int64_t application = 0x77656972;  // "weir"
constexpr std::int64_t version = 1;

// Without STRICT a text column would turn numbers into texts, and the checksum would not see it.
constexpr std::string_view schema = R"(
CREATE TABLE checkpoints(
  pipeline   TEXT NOT NULL,
  stream     TEXT NOT NULL,
  partition  TEXT NOT NULL,
  position   TEXT NOT NULL,  -- everything up to here is done
  written_at TEXT NOT NULL,  -- RFC 3339, UTC
  state      BLOB NOT NULL,
  checksum   TEXT NOT NULL,  -- over all columns before, 16 hexadecimal digits
  PRIMARY KEY(pipeline, stream, partition)
) STRICT;
PRAGMA application_id = 2003134834;
PRAGMA user_version = 1;
)";

std::string check_of(checkpoint_key const& key, std::string_view position, std::string_view written_at, std::span<std::byte const> state) {
  checksum sum;
  for (std::string_view const text :
       {std::string_view(key.pipeline), std::string_view(key.stream), std::string_view(key.partition), position, written_at})
    sum.add(text.size()).add(text);
  sum.add(state.size()).add(state);
  std::array<char, 16> digits{};
  auto const end = std::to_chars(digits.data(), digits.data() + digits.size(), sum.value(), 16).ptr;
  auto const count = static_cast<std::size_t>(end - digits.data());
  return std::string(digits.size() - count, '0').append(digits.data(), count);
}

[[noreturn]] void refuse(errc code, std::filesystem::path const& file, std::string why, std::string advice) {
  throw error(code, "checkpoint: cannot use the file", std::move(why), std::move(advice)).with_detail(file.string());
}

void check_owner(database& db) {
  if (std::int64_t const id = db.number("PRAGMA application_id"); id != application) {
    refuse(errc::incompatible, db.path(), "it is a database of another program, with application_id " + std::to_string(id),
           "give another name for the checkpoints");
  }
  if (std::int64_t const found = db.number("PRAGMA user_version"); found > version) {
    refuse(errc::incompatible, db.path(),
           "it was written by a later version of Weir: its tables have version " + std::to_string(found) + ", this program knows " +
               std::to_string(version),
           "use that version, or start anew without the file");
  } else if (found < 1) {
    refuse(errc::corrupt, db.path(), "its user_version is " + std::to_string(found), "restore the file from a backup");
  }
}

// With the table in it. Another process may be about to make it too.
database open(std::filesystem::path file, std::chrono::milliseconds busy_timeout) {
  database db(std::move(file), open_mode::create, busy_timeout);
  std::string_view const tables = "SELECT count(*) FROM sqlite_schema";
  if (db.number(tables) == 0) {
    transaction all(db);
    if (db.number(tables) == 0) db.execute(schema);
    all.commit();
  }
  check_owner(db);
  return db;
}

}  // namespace

struct checkpoint_store::parts {
  parts(std::filesystem::path file, std::chrono::milliseconds busy_timeout)
      : db(open(std::move(file), busy_timeout)),
        select(db.prepare(
            "SELECT position, written_at, state, checksum FROM checkpoints WHERE pipeline = ? AND stream = ? AND partition = ?")),
        select_position(db.prepare("SELECT position FROM checkpoints WHERE pipeline = ? AND stream = ? AND partition = ?")),
        select_all(db.prepare("SELECT position, written_at, state, checksum, stream, partition FROM checkpoints WHERE pipeline = ? ORDER "
                              "BY stream, partition")),
        replace(db.prepare("INSERT OR REPLACE INTO checkpoints VALUES(?, ?, ?, ?, ?, ?, ?)")),
        remove(db.prepare("DELETE FROM checkpoints WHERE pipeline = ? AND stream = ? AND partition = ?")) {}

  // The first four columns of a row, if it is what was written.
  saved_checkpoint read(statement const& row, checkpoint_key const& key) const {
    auto const at = position::parse(row.text(0));
    auto const written_at = parse_rfc3339(row.text(1));
    auto const state = row.blob(2);
    bool const sound = check_of(key, row.text(0), row.text(1), state) == row.text(3);
    if (sound && at && written_at) return saved_checkpoint(*at, *written_at, std::vector<std::byte>(state.begin(), state.end()));
    throw error(errc::corrupt, "checkpoint: cannot load",
                sound ? "the row's position or time is not of the form it should have" : "the row does not match its checksum",
                "restore the file from a backup, or delete the row to begin from the start")
        .with_stream(key.stream)
        .with_partition(key.partition)
        .with_detail("pipeline " + key.pipeline)
        .with_detail(db.path().string());
  }

  std::optional<saved_checkpoint> find(checkpoint_key const& key) {
    reset_at_end const ended(select);
    bind(select, key);
    if (!select.step()) return std::nullopt;
    return read(select, key);
  }

  // Reads the position alone, since the state may be large; but before it blames anyone, the row has to be sound.
  void check_forward(checkpoint_key const& key, position const& to) {
    reset_at_end const ended(select_position);
    bind(select_position, key);
    if (!select_position.step()) return;
    if (auto const stored = position::parse(select_position.text(0)); stored && *stored <= to) return;
    if (auto const whole = find(key)) weir::detail::throw_stale(key, to, whole->position);
  }

  static void bind(statement& s, checkpoint_key const& key) {
    s.bind(1, key.pipeline);
    s.bind(2, key.stream);
    s.bind(3, key.partition);
  }

  // A statement that is half-way keeps SQLite's read lock.
  class reset_at_end {
  public:
    explicit reset_at_end(statement& s) noexcept : statement_(&s) { s.reset(); }
    reset_at_end(reset_at_end const&) = delete;
    reset_at_end& operator=(reset_at_end const&) = delete;
    ~reset_at_end() { statement_->reset(); }

  private:
    statement* statement_;
  };

  std::mutex lock;
  database db;
  statement select, select_position, select_all, replace, remove;
};

checkpoint_store::checkpoint_store(std::filesystem::path file, std::chrono::milliseconds busy_timeout)
    : parts_(std::make_unique<parts>(std::move(file), busy_timeout)) {}
checkpoint_store::~checkpoint_store() = default;

task<std::optional<saved_checkpoint>> checkpoint_store::load(checkpoint_key key) {
  std::lock_guard const held(parts_->lock);
  co_return parts_->find(key);
}

task<> checkpoint_store::save(checkpoint_key key, saved_checkpoint checkpoint) {
  std::lock_guard const held(parts_->lock);
  std::string const at = checkpoint.position.text();
  std::string const written_at = format_rfc3339(checkpoint.written_at, 9);
  transaction all(parts_->db);
  parts_->check_forward(key, checkpoint.position);
  parts_->replace.run(key.pipeline, key.stream, key.partition, at, written_at, std::span<std::byte const>(checkpoint.state),
                      check_of(key, at, written_at, checkpoint.state));
  all.commit();
  co_return;
}

task<std::vector<checkpoint_entry>> checkpoint_store::list(std::string pipeline) {
  std::lock_guard const held(parts_->lock);
  std::vector<checkpoint_entry> out;
  statement& row = parts_->select_all;
  parts::reset_at_end const ended(row);
  row.bind(1, pipeline);
  while (row.step()) {
    checkpoint_key key(pipeline, std::string(row.text(4)), std::string(row.text(5)));
    saved_checkpoint saved = parts_->read(row, key);
    out.emplace_back(std::move(key), std::move(saved));
  }
  co_return out;
}

task<> checkpoint_store::erase(checkpoint_key key) {
  std::lock_guard const held(parts_->lock);
  parts_->remove.run(key.pipeline, key.stream, key.partition);
  co_return;
}

}  // namespace weir::sqlite
