#include <weir/detail/checkpoint_line.hpp>

#include <weir/error.hpp>

namespace weir::detail {
namespace {

std::string_view name_of(std::string const& line) { return line.empty() ? std::string_view("the whole") : std::string_view(line); }

}  // namespace

void checkpoint_line::check(barrier const& b) {
  if (!line_) line_ = b.line();
  if (*line_ == b.line()) return;
  throw error(errc::misuse, "checkpoint: cannot be made",
              "branches of a split meet (" + std::string(name_of(*line_)) + " and " + std::string(name_of(b.line())) +
                  ") without waiting for each other, and what is behind them would be saved at two moments",
              "let merge or a join bring them together, and give a generator that takes such streams each of them as a parameter");
}

}  // namespace weir::detail
