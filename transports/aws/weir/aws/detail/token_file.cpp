#include <weir/aws/detail/token_file.hpp>

#include <weir/error.hpp>

#include <fstream>
#include <iterator>

namespace weir::aws::detail {

std::string read_token_file(std::string const& file, std::string const& variable) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  if (text.empty()) throw error(errc::io, "aws: no credentials", "there is no token in " + file, "correct " + variable);
  if (text.find_first_of("\r\n") != text.npos)
    throw error(errc::malformed, "aws: no credentials", "the token in " + file + " has a line break in it", "correct " + variable);
  return text;
}

}  // namespace weir::aws::detail
