#pragma once
#include <weir/detail/console_write.hpp>
#include <weir/guarantee.hpp>
#include <weir/outside_write.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir {

/// A sink for people and pipes: a line for each row, on standard output.
/// ```cpp
/// pipeline.use_sink("bars", console<bar>([](bar const& b) { return b.symbol + ' ' + std::to_string(b.close); }));
/// ```
/// The lines come with the commits (`commit_policy`: every second, unless said otherwise), before each, in one piece where the system takes
/// them so. When somebody else has the descriptor, they may come between; it does not go through `std::cout`, which should be flushed
/// first.
///
/// Guarantee: at least once. After a crash between lines and commit they come again; a commit that fails and is tried again goes on
/// behind the last byte that was taken. Blocks the strand while a pipe is full.
/// Errors, which fail the commit: `errc::io` when the reader of a pipe has gone away (there is no SIGPIPE), or the system's code.
/// A copy is the same sink. Thread-safety: as a value.
template <class Row> class console {
public:
  using row_type = Row;
  static constexpr std::string_view kind = "console";
  static constexpr guarantee promises = guarantee::at_least_once;

  /// `text_of(row)`: the line, without its line break. `descriptor`: of an open file, 1 is standard output; not closed.
  template <class TextOf> explicit console(TextOf text_of, int descriptor = 1) : text_of_(std::move(text_of)), descriptor_(descriptor) {}

  /// The rows of one commit.
  std::shared_ptr<outside_write> write(std::vector<Row> rows) const {
    std::string text;
    for (Row const& row : rows) text.append(text_of_(row)) += '\n';
    return std::make_shared<detail::console_write>(descriptor_, std::move(text));
  }

private:
  std::function<std::string(Row const&)> text_of_;
  int descriptor_;
};

}  // namespace weir
