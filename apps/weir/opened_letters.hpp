#pragma once

#include <weir/dead_letter.hpp>
#include <weir/instant.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace letter_tool {

/// A letter as the tool shows it.
struct kept_letter {
  std::uint64_t id = 0;  ///< in SQLite the id of its row, else the number of its line
  weir::dead_letter letter;
  std::optional<weir::instant> replayed_at;
};

/// Dead letters in a file that exists. Which kind of file it is, its first bytes say.
///
/// Errors: `errc::not_found`; `errc::invalid_option` for SQLite when that library was not built; `errc::malformed` for a line that is no
/// letter; those of `sqlite::database`. Lines with one pipeline, stream, partition and position are one letter: the first one's place and
/// number, the last one's content. A last line that was not finished is passed over, and complained of.
class opened_letters {
public:
  explicit opened_letters(std::string place);

  std::string const& place() const noexcept { return place_; }
  std::vector<kept_letter> const& all() const noexcept { return all_; }
  /// Notes that these were replayed now, all or none; lines of JSON have no place for that, and stay as they are.
  void mark_replayed(std::vector<std::uint64_t> const& ids) const;

private:
  void read_sqlite();
  void read_lines();

  std::string place_;
  bool sqlite_;
  std::vector<kept_letter> all_;
};

}  // namespace letter_tool
