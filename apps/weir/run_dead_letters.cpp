#include "letter_commands.hpp"
#include "text.hpp"

#include <weir/error.hpp>
#include <weir/rfc3339.hpp>

#include <algorithm>

namespace letter_tool {

kept_letter const& letter_of(opened_letters const& letters, std::uint64_t id) {
  auto const& all = letters.all();
  auto const found = std::find_if(all.begin(), all.end(), [id](kept_letter const& k) { return k.id == id; });
  if (found != all.end()) return *found;
  throw weir::error(weir::errc::not_found, "weir: there is no dead letter " + std::to_string(id),
                    all.empty() ? "the file has none" : "the file has " + std::to_string(all.size()) + " others",
                    "weir dead-letters list shows them")
      .with_detail(letters.place());
}

void print_json(kept_letter const& k) {
  weir::dead_letter const& l = k.letter;
  state_tool::json_line line;
  line.add("id", k.id).add_key(weir::checkpoint_key(l.pipeline, l.stream, l.partition)).add("position", l.position.text());
  line.add("died_at", weir::format_rfc3339(l.died_at)).add("attempts", l.attempts);
  if (k.replayed_at) line.add("replayed_at", weir::format_rfc3339(*k.replayed_at));
  line.add("code", l.code).add_bytes("error", l.error).add_bytes("payload", l.payload).print();
}

int run_dead_letters(options const& o) {
  opened_letters const letters(o.place);
  switch (o.what) {
    case options::task::list: return list(letters, o);
    case options::task::show: return show(letters, o);
    case options::task::replay: break;
  }
  return replay(letters, o);
}

}  // namespace letter_tool
