#include <weir/net/base64.hpp>

#include <openssl/evp.h>

#include <vector>

namespace weir::net {

std::string to_base64(std::string_view bytes) {
  std::vector<unsigned char> out((bytes.size() + 2) / 3 * 4 + 1);  // EVP_EncodeBlock ends it with a zero
  int const size = ::EVP_EncodeBlock(out.data(), reinterpret_cast<unsigned char const*>(bytes.data()), static_cast<int>(bytes.size()));
  return std::string(out.begin(), out.begin() + size);
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string out(text.size() / 4 * 3, '\0');
  int const size = ::EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()), reinterpret_cast<unsigned char const*>(text.data()),
                                     static_cast<int>(text.size()));
  if (size < 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding != text.size() && padding != 2 && text[text.size() - 1 - padding] == '=') ++padding;
  if (static_cast<std::size_t>(size) < padding) return std::nullopt;
  out.resize(static_cast<std::size_t>(size) - padding);  // it counts the padding as zeros
  if (to_base64(out) != text) return std::nullopt;       // it skips white space and ignores bits that have no place
  return out;
}

}  // namespace weir::net
