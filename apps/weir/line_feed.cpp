#include "line_feed.hpp"

#include "text.hpp"

#include <weir/error.hpp>
#include <weir/file/source.hpp>
#include <command_line/event_loop.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace state_tool {
namespace {

constexpr std::size_t longest_line = std::size_t{10} * 1024 * 1024;  // no service takes a larger one

class line_feed {
public:
  line_feed(std::string name, line_target& to, feed_words const& words) : name_(std::move(name)), to_(to), words_(words) {}

  weir::task<> feed(weir::stream<weir::file::record> lines) {
    while (weir::chunk<weir::file::record> c = co_await weir::next_chunk(lines)) {
      bool const good = take(c.elements);
      weir::task<> delivering = deliver();
      co_await std::move(delivering);
      if (!good) refuse();
    }
  }
  void report() const {
    fmt::print(stderr, "{} {}", count_text(done_, words_.one, words_.many), words_.done);
    if (blank_ != 0) fmt::print(stderr, ", {} passed over", count_text(blank_, "blank line", "blank lines"));
    fmt::print(stderr, "\n");
  }

private:
  // Those that can be had at once. False: the last one cannot be taken.
  bool take(std::span<weir::file::record const> lines) {
    for (weir::file::record const& line : lines) {
      line_ = line.line_number();
      if (line.line().find_first_not_of(" \t\r") == std::string_view::npos) {
        ++blank_;
        continue;
      }
      if (!to_.take(line.line(), why_)) return false;
      ++taken_;
    }
    return true;
  }
  weir::task<> deliver() {
    if (taken_ == 0) co_return;
    try {
      weir::task<> delivering = to_.deliver();
      co_await std::move(delivering);
    } catch (weir::error& e) {
      std::string const sure = there_until_ == 0 ? "none" : fmt::format("those up to line {}", there_until_);
      e.with_detail(fmt::format("of {}, {} are in the {}, and behind them up to line {} some may be", name_, sure, words_.place, line_));
      throw;
    }
    done_ += std::exchange(taken_, 0);
    there_until_ = line_;
  }
  [[noreturn]] void refuse() const {
    throw weir::error(weir::errc::malformed, fmt::format("weir: cannot {} a line", words_.verb), why_,
                      fmt::format("correct it; the lines before it are in the {}", words_.place))
        .with_detail(fmt::format("{}, line {}", name_, line_));
  }

  std::string name_;
  line_target& to_;
  feed_words const& words_;
  std::string why_;
  std::uint64_t line_ = 0, there_until_ = 0, taken_ = 0, done_ = 0, blank_ = 0;
};

}  // namespace

void feed_lines(std::string const& file, line_target& to, feed_words const& words) {
  weir::file::options from;
  from.paths = {file == "-" ? "/dev/stdin" : file};
  from.max_line = longest_line;
  weir::file::source in(from);
  line_feed feeding(file == "-" ? "standard input" : file, to, words);
  command_line::event_loop().run(feeding.feed(in.open(from.paths.front(), std::nullopt)));
  feeding.report();
}

}  // namespace state_tool
