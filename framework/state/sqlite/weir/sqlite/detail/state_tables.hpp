#pragma once
#include <weir/sqlite/database.hpp>
#include <weir/state_store.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace weir::sqlite {

// A file with the tables of checkpoints in it, made when there is none. Throws errc::incompatible for files of others.
database open_state_file(std::filesystem::path file, std::chrono::milliseconds busy_timeout);

// A row of `checkpoints`.
struct checkpoint_row {
  std::int64_t id;  // what `state` calls it
  checkpoint_key key;
  checkpoint_head head;
};

// The rows of such a file. Not thread-safe; transactions are the caller's.
class state_tables {
public:
  explicit state_tables(database& db);

  std::optional<checkpoint_row> find(checkpoint_key const& key);
  std::vector<checkpoint_row> find_all(std::string const& pipeline);
  std::vector<checkpoint_key> keys();
  std::vector<state_entry> entries_of(checkpoint_row const& row);
  // How many entries a checkpoint has, and of how many bytes.
  checkpoint_listing listing_of(checkpoint_row row);

  // `before`: the row that is replaced; null: there is none.
  std::int64_t write_head(checkpoint_key const& key, checkpoint_head const& head, checkpoint_row const* before);
  void write(std::int64_t checkpoint, state_change const& change);
  void erase(checkpoint_key const& key);

private:
  checkpoint_row read_head(statement const& row) const;
  [[noreturn]] void refuse_row(checkpoint_key const& key, std::string const& why) const;

  database& db_;
  statement select_, select_all_, keys_, insert_, update_, entries_, sizes_, put_, erase_, erase_range_, erase_from_, erase_state_,
      erase_head_;
};

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

}  // namespace weir::sqlite
