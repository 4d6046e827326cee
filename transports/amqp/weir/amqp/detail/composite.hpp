#pragma once
#include <weir/amqp/detail/field_lists.hpp>
#include <weir/amqp/detail/fields.hpp>

#include <cstdint>
#include <utility>

namespace weir::amqp::detail {

// What a composite is described by: a number, or the name that stands for it ("amqp:open:list"). 0: nothing that the standard knows.
std::uint64_t code_of(value_view descriptor) noexcept;

// The fields of a composite from their list.
template <class T> result<T> read_fields(value_view list) noexcept {
  T out;
  field_reader f(list);
  fields(f, out);
  if (auto const wrong = f.wrong()) return *wrong;
  return out;
}

// Two halves of a described value: its code, and the list.
result<std::pair<std::uint64_t, value_view>> read_described(value_reader& from) noexcept;

// The first half alone; the value is next. What is wrong, 0: nothing.
errc take_code(value_reader& from, std::uint64_t& code) noexcept;

// A composite of the one type that may stand there.
template <class T> result<T> read_composite(encoded_view field) noexcept {
  value_reader from(field.bytes);
  auto const parts = read_described(from);
  if (!parts) return parts.error();
  if (parts->first != T::code) return errc::wrong_type;
  return read_fields<T>(parts->second);
}

}  // namespace weir::amqp::detail
