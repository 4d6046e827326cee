#include <weir/file/record_reader.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace weir::file {
namespace {
constexpr int most_reads = 16;  // without a record, before others get their turn
}

record_reader::record_reader(std::shared_ptr<options const> o, std::string path, std::optional<weir::position> after)
    : options_(o), input_(path), builder_(std::move(o), std::move(path)) {
  if (options_->follow && input_.is_gzip()) {
    throw error(errc::invalid_option, "file: cannot follow", "it is a gzip file", "read it without follow").with_detail(input_.path());
  }
  if (!after || after->offset() == 0) return;
  if (builder_.wants_header()) read_header();
  begin_at_ = after->offset();
  bool const line_known = after->size() >= 2;
  if (line_known && input_.jump(begin_at_)) {
    begin((*after)[1], input_.byte_before(begin_at_));
  } else {
    begun_ = false;
  }
}

void record_reader::begin(std::uint64_t lines, char last) {
  builder_.start_at(begin_at_, lines, last != '\n');
  begun_ = true;
}

error record_reader::cannot_resume(std::string why) const {
  return error(errc::stale, "file: cannot resume", std::move(why), "check that it is the file that was read before; read it from its start")
      .with_detail(fmt::format("{}, byte {}", input_.path(), begin_at_));
}

// The header is at the front, which resuming does not pass.
void record_reader::read_header() {
  text_input front(input_.path());
  std::string text;
  line_splitter splitter(options_->max_line);
  text_line line;
  std::size_t const step = 4096;
  for (bool ended = false; !ended;) {
    std::size_t const have = text.size();
    text.resize(have + step);
    std::size_t const n = front.read(std::span(text).subspan(have));
    text.resize(have + n);
    ended = n == 0;
    std::string_view window(text);
    while (true) {
      auto const outcome = ended ? splitter.finish(window, line) : splitter.next(window, line);
      if (outcome == line_splitter::outcome::more) break;
      if (outcome == line_splitter::outcome::too_long) throw cannot_resume("its header is longer than max_line");
      if (line.text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      return builder_.set_header(line.text, line.number, line.offset);
    }
    text.assign(window);
  }
  throw cannot_resume("it has no header");
}

void record_reader::pass_over(std::span<char> scratch) {
  std::uint64_t const left = begin_at_ - input_.offset();
  std::size_t const n = input_.read(scratch.first(static_cast<std::size_t>(std::min<std::uint64_t>(left, scratch.size()))));
  if (n == 0) throw cannot_resume(fmt::format("its text has only {} bytes", input_.offset()));
  lines_ += static_cast<std::uint64_t>(std::count(scratch.begin(), scratch.begin() + static_cast<std::ptrdiff_t>(n), '\n'));
  last_ = scratch[n - 1];
  if (n == left) begin(last_ == '\n' ? lines_ : lines_ + 1, last_);
}

std::span<record> record_reader::read(instant now) {
  for (int reads = 0; reads < most_reads; ++reads) {
    if (!begun_) {
      pass_over(builder_.room());
      continue;
    }
    std::span<record> const records = builder_.next(now);
    if (!records.empty() || state_ == state::ended) return records;
    std::size_t const n = input_.read(builder_.room());
    if (n != 0) {
      builder_.filled(n);
      state_ = state::reading;
    } else if (options_->follow) {
      input_.check_followed();
      state_ = state::caught_up;
      return {};
    } else {
      builder_.end_of_data();
      state_ = state::ended;
    }
  }
  return {};
}

}  // namespace weir::file
