#include <weir/amqp/detail/composite.hpp>
#include <weir/amqp/detail/raw_reading.hpp>
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

// Where a section goes, and of what type it is; of a body only the first one stays.
struct place {
  value_view* section;
  type of;
};
place place_of(message_view& in, std::uint64_t code, value_view& another) noexcept {
  switch (code) {
    case header_code: return {&in.header, type::list};
    case delivery_annotations_code: return {&in.delivery_annotations, type::map};
    case message_annotations_code: return {&in.message_annotations, type::map};
    case properties_code: return {&in.properties, type::list};
    case application_properties_code: return {&in.application_properties, type::map};
    case footer_code: return {&in.footer, type::map};
    default: break;
  }
  return {in.sections == 0 ? &in.body : &another, code == data_code ? type::binary : type::list};
}

// What is wrong, 0: nothing.
errc read_sections(message_view& out, std::string_view bytes) noexcept {
  value_reader from(bytes);
  std::uint64_t last = 0;
  std::size_t bodies = 0;  // where they begin
  while (!from.at_end()) {
    std::size_t const before = bytes.size() - from.left().size();
    std::uint64_t code = 0;
    if (auto const wrong = detail::take_code(from, code); wrong != errc{}) return wrong;
    if (code < header_code || code > footer_code) return errc::unknown_body;
    auto const kind = kind_of(code);
    if (kind == body_kind::none ? code <= last : (last == footer_code || (last > code))) return errc::wrong_type;
    last = code;
    value_view another;
    auto const [section, of] = place_of(out, code, another);
    if (auto const wrong = detail::raw_reading::take(from, *section); wrong != errc{}) return wrong;
    if (kind != body_kind::value && section->type() != of) return errc::wrong_type;
    if (kind == body_kind::none) continue;
    if (out.sections++ == 0) {
      out.kind = kind;
      bodies = before;
    } else if (out.kind != kind || kind == body_kind::value) {
      return errc::wrong_type;
    }
    out.bodies = bytes.substr(bodies, bytes.size() - from.left().size() - bodies);
  }
  return errc{};
}

}  // namespace

result<message_view> message_view::read(std::string_view bytes) noexcept {
  result<message_view> out{message_view()};
  if (auto const wrong = read_sections(*out, bytes); wrong != errc{}) out = wrong;
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
