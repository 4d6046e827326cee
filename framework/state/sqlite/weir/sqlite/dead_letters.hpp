#pragma once
#include <weir/dead_letter.hpp>
#include <weir/instant.hpp>
#include <weir/sqlite/table.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace weir::sqlite {

class database;
class state_store;

/// A sink for `failure_policy::dead_letter_to`: the table `dead_letters` in the file that has the checkpoints, made when it is not there.
/// ```cpp
/// pipeline.on_failure(failure_policy().dead_letter_to(sqlite::dead_letter_table(store)));
/// ```
/// ```
/// sqlite3 ticks.checkpoint 'SELECT id, partition, position, error, payload FROM dead_letters WHERE replayed_at IS NULL'
/// ```
/// A letter is written in the transaction of the commit that passes its record: exactly once. A record that dies again after a rewind
/// takes the place of its letter, which then counts as not replayed. `weir dead-letters` lists, shows and replays them.
///
/// Errors: those of `sqlite::state_store`.   Thread-safety: as a value.
table<dead_letter> dead_letter_table(std::shared_ptr<state_store> store);

/// A letter as the table has it.
struct stored_dead_letter {
  stored_dead_letter() = default;
  std::int64_t id = 0;  ///< ascends with the time of the first death
  dead_letter letter;
  std::optional<instant> replayed_at;  ///< none: it was not
};

/// All letters of a file, by id; none when it has no such table. Errors: those of `database`; `errc::corrupt` for a row that is not of the
/// form it should have.
std::vector<stored_dead_letter> read_dead_letters(database& file);

/// Notes that a letter was replayed. False: there is no letter of this id.
bool mark_replayed(database& file, std::int64_t id, instant when);

}  // namespace weir::sqlite
