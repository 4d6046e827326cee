#include "letter_commands.hpp"
#include "text.hpp"

#include <weir/file/line_file.hpp>

#include <command_line/complain.hpp>

#include <fmt/format.h>

namespace letter_tool {
namespace {

std::vector<kept_letter const*> chosen(opened_letters const& letters, options const& o) {
  std::vector<kept_letter const*> out;
  if (o.ids.empty()) {
    for (kept_letter const& k : letters.all())
      if (o.which.takes(weir::checkpoint_key(k.letter.pipeline, k.letter.stream, k.letter.partition))) out.push_back(&k);
  } else {
    for (std::uint64_t const id : o.ids) out.push_back(&letter_of(letters, id));
  }
  return out;
}

}  // namespace

int replay(opened_letters const& letters, options const& o) {
  std::size_t before = 0, unfit = 0;
  std::vector<std::uint64_t> done;
  // No line begins with a line break: a last line of the file that has none is somebody's, and stays.
  weir::file::line_file out(o.to, "replay", "\n");
  for (kept_letter const* const k : chosen(letters, o)) {
    if (k->replayed_at && !o.again) {
      ++before;
    } else if (k->letter.payload.find('\n') != std::string::npos) {
      ++unfit;
      command_line::complain("weir", "dead letter " + std::to_string(k->id) +
                                         " has a line break in its payload, and cannot be a line; weir "
                                         "dead-letters show has it");
    } else {
      out.add(k->letter.payload);
      done.push_back(k->id);
    }
  }
  out.flush();
  letters.mark_replayed(done);
  fmt::print(stderr, "{} replayed", state_tool::count_text(done.size(), "dead letter", "dead letters"));
  if (before != 0) fmt::print(stderr, ", {} were replayed before (--again)", before);
  if (unfit != 0) fmt::print(stderr, ", {} cannot be", unfit);
  fmt::print(stderr, "\n");
  return unfit == 0 ? 0 : 1;
}

}  // namespace letter_tool
