#include "progress.hpp"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace ticks {
namespace {

std::size_t columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1U : 79U;
}

constexpr auto redraw = std::chrono::milliseconds(100);
constexpr auto repeat = std::chrono::seconds(10);

}  // namespace

progress::progress()
    : terminal_(::isatty(STDERR_FILENO) == 1),
      begin_(clock::now()),
      due_(begin_ + (terminal_ ? clock::duration(redraw) : repeat)),
      last_(begin_) {}

progress::~progress() { clear(); }

void progress::show(progress_figures figures) {
  auto const now = clock::now();
  std::chrono::duration<double> const passed = now - last_;
  figures.rate = passed.count() > 0 ? static_cast<std::uint64_t>(static_cast<double>(figures.records - last_records_) / passed.count()) : 0;
  last_ = now;
  last_records_ = figures.records;
  due_ = now + (terminal_ ? clock::duration(redraw) : repeat);
  if (terminal_) fmt::print(stderr, "\r{}\x1b[K", progress_text(figures, columns()));
  else fmt::print(stderr, "{}\n", progress_text(figures, 200));
  std::fflush(stderr);
  drawn_ = terminal_;
}

void progress::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace ticks
