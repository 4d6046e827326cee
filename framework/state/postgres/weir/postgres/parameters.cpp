#include <weir/postgres/parameters.hpp>

#include <weir/error.hpp>

#include <bit>
#include <limits>
#include <type_traits>

namespace weir::postgres {
namespace {

// Of the types in pg_type.dat, which never change.
constexpr std::uint32_t type_bytea = 17, type_int8 = 20, type_float8 = 701, type_bytea_array = 1001, type_int8_array = 1016;
constexpr std::size_t largest = (std::size_t{1} << 30) - 1;  // of one value

}  // namespace

void parameters::begin(std::uint32_t type, bool binary) { values_.push_back({type, false, binary, bytes_.size(), 0}); }

// The byte order of the protocol is the network's.
template <class Number> void parameters::append(Number n) {
  auto const bits = static_cast<std::make_unsigned_t<Number>>(n);
  for (int shift = static_cast<int>(sizeof(Number)) * 8 - 8; shift >= 0; shift -= 8) bytes_ += static_cast<char>(bits >> shift & 0xff);
}

void parameters::append(std::string_view bytes) { bytes_.append(bytes); }

void parameters::check_size() const {
  if (bytes_.size() - values_.back().begin <= largest) return;
  throw error(errc::too_large, "postgres: cannot bind parameter " + std::to_string(values_.size()), "it is larger than 1 GB",
              "write it in several parts");
}

parameters& parameters::null() {
  begin(0, false);
  values_.back().null = true;
  return *this;
}

parameters& parameters::integer(std::int64_t value) {
  begin(type_int8, true);
  append(value);
  values_.back().length = sizeof value;
  return *this;
}

parameters& parameters::real(double value) {
  begin(type_float8, true);
  append(std::bit_cast<std::uint64_t>(value));
  values_.back().length = sizeof value;
  return *this;
}

parameters& parameters::text(std::string_view value) {
  if (value.find('\0') != std::string_view::npos)
    throw error(errc::malformed, "postgres: cannot bind parameter " + std::to_string(values_.size() + 1), "the text has a zero byte",
                "bind it as bytes");
  begin(0, false);
  append(value);
  check_size();
  values_.back().length = value.size();
  bytes_ += '\0';
  return *this;
}

parameters& parameters::bytes(std::string_view value) {
  begin(type_bytea, true);
  append(value);
  check_size();
  values_.back().length = value.size();
  return *this;
}

parameters& parameters::bytes(std::span<std::byte const> value) {
  return bytes(std::string_view(reinterpret_cast<char const*>(value.data()), value.size()));
}

// As array_recv reads it: dimensions, whether there are nulls, type; per dimension its size and lowest index.
void parameters::begin_array(std::uint32_t type, std::uint32_t of_type, std::size_t count) {
  if (count > largest) throw error(errc::too_large, "postgres: cannot bind an array", "it has more than 2^30 elements");
  begin(type, true);
  append(std::uint32_t{count == 0 ? 0U : 1U});
  append(std::uint32_t{0});
  append(of_type);
  if (count == 0) return;
  append(static_cast<std::uint32_t>(count));
  append(std::uint32_t{1});
}

parameters& parameters::integers(std::span<std::int64_t const> values) {
  begin_array(type_int8_array, type_int8, values.size());
  for (std::int64_t const v : values) {
    append(std::uint32_t{sizeof v});
    append(v);
  }
  check_size();
  values_.back().length = bytes_.size() - values_.back().begin;
  return *this;
}

parameters& parameters::byte_strings(std::span<std::string_view const> values) {
  begin_array(type_bytea_array, type_bytea, values.size());
  for (std::string_view const v : values) {
    if (v.size() > largest) throw error(errc::too_large, "postgres: cannot bind an array", "one of its elements is larger than 1 GB");
    append(static_cast<std::uint32_t>(v.size()));
    append(v);
  }
  check_size();
  values_.back().length = bytes_.size() - values_.back().begin;
  return *this;
}

}  // namespace weir::postgres
