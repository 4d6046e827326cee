#pragma once

#include "progress_text.hpp"

#include <chrono>
#include <cstdint>

namespace ticks {

/// Shows where a run stands, on standard error: on a terminal a line that is drawn over itself ten times a second, elsewhere a plain line
/// every ten seconds, so that logs stay readable. Not thread-safe.
class progress {
public:
  using clock = std::chrono::steady_clock;

  /// Looks at once whether standard error is a terminal.
  progress();
  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;
  /// Clears the line.
  ~progress();

  /// Whether it is time to show something: ask before composing figures.
  bool is_due() const noexcept { return clock::now() >= due_; }
  /// Shows `figures`; `rate` is filled in here.
  void show(progress_figures figures);
  /// Takes the line off the terminal, before something else is written.
  void clear();

  std::chrono::duration<double> elapsed() const noexcept { return clock::now() - begin_; }

private:
  bool terminal_;
  bool drawn_ = false;
  clock::time_point begin_, due_, last_;
  std::uint64_t last_records_ = 0;
};

}  // namespace ticks
