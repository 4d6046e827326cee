#include "kinesis_commands.hpp"

#ifdef WEIR_HAS_KINESIS
#include "record_keys.hpp"
#include "text.hpp"

#include <weir/error.hpp>
#include <weir/file/source.hpp>
#include <weir/kinesis/producer.hpp>
#include <command_line/event_loop.hpp>
#include <kinesis_access/access.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinesis_tool {
namespace {

using weir::kinesis::outgoing_record;

weir::kinesis::producer producer_of(options const& o) {
  weir::kinesis::producer_options to;
  to.stream = o.where.stream;
  bool const few_keys = o.keys != key_choice::random;
  to.order = o.in_order && few_keys ? weir::kinesis::put_order::per_key : weir::kinesis::put_order::any;
  to.most_record_bytes = std::size_t{10} * 1024 * 1024;  // the stream says when that is too much
  to.aggregate_bytes = o.aggregate_bytes;
  to.client = kinesis_access::client_of(o.where);
  return weir::kinesis::producer(std::move(to));
}

class line_putter {
public:
  explicit line_putter(options const& o) : name_(o.file == "-" ? "standard input" : o.file), keys_(o), to_(producer_of(o)) {}

  // Those that can be had at once. False: one has no key.
  bool take(std::span<weir::file::record const> lines) {
    records_.clear();
    for (weir::file::record const& line : lines) {
      line_ = line.line_number();
      std::string_view const text = line.line();
      if (text.find_first_not_of(" \t\r") == std::string_view::npos) {
        ++blank_;
        continue;
      }
      auto key = keys_.key_of(text, why_);
      if (!key) return false;
      records_.emplace_back(*std::move(key), std::string(text));
    }
    return true;
  }
  weir::task<> put() {
    std::size_t const count = records_.size();
    if (count == 0) co_return;
    try {
      weir::task<> putting = to_.put(std::move(records_));
      co_await std::move(putting);
    } catch (weir::error& e) {
      std::string const sure = put_until_ == 0 ? "none" : fmt::format("those up to line {}", put_until_);
      e.with_detail(fmt::format("of {}, {} are in the stream, and behind them up to line {} some may be", name_, sure, line_));
      throw;
    }
    done_ += count;
    put_until_ = line_;
  }
  [[noreturn]] void refuse() const {
    throw weir::error(weir::errc::malformed, "weir: cannot put a line", why_, "correct it; the lines before it are in the stream")
        .with_detail(fmt::format("{}, line {}", name_, line_));
  }
  void report(std::string const& stream) const {
    fmt::print(stderr, "{} put into {}", state_tool::count_text(done_, "record", "records"), stream);
    if (blank_ != 0) fmt::print(stderr, ", {} passed over", state_tool::count_text(blank_, "blank line", "blank lines"));
    fmt::print(stderr, "\n");
  }

private:
  std::string name_;
  record_keys keys_;
  weir::kinesis::producer to_;
  std::vector<outgoing_record> records_;
  std::string why_;
  std::uint64_t line_ = 0, put_until_ = 0, done_ = 0, blank_ = 0;
};

weir::task<> put_all(weir::stream<weir::file::record> lines, line_putter& to) {
  while (weir::chunk<weir::file::record> c = co_await weir::next_chunk(lines)) {
    bool const good = to.take(c.elements);
    weir::task<> putting = to.put();
    co_await std::move(putting);
    if (!good) to.refuse();
  }
}

weir::file::options reading(std::string const& file) {
  weir::file::options o;
  o.paths = {file == "-" ? "/dev/stdin" : file};
  o.max_line = std::size_t{10} * 1024 * 1024;  // no stream takes a larger record
  return o;
}

}  // namespace

int put(options const& o) {
  weir::file::options const from = reading(o.file);
  weir::file::source in(from);
  line_putter lines(o);
  command_line::event_loop().run(put_all(in.open(from.paths.front(), std::nullopt), lines));
  lines.report(o.where.stream);
  return 0;
}

}  // namespace kinesis_tool
#endif
