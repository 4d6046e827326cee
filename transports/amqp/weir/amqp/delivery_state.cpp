#include <weir/amqp/delivery_state.hpp>
#include <weir/amqp/detail/composite.hpp>

namespace weir::amqp {
namespace {

constexpr std::uint64_t received_code = 0x23, accepted_code = 0x24, rejected_code = 0x25, released_code = 0x26, modified_code = 0x27;

// The first field of an outcome; null where there is none.
result<item_reader> fields_of_outcome(value_view list) noexcept {
  if (list.type() != type::list) return errc::wrong_type;
  return list.items();
}

result<bool> next_flag(item_reader& from) noexcept {
  auto const v = from.next();
  if (!v) return v.error();
  if (v->is_null()) return false;
  if (auto const flag = v->boolean()) return *flag;
  return errc::wrong_type;
}

}  // namespace

result<delivery_state> read_delivery_state(encoded_view field) noexcept {
  delivery_state out;
  if (!field) return out;
  value_reader from(field.bytes);
  auto const parts = detail::read_described(from);
  if (!parts) return parts.error();
  auto items = fields_of_outcome(parts->second);
  if (!items) return items.error();
  switch (parts->first) {
    case received_code: return out;
    case accepted_code: out.outcome = outcome::accepted; return out;
    case released_code: out.outcome = outcome::released; return out;
    case rejected_code: {
      out.outcome = outcome::rejected;
      std::string_view const why = items->bytes();
      auto const error = items->next();
      if (!error) return error.error();
      if (error->is_null()) return out;
      auto const read = read_error({why});
      if (!read) return read.error();
      out.why = *read;
      return out;
    }
    case modified_code: {
      out.outcome = outcome::modified;
      auto const failed = next_flag(*items);
      if (!failed) return failed.error();
      auto const elsewhere = next_flag(*items);
      if (!elsewhere) return elsewhere.error();
      out.delivery_failed = *failed;
      out.undeliverable_here = *elsewhere;
      return out;
    }
    default: return errc::unknown_body;
  }
}

// 0x00, a smallulong, and the empty list.
encoded_view encoded_outcome(outcome of) noexcept {
  using namespace std::string_view_literals;
  switch (of) {
    case outcome::accepted: return {"\x00\x53\x24\x45"sv};
    case outcome::rejected: return {"\x00\x53\x25\x45"sv};
    case outcome::released: return {"\x00\x53\x26\x45"sv};
    case outcome::modified: return {"\x00\x53\x27\x45"sv};
    case outcome::none: break;
  }
  return {};
}

std::string encoded_rejection(std::string_view condition, std::string_view description) {
  std::string out;
  encoder to(out);
  to.described_by(rejected_code);
  auto const list = to.begin_list();
  write_error(to, condition, description);
  to.end(list);
  return out;
}

}  // namespace weir::amqp
