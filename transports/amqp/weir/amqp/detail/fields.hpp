#pragma once
#include <weir/amqp/encoder.hpp>
#include <weir/amqp/field_types.hpp>
#include <weir/amqp/performatives.hpp>
#include <weir/amqp/result.hpp>
#include <weir/amqp/value_view.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

namespace weir::amqp::detail {

// The fields of a composite type stand in a list, in the order of the standard; those at the end may be left out, and a null has the
// default. A type names its fields once, in `template <class Fields> void fields(Fields& f, Type& v)`: `f.required(v.name);
// f(v.handle_max);`.

// An enumeration whose values are 0 to `last`.
template <class T>
concept numbered_enum = std::is_enum_v<T> && requires { T::last; };

// Fields from a list. What is wrong first is kept; from there on they keep their defaults.
class field_reader {
public:
  explicit field_reader(value_view list) noexcept : items_(list.items()) {
    if (list.type() != type::list) wrong_ = errc::wrong_type;
  }

  template <class T> void operator()(T& field) noexcept { read(field, false); }
  // The default is what the field holds.
  template <class T> void operator()(T& field, std::type_identity_t<T> const&) noexcept { read(field, false); }
  template <class T> void required(T& field) noexcept { read(field, true); }
  std::optional<errc> wrong() const noexcept { return wrong_; }

private:
  template <class T> void read(T& field, bool needed) noexcept {
    if (wrong_) return;
    std::string_view const from = items_.bytes();
    auto const v = items_.next();
    if (!v) {
      wrong_ = v.error();
    } else if (v->is_null()) {
      if (needed) wrong_ = errc::missing_field;
    } else if (!take(field, *v, from.substr(0, from.size() - items_.bytes().size()))) {
      wrong_ = errc::wrong_type;
    }
  }

  template <class T> static bool take(std::optional<T>& field, value_view v, std::string_view raw) noexcept {
    return take(field.emplace(), v, raw);
  }
  static bool take(bool& field, value_view v, std::string_view) noexcept { return set(field, v.boolean()); }
  static bool take(std::string_view& field, value_view v, std::string_view) noexcept { return set(field, v.text()); }
  static bool take(symbol_view& field, value_view v, std::string_view) noexcept { return set(field.text, v.text()); }
  static bool take(binary_view& field, value_view v, std::string_view) noexcept { return set(field.bytes, v.binary()); }
  static bool take(encoded_view& field, value_view, std::string_view raw) noexcept {
    field.bytes = raw;
    return true;
  }
  // Of every width that the value fits in: peers do not agree on which.
  template <std::unsigned_integral T> static bool take(T& field, value_view v, std::string_view) noexcept {
    auto const n = v.unsigned_integer();
    if (!n || *n > std::numeric_limits<T>::max()) return false;
    field = static_cast<T>(*n);
    return true;
  }
  template <numbered_enum T> static bool take(T& field, value_view v, std::string_view) noexcept {
    auto const n = v.unsigned_integer();
    if (!n || *n > static_cast<std::uint64_t>(T::last)) return false;
    field = static_cast<T>(*n);
    return true;
  }
  static bool take(role& field, value_view v, std::string_view) noexcept {
    auto const receives = v.boolean();
    if (receives) field = *receives ? role::receiver : role::sender;
    return receives.has_value();
  }
  static bool take(std::int64_t& field, value_view v, std::string_view) noexcept { return set(field, v.timestamp()); }
  template <class T> static bool set(T& field, std::optional<T> const& v) noexcept {
    if (v) field = *v;
    return v.has_value();
  }

  item_reader items_;
  std::optional<errc> wrong_;
};

// Fields into a list. Those at the end that have their defaults are left out.
class field_writer {
public:
  explicit field_writer(encoder& to) : to_(&to), list_(to.begin_list()), end_(to.size()) {}

  template <class T> void required(T const& field) {
    write(field);
    keep();
  }
  template <class T> void operator()(T const& field) { (*this)(field, T{}); }
  template <class T> void operator()(T const& field, std::type_identity_t<T> const& by_default) {
    if (field == by_default) return to_->null();
    required(field);
  }
  void end() { to_->end_at(list_, items_, end_); }

private:
  void keep() {
    items_ = to_->count();
    end_ = to_->size();
  }

  template <class T> void write(std::optional<T> const& field) { write(*field); }
  void write(bool v) { to_->boolean(v); }
  void write(std::uint8_t v) { to_->uint8(v); }
  void write(std::uint16_t v) { to_->uint16(v); }
  void write(std::uint32_t v) { to_->uint32(v); }
  void write(std::uint64_t v) { to_->uint64(v); }
  void write(role v) { to_->boolean(v == role::receiver); }
  void write(std::int64_t v) { to_->timestamp(v); }
  void write(std::string_view v) { to_->string(v); }
  void write(symbol_view v) { to_->symbol(v.text); }
  void write(binary_view v) { to_->binary(v.bytes); }
  void write(encoded_view v) { v ? to_->encoded(v.bytes) : to_->null(); }
  template <numbered_enum T> void write(T v) { to_->uint8(static_cast<std::uint8_t>(v)); }

  encoder* to_;
  encoder::mark list_;
  std::size_t items_ = 0, end_;
};

// The composite type in its encoding: described by its code, with its fields in a list.
template <class T> void write_composite(encoder& to, T const& v) {
  to.described_by(T::code);
  field_writer f(to);
  fields(f, v);
  f.end();
}

}  // namespace weir::amqp::detail
