#include <weir/lambda/detail/json_value.hpp>

#include <weir/kinesis/sequence_number.hpp>
#include <weir/net/base64.hpp>

#include <simdjson.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <new>
#include <system_error>
#include <utility>

namespace weir::lambda::detail {
static_assert(value_block::padding >= simdjson::SIMDJSON_PADDING);

namespace {

template <class Number> std::optional<Number> parsed(std::string_view text) noexcept {
  Number out{};
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

}  // namespace

std::string_view value_before_space(std::string_view text) noexcept {
  auto const last = text.find_last_not_of(" \t\r\n");
  text = text.substr(0, last == std::string_view::npos ? 0 : last + 1);
  return text == "null" ? std::string_view() : text;
}

std::optional<std::string_view> inside_string(std::string_view value) noexcept {
  if (value.size() < 2 || value.front() != '"' || value.back() != '"') return std::nullopt;
  return value.substr(1, value.size() - 2);
}

std::optional<std::uint64_t> whole_number(std::string_view value) noexcept {
  return parsed<std::uint64_t>(inside_string(value).value_or(value));
}

std::optional<instant> seconds_value(std::string_view value) noexcept {
  auto const seconds = parsed<double>(value);
  if (!seconds || !(std::abs(*seconds) < 9e9)) return std::nullopt;
  return std::llround(*seconds * 1e3) * 1'000'000;
}

std::optional<position> sequence_position(std::string_view value, std::uint64_t sub) noexcept {
  auto const digits = inside_string(value);
  return digits ? kinesis::position_of(*digits, sub) : std::nullopt;
}

std::optional<position> behind(std::optional<position> const& last, position const& number) noexcept {
  if (!last || number > *last) return number;
  if (number != position((*last)[0], (*last)[1], (*last)[2], 0)) return std::nullopt;
  return position(number[0], number[1], number[2], (*last)[3] + 1);
}

std::optional<instant> milliseconds_value(std::string_view value) noexcept {
  auto const milliseconds = parsed<std::int64_t>(inside_string(value).value_or(value));
  instant out = 0;
  if (!milliseconds || __builtin_mul_overflow(*milliseconds, 1'000'000, &out)) return std::nullopt;
  return out;
}

struct value_block::unescaper {
  unescaper() { failed = parser.allocate(0) != simdjson::SUCCESS; }
  simdjson::ondemand::parser parser;
  bool failed;
};

// An unescaped string is written in steps, over its end.
value_block::value_block(std::size_t size) : bytes_(size + padding), into_(bytes_.data()) {}
value_block::~value_block() = default;

std::optional<std::string_view> value_block::text(std::string_view value) {
  auto const inside = inside_string(value);
  if (!inside) return std::nullopt;
  if (inside->find('\\') != std::string_view::npos) return unescaped(*inside);
  return copy(*inside);
}

std::optional<std::string_view> value_block::base64(std::string_view value) {
  auto inside = inside_string(value);
  if (!inside) return std::nullopt;
  char* const begin = into_;
  if (inside->find('\\') != std::string_view::npos) {  // "\/" is an escape, too
    inside = unescaped(*inside);
    if (!inside) return std::nullopt;
  }
  char* const end = net::decode_base64(*inside, begin);  // in place where it was unescaped, which never overtakes itself
  if (end == nullptr) {
    into_ = begin;
    return std::nullopt;
  }
  into_ = end;
  return std::string_view(begin, static_cast<std::size_t>(end - begin));
}

std::string_view value_block::copy(std::string_view value) {
  if (!value.empty()) std::memcpy(into_, value.data(), value.size());
  return {std::exchange(into_, into_ + value.size()), value.size()};
}

// `inside` is in a text that has been looked through: it ends with a quote, and `padding` bytes behind it may be read.
std::optional<std::string_view> value_block::unescaped(std::string_view inside) {
  if (!unescaper_) unescaper_ = std::make_unique<unescaper>();
  if (unescaper_->failed) throw std::bad_alloc();
  auto* to = reinterpret_cast<std::uint8_t*>(into_);
  simdjson::ondemand::raw_json_string const raw(reinterpret_cast<std::uint8_t const*>(inside.data()));
  std::string_view out;
  if (unescaper_->parser.unescape(raw, to).get(out)) return std::nullopt;
  into_ = reinterpret_cast<char*>(to);
  return out;
}

std::optional<std::string> text_of(std::string_view value) {
  value_block block(value.size());
  auto const out = block.text(value);
  return out ? std::optional(std::string(*out)) : std::nullopt;
}

}  // namespace weir::lambda::detail
