#include <weir/amqp/detail/composite.hpp>
#include <weir/amqp/message_view.hpp>

#include <utility>

namespace weir::amqp {
namespace {

constexpr std::uint64_t header_code = 0x70, delivery_annotations_code = 0x71, message_annotations_code = 0x72, properties_code = 0x73,
                        application_properties_code = 0x74, data_code = 0x75, sequence_code = 0x76, value_code = 0x77, footer_code = 0x78;

body_kind kind_of(std::uint64_t code) noexcept {
  switch (code) {
    case data_code: return body_kind::data;
    case sequence_code: return body_kind::sequence;
    case value_code: return body_kind::value;
    default: return body_kind::none;
  }
}

// A section that stands where it may, of the type it must be of.
bool put(value_view& section, value_view v, type of) noexcept {
  section = v;
  return v.type() == of;
}

bool put_body(message_view& out, body_kind kind, value_view v) noexcept {
  if (out.sections++ == 0) {
    out.kind = kind;
    out.body = v;
  } else if (out.kind != kind || kind == body_kind::value) {
    return false;
  }
  return kind == body_kind::value || v.type() == (kind == body_kind::data ? type::binary : type::list);
}

}  // namespace

result<message_view> message_view::read(std::string_view bytes) noexcept {
  message_view out;
  value_reader from(bytes);
  std::uint64_t last = 0;
  std::size_t bodies = 0;  // where they begin
  while (!from.at_end()) {
    std::string_view const before = from.left();
    auto const section = detail::read_described(from);
    if (!section) return section.error();
    auto const [code, v] = *section;
    if (code < header_code || code > footer_code) return errc::unknown_body;
    auto const kind = kind_of(code);
    if (kind == body_kind::none ? code <= last : (last == footer_code || (last > code))) return errc::wrong_type;
    last = code;
    bool fits = true;
    switch (code) {
      case header_code: fits = put(out.header, v, type::list); break;
      case delivery_annotations_code: fits = put(out.delivery_annotations, v, type::map); break;
      case message_annotations_code: fits = put(out.message_annotations, v, type::map); break;
      case properties_code: fits = put(out.properties, v, type::list); break;
      case application_properties_code: fits = put(out.application_properties, v, type::map); break;
      case footer_code: fits = put(out.footer, v, type::map); break;
      default:
        if (out.sections == 0) bodies = bytes.size() - before.size();
        fits = put_body(out, kind, v);
        out.bodies = bytes.substr(bodies, bytes.size() - from.left().size() - bodies);
    }
    if (!fits) return errc::wrong_type;
  }
  return out;
}

result<value_view> body_reader::next() noexcept {
  if (left_ == 0) return value_view{};
  --left_;
  auto const section = detail::read_described(reader_);
  if (!section) return section.error();
  return section->second;
}

result<properties_view> read_properties(value_view list) noexcept {
  if (list.is_null()) return properties_view{};
  return detail::read_fields<properties_view>(list);
}

}  // namespace weir::amqp
