#include <weir/file/record_builder.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace weir::file {
namespace {

constexpr std::size_t padding = std::max(json_fields::padding, csv_fields::padding);
constexpr std::size_t most_retired = 4;
constexpr std::size_t shown_of_long_line = 1024;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

constexpr std::size_t aligned(std::size_t n) { return (n + 15) / 16 * 16; }

}  // namespace

record_builder::record_builder(std::shared_ptr<options const> o, std::string path)
    : options_(std::move(o)), path_(std::move(path)), parser_(*options_), splitter_(options_->max_line), records_(most), lines_(most) {
  retired_.reserve(most_retired);
}

void record_builder::start_at(std::uint64_t offset, std::uint64_t lines, bool inside_line) {
  splitter_ = line_splitter(options_->max_line, offset, lines);
  inside_line_ = inside_line;
}

void record_builder::set_header(std::string_view row, std::uint64_t number, std::uint64_t offset) {
  if (offset == 0 && row.starts_with(byte_order_mark)) row.remove_prefix(byte_order_mark.size());
  line_fault const f = parser_.set_header(row);
  if (!f) return;
  throw error(errc::malformed, "file: cannot use header", parser_.describe(f), "correct the header or the names of the fields")
      .with_detail(fmt::format("{}, line {}", path_, number));
}

// ---- blocks: the path | the text | padding | fields, and text that had escapes

std::size_t record_builder::block_bytes(std::size_t text_size) const noexcept {
  // Generous, since memory that is not touched costs nothing; where lines are shorter or escapes more, the block is extended.
  std::size_t const short_line = 32;
  std::size_t const fields = text_size / short_line * parser_.field_count() * sizeof(field_text) + text_size / 8;
  return aligned(sizeof(record::path_size) + path_.size()) + text_size + padding + aligned(fields);
}

void record_builder::lay_out(std::string_view unfinished, std::size_t text_size) {
  record::path_size const front = path_.size();
  std::size_t const text_at = aligned(sizeof front + path_.size());
  char* const text = block_.data() + text_at;
  if (!unfinished.empty()) std::memmove(text, unfinished.data(), unfinished.size());  // may lie in the same block, further behind
  std::memcpy(block_.data(), &front, sizeof front);
  std::memcpy(block_.data() + sizeof front, path_.data(), path_.size());
  begin_ = text;
  end_ = text + unfinished.size();
  limit_ = text + text_size;
  memory_ = field_memory(block_, text_at + text_size + padding);
}

void record_builder::new_block(std::size_t text_size) {
  std::string_view const unfinished = window();
  std::size_t const bytes = block_bytes(text_size);
  stock_ = shared_bytes_stock();
  memory_ = field_memory();
  shared_bytes const old = std::move(block_);
  auto const reusable = [&](shared_bytes const& b) { return b.capacity() == bytes && b.unique(); };
  if (old && reusable(old)) {
    block_ = old;
  } else if (auto const found = std::ranges::find_if(retired_, reusable); found != retired_.end()) {
    block_ = std::move(*found);
    retired_.erase(found);
  } else {
    block_ = shared_bytes(bytes);
  }
  if (old && !(old == block_) && old.capacity() == block_bytes(options_->block_size)) {
    if (retired_.size() == most_retired) retired_.erase(retired_.begin());
    retired_.push_back(old);
  }
  block_.shrink();
  lay_out(unfinished, text_size);
}

std::span<char> record_builder::room() {
  take_back();
  std::size_t const usual = options_->block_size;
  std::size_t const unfinished = window().size();
  // A line that fills half a block gets a larger one, up to what `max_line` allows.
  std::size_t const wanted = unfinished * 2 <= usual ? usual : unfinished * 2;
  bool const enough = begin_ && static_cast<std::size_t>(limit_ - end_) >= wanted / 4 && static_cast<std::size_t>(limit_ - end_) > 0;
  if (!enough) new_block(wanted);
  return std::span<char>(end_, limit_);
}

void record_builder::filled(std::size_t bytes) noexcept {
  end_ += bytes;
  std::memset(end_, 0, padding);  // looked at, though never used
}

void record_builder::take_back() noexcept {
  for (std::size_t i = 0; i < count_; ++i) stock_.put_back(std::move(records_[i].block_));
  count_ = 0;
}

// ---- lines

// False: nothing to split yet. Behind a position that is not the end of a line, only the missing line break may come.
bool record_builder::at_line_start() {
  if (!inside_line_) return true;
  std::string_view const w = window();
  if (w.empty() || (w == "\r" && !ended_)) return false;
  std::size_t const line_break = w[0] == '\n' ? 1 : w.starts_with("\r\n") ? 2 : 0;
  if (line_break == 0) {
    throw error(errc::stale, "file: cannot resume", "the line that ended there has been changed since", "read the file from its start")
        .with_detail(fmt::format("{}, line {}, byte {}", path_, splitter_.lines(), splitter_.offset()));
  }
  begin_ += line_break;
  splitter_.pass(line_break);
  inside_line_ = false;
  return true;
}

void record_builder::find_lines() {
  line_count_ = 0;
  std::string_view rest = window();
  while (line_count_ < most) {
    found_line& found = lines_[line_count_];
    auto const outcome = ended_ ? splitter_.finish(rest, found.line) : splitter_.next(rest, found.line);
    if (outcome == line_splitter::outcome::more) break;
    found.fits = outcome == line_splitter::outcome::line;
    ++line_count_;
  }
  begin_ = end_ - rest.size();
}

std::span<record> record_builder::next(instant arrival) {
  take_back();
  if (failure_) std::rethrow_exception(failure_);
  while (count_ == 0) {
    if (!at_line_start()) return {};
    char const* const run = begin_;
    find_lines();
    if (line_count_ == 0) return {};
    parser_.index(std::string_view(run, static_cast<std::size_t>(begin_ - run)));
    if (stock_.left() < most) stock_ = shared_bytes_stock(block_, 1u << 20);
    try {
      for (std::size_t i = 0; i < line_count_; ++i) make_record(lines_[i], arrival);
    } catch (...) {
      failure_ = std::current_exception();
      if (count_ == 0) throw;
    }
  }
  return std::span<record>(records_.data(), count_);
}

inline void record_builder::make_record(found_line& found, instant arrival) {
  text_line& line = found.line;
  if (line.offset == 0 && line.text.starts_with(byte_order_mark)) {
    line.text.remove_prefix(byte_order_mark.size());
    line.offset += byte_order_mark.size();
  }
  if (!found.fits) return broken(line, line_fault(fault_kind::too_long));
  if (parser_.passes_over(line.text)) return;
  if (parser_.wants_header()) [[unlikely]]
    return set_header(line.text, line.number, line.offset);

  std::size_t const field_count = parser_.field_count();
  field_text* const fields = memory_.fields(field_count);
  if (line_fault const f = parser_.parse(line.text, fields, memory_)) [[unlikely]]
    return broken(line, f);
  record& r = records_[count_++];
  r.block_ = stock_.take();
  r.text_ = line.text.data();
  r.fields_ = fields;
  r.next_ = line.next;
  r.number_ = line.number;
  r.arrival_ = arrival;
  r.size_ = static_cast<std::uint32_t>(line.text.size());
  r.field_count_ = static_cast<std::uint16_t>(field_count);
  r.break_size_ = static_cast<std::uint16_t>(line.next - line.offset - line.text.size());
}

error record_builder::describe(text_line const& line, line_fault const& fault) const {
  bool const long_line = fault.kind == fault_kind::too_long;
  auto const where = line.offset + static_cast<std::uint64_t>(fault.at);
  return error(long_line ? errc::too_large : errc::malformed, "file: cannot parse line", parser_.describe(fault),
               long_line ? "set max_line higher, or on_broken_line to dead_letter" : "fix the line or set on_broken_line to dead_letter")
      .with_detail(fmt::format("{}, line {}, byte {}", path_, line.number, where));
}

void record_builder::broken(text_line const& line, line_fault const& fault) {
  error const what = describe(line, fault);
  if (options_->on_broken_line.fails()) throw what;
  broken_line letter{.message = what.what(), .path = path_, .text = line.text, .line_number = line.number, .offset = line.offset};
  if (fault.kind == fault_kind::too_long) letter.text = letter.text.substr(0, shown_of_long_line);
  options_->on_broken_line.dead_letter(letter);
  ++dead_letters_;
}

}  // namespace weir::file
