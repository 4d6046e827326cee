#include "letter_commands.hpp"
#include "text.hpp"

#include <weir/rfc3339.hpp>

#include <fmt/format.h>

namespace letter_tool {

using state_tool::name_text;
using state_tool::table;

int list(opened_letters const& letters, options const& o) {
  using side = table::side;
  table all({{"ID", side::right},
             {"PIPELINE"},
             {"STREAM"},
             {"PARTITION"},
             {"POSITION", side::right},
             {"DIED AT"},
             {"ATTEMPTS", side::right},
             {"BYTES", side::right},
             {"REPLAYED"},
             {"ERROR"}});
  std::size_t shown = 0;
  for (kept_letter const& k : letters.all()) {
    weir::dead_letter const& l = k.letter;
    if (!o.which.takes(weir::checkpoint_key(l.pipeline, l.stream, l.partition))) continue;
    ++shown;
    if (o.json) {
      print_json(k);
      continue;
    }
    all.add({std::to_string(k.id), name_text(l.pipeline), name_text(l.stream), name_text(l.partition), l.position.text(),
             weir::format_rfc3339(l.died_at), std::to_string(l.attempts), std::to_string(l.payload.size()), k.replayed_at ? "yes" : "no",
             name_text(l.error)});
  }
  if (shown == 0) fmt::print(stderr, "no dead letters in {}\n", letters.place());
  else if (!o.json) all.print();
  return 0;
}

}  // namespace letter_tool
