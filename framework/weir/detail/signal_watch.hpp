#pragma once
#include <chrono>
#include <functional>
#include <memory>

namespace weir::detail {

// SIGINT and SIGTERM, heard by a thread of its own: also while the program's thread is not given back.
class signal_watch {
public:
  // Both run on that thread. `heard`: the signal, and how many came before it; says after how long `overdue` is to run, in place of what
  // was said before, unless the watch has ended by then.
  signal_watch(std::function<std::chrono::nanoseconds(int signal, int before)> heard, std::function<void()> overdue);
  signal_watch(signal_watch const&) = delete;
  signal_watch& operator=(signal_watch const&) = delete;
  ~signal_watch();  // waits for what runs there

private:
  class parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace weir::detail
