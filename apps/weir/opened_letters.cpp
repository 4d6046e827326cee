#include "opened_letters.hpp"

#include "open_store.hpp"

#include <weir/error.hpp>
#include <weir/file/dead_letter_line.hpp>

#include <command_line/complain.hpp>

#ifdef WEIR_HAS_SQLITE
#include <weir/sqlite/database.hpp>
#include <weir/sqlite/dead_letters.hpp>
#endif

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

namespace letter_tool {
namespace {

[[noreturn]] void refuse(weir::errc code, std::string const& place, std::string why, std::string advice) {
  throw weir::error(code, "weir: cannot read dead letters", std::move(why), std::move(advice)).with_detail(place);
}

std::string existing(std::string place) {
  std::error_code ignored;
  auto const status = std::filesystem::status(place, ignored);
  if (status.type() == std::filesystem::file_type::not_found)
    refuse(weir::errc::not_found, place, "the file does not exist", "give the path of the file in which the pipeline keeps them");
  if (std::filesystem::is_directory(status)) refuse(weir::errc::not_found, place, "it is a folder", "give the path of a file");
  return place;
}

// https://www.sqlite.org/fileformat.html section 1.3: the magic header string.
bool is_sqlite(std::string const& place) {
  constexpr std::string_view magic("SQLite format 3\0", 16);
  std::string first(magic.size(), '\0');
  std::ifstream(place, std::ios::binary).read(first.data(), static_cast<std::streamsize>(first.size()));
  return first == magic;
}

}  // namespace

opened_letters::opened_letters(std::string place) : place_(existing(std::move(place))), sqlite_(is_sqlite(place_)) {
  if (sqlite_) read_sqlite();
  else read_lines();
}

void opened_letters::read_lines() {
  std::ifstream in(place_, std::ios::binary);
  if (!in) refuse(weir::errc::access_denied, place_, "it cannot be opened", "check the permissions of the file");
  std::map<std::tuple<std::string, std::string, std::string, weir::position>, std::size_t> places;
  std::string line;
  for (std::uint64_t number = 1; std::getline(in, line); ++number) {
    bool const finished = !in.eof();
    auto letter = weir::file::parse_dead_letter(line);
    if (!letter && !finished) {
      command_line::complain("weir", "the last line of " + place_ + " is not finished, and is passed over");
      return;
    }
    if (!letter) {
      refuse(weir::errc::malformed, place_, "line " + std::to_string(number) + " is no dead letter",
             "give a file that a pipeline has written, or correct the line");
    }
    auto const [at, fresh] =
        places.try_emplace(std::tuple(letter->pipeline, letter->stream, letter->partition, letter->position), all_.size());
    if (fresh) all_.emplace_back().id = number;
    all_[at->second].letter = *std::move(letter);
  }
}

#ifdef WEIR_HAS_SQLITE
void opened_letters::read_sqlite() {
  weir::sqlite::database file(place_, weir::sqlite::open_mode::read_only);
  for (auto& row : weir::sqlite::read_dead_letters(file)) {
    kept_letter& k = all_.emplace_back();
    k.id = static_cast<std::uint64_t>(row.id);
    k.letter = std::move(row.letter);
    k.replayed_at = row.replayed_at;
  }
}

void opened_letters::mark_replayed(std::vector<std::uint64_t> const& ids) const {
  if (!sqlite_ || ids.empty()) return;
  weir::sqlite::database file(place_, weir::sqlite::open_mode::existing);
  weir::sqlite::transaction together(file);
  weir::instant const now = weir::to_instant(std::chrono::system_clock::now());
  for (std::uint64_t const id : ids) weir::sqlite::mark_replayed(file, static_cast<std::int64_t>(id), now);
  together.commit();
}
#else
void opened_letters::read_sqlite() { state_tool::refuse_not_built("sqlite"); }
void opened_letters::mark_replayed(std::vector<std::uint64_t> const&) const {}
#endif

}  // namespace letter_tool
