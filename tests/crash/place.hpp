#pragma once
#include "framework/state/postgres/server.hpp"
#include "support/temporary_folder.hpp"

#include <memory>
#include <string>
#include <vector>

namespace weir::test {

/// Where a program under test keeps its results: made for one round, gone after it.
class place {
public:
  place() = default;
  place(place const&) = delete;
  place& operator=(place const&) = delete;
  virtual ~place() = default;

  /// As the command line of the program has it.
  virtual std::string name() const = 0;
  /// What a reader who knows nothing of Weir finds: rows of values separated by commas, sorted; none where there is no such table.
  virtual std::vector<std::string> rows(std::string const& sql) const = 0;
  /// From now on whatever is written into `table` is noted in the table `said`, with `columns` ("a, b"), in the transaction that writes it:
  /// what is written twice is there twice, although it looks the same in `table`.
  virtual void note_writes(std::string const& table, std::string const& columns) const = 0;
  /// The folder in which the program runs.
  std::string folder() const { return folder_.path().string(); }

protected:
  temporary_folder folder_;
};

/// A file of SQLite.
std::unique_ptr<place> sqlite_place();

/// A database of its own in the server. Main thread only.
std::unique_ptr<place> postgres_place(postgres_server& in);

}  // namespace weir::test
