#include <weir/detail/schema_text.hpp>

#include <boost/core/demangle.hpp>

namespace weir::detail {
namespace {

std::string listed(std::initializer_list<std::string> parts) {
  std::string out;
  for (std::string const& p : parts) out += (out.empty() ? "" : ", ") + p;
  return out;
}

}  // namespace

std::string schema_of_parts(std::string_view of, std::initializer_list<std::string> parts) {
  return std::string(of) + '<' + listed(parts) + '>';
}

std::string schema_of_struct(std::initializer_list<std::string> members) { return '{' + listed(members) + '}'; }

std::string schema_of_memory(std::size_t bytes, std::string_view what) { return std::to_string(bytes) + " bytes of " + std::string(what); }

std::string name_of(std::type_info const& type) { return boost::core::demangle(type.name()); }

std::string schema_of_number(char kind, std::size_t bytes) { return kind + std::to_string(8 * bytes); }

std::string schema_of_ticks(std::string_view of, std::string const& number, std::intmax_t num, std::intmax_t den) {
  return schema_of_parts(of, {number, std::to_string(num) + '/' + std::to_string(den)});
}

}  // namespace weir::detail
