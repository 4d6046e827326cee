#pragma once

#include "broken_records.hpp"
#include "field_values.hpp"

#include <weir/file/field_text.hpp>
#include <weir/file/options.hpp>
#include <weir/file/record.hpp>

#include <boost/system/result.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace command_line {

/// Makes values of the records of a file, by a function from `N` selected fields to a `T` or a fault.
///
/// A record that gives a fault fails the stream with `errc::malformed` and file, line and byte, or goes to the dead letters of the policy
/// and becomes a value-initialised `T`, to be filtered out.
template <class T, std::size_t N> class field_decoder {
public:
  /// The values of the fields, in the order of their names.
  using values = std::array<weir::file::field_text, N>;
  using function = boost::system::result<T, field_fault> (*)(values const&);

  field_decoder(std::string program, weir::file::broken_line_policy policy, std::array<std::string_view, N> names, function decode)
      : broken_(std::move(program), std::move(policy)), names_(names), decode_(decode) {}

  /// For `weir::file::options::fields`.
  std::vector<std::string> names() const { return std::vector<std::string>(names_.begin(), names_.end()); }

  T operator()(weir::file::record const& record) const {
    values all;
    for (std::size_t i = 0; i != N; ++i) {
      std::string_view const text = record.field(i);
      all[i] = weir::file::field_text(record.kind(i), text.data(), text.data() + text.size());
    }
    auto decoded = decode_(all);
    if (decoded) [[likely]]
      return std::move(*decoded);
    auto const& fault = decoded.error();
    broken_.refuse(record, describe(fault, names_[fault.field], all[fault.field]));
    return T();
  }

private:
  broken_records broken_;
  std::array<std::string_view, N> names_;
  function decode_;
};

}  // namespace command_line
