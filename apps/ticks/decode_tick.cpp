#include "decode_tick.hpp"

#include <command_line/json_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace ticks {

using namespace command_line;

namespace {

// The time almost always has as many digits as the one before it; this loop is half the price of from_chars.
bool parse_id(std::string_view text, std::int64_t& out) noexcept {
  if (!text.empty() && text.size() <= 18) [[likely]] {
    std::int64_t value = 0;
    bool good = true;
    for (char const c : text) {
      auto const digit = static_cast<unsigned char>(c - '0');
      good &= digit <= 9;
      value = value * 10 + digit;
    }
    if (good) [[likely]] {
      out = value;
      return true;
    }
  }
  auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), out);
  return failure == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::vector<std::string> selected_fields(tick_fields const& fields) {
  std::vector<std::string> names{fields.symbol, fields.price, fields.size, fields.time};
  if (!fields.trade_id.empty()) names.push_back(fields.trade_id);
  return names;
}

tick_flaw decode_tick(tick_texts const& texts, tick_fields const& fields, weir::position const& at, tick& out) noexcept {
  if (auto const name = symbol::from(texts.symbol)) [[likely]]
    out.name = *name;
  else return texts.symbol.empty() ? tick_flaw::symbol_missing : tick_flaw::symbol_too_long;
  if (!is_plain_text(texts.symbol)) return tick_flaw::symbol_not_text;

  if (auto const price = decimal::parse(texts.price)) [[likely]]
    out.price = *price;
  else return texts.price.data() ? tick_flaw::price_not_a_number : tick_flaw::price_missing;
  if (out.price.is_negative() || out.price.is_zero()) return tick_flaw::price_not_positive;

  if (auto const size = decimal::parse(texts.size)) [[likely]]
    out.size = *size;
  else return texts.size.data() ? tick_flaw::size_not_a_number : tick_flaw::size_missing;
  if (out.size.is_negative()) return tick_flaw::size_negative;

  out.order.id = 0;
  if (!fields.trade_id.empty() && !parse_id(texts.trade_id, out.order.id))
    return texts.trade_id.data() ? tick_flaw::trade_id_not_a_number : tick_flaw::trade_id_missing;

  if (fields.unit == time_unit::milliseconds && texts.time.size() == 13 && parse_id(texts.time, out.order.time)) [[likely]] {
    if (__builtin_mul_overflow(out.order.time, std::int64_t{1'000'000}, &out.order.time)) return tick_flaw::time_not_a_time;
  } else if (auto const time = parse_time(texts.time, fields.unit)) {
    out.order.time = *time;
  } else {
    return texts.time.data() ? tick_flaw::time_not_a_time : tick_flaw::time_missing;
  }
  if (out.order.time < earliest_event_time || out.order.time > latest_event_time) return tick_flaw::time_not_a_time;
  out.at = at;
  return tick_flaw::none;
}

std::string describe(tick_flaw flaw, tick_texts const& texts, tick_fields const& fields) {
  auto const missing = [](std::string const& field) { return fmt::format("there is no field {}", json_string(field)); };
  auto const wrong = [](std::string const& field, std::string_view value, std::string_view what) {
    return fmt::format("field {} is \"{}\", {}", json_string(field), shown(value), what);
  };
  constexpr auto number = "not a decimal number (digits with at most one point, no exponent, up to 38 digits)";
  switch (flaw) {
    case tick_flaw::none: break;
    case tick_flaw::symbol_missing:
      return texts.symbol.data() ? wrong(fields.symbol, "", "but a symbol has a name") : missing(fields.symbol);
    case tick_flaw::symbol_too_long: return wrong(fields.symbol, texts.symbol, "longer than 23 bytes");
    case tick_flaw::symbol_not_text: return wrong(fields.symbol, texts.symbol, "not plain UTF-8 text");
    case tick_flaw::price_missing: return missing(fields.price);
    case tick_flaw::price_not_a_number: return wrong(fields.price, texts.price, number);
    case tick_flaw::price_not_positive: return wrong(fields.price, texts.price, "but a price is above zero");
    case tick_flaw::size_missing: return missing(fields.size);
    case tick_flaw::size_not_a_number: return wrong(fields.size, texts.size, number);
    case tick_flaw::size_negative: return wrong(fields.size, texts.size, "but a size is not negative");
    case tick_flaw::trade_id_missing: return missing(fields.trade_id);
    case tick_flaw::trade_id_not_a_number: return wrong(fields.trade_id, texts.trade_id, "not a whole number of 64 bits");
    case tick_flaw::time_missing: return missing(fields.time);
    case tick_flaw::time_not_a_time:
      return wrong(fields.time, texts.time,
                   fields.unit == time_unit::rfc3339 ? "not an RFC 3339 time" : "not a time in the unit of --time-unit");
  }
  return {};
}

}  // namespace ticks
