#pragma once
#include <array>
#include <cstddef>
#include <string>

namespace weir::redis::detail {

// What the server runs. Each returns a list that begins with a word:
//   done                                            changed
//   absent                                          no checkpoint
//   head POSITION WRITTEN_AT VERSION WRITER ENTRIES ...
//   corrupt KEY WHY, foreign KEY TYPE, later KEY FORMAT
// KEYS (see state_keys.hpp): head, state, order, index; of `list` the index alone.
enum class script : std::size_t {
  commit,  // ARGV: version it builds on, the head's fields from position to writer, member of the index, "1" to touch what is there
           // already, "1" to move back as well, then steps, packed (see stored_state.hpp)
  load,    // ARGV: field to go on behind (empty: from the first), fields and bytes at most, member of the index, "1" for sizes in place
           // of values. Behind the head: whether there is more, fields and values in turn
  list,    // a list of: member, answer as above
  erase,   // ARGV: member of the index
  scan,  // no KEYS; ARGV: where to go on ("0" from the start), what indexes look like. A list of: where to go on ("0": at the end), and of
         // each index its key, followed by its members
};
inline constexpr std::size_t script_count = 5;

std::string const& text_of(script s);

}  // namespace weir::redis::detail
