#include <weir/net/base64.hpp>

#include <openssl/evp.h>

#include <array>
#include <cstdint>

namespace weir::net {
namespace {

constexpr std::uint32_t no_digit = 0x01000000;  // no place in three bytes

using table = std::array<std::uint32_t, 256>;

// What each character adds to the three bytes, standing as the n-th of four.
constexpr table digits_at(unsigned n) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  table out{};
  for (std::uint32_t& d : out) d = no_digit;
  for (std::uint32_t i = 0; i != 64; ++i) out[static_cast<unsigned char>(alphabet[i])] = i << (18 - 6 * n);
  return out;
}
constexpr std::array<table, 4> digits{digits_at(0), digits_at(1), digits_at(2), digits_at(3)};

std::uint32_t digit(char c, std::size_t place) noexcept { return digits[place][static_cast<unsigned char>(c)]; }

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string out;
  append_base64(out, bytes);
  return out;
}

void append_base64(std::string& to, std::string_view bytes) {
  std::size_t const before = to.size(), size = (bytes.size() + 2) / 3 * 4;
  to.resize(before + size + 1);  // EVP_EncodeBlock ends it with a zero
  ::EVP_EncodeBlock(reinterpret_cast<unsigned char*>(to.data() + before), reinterpret_cast<unsigned char const*>(bytes.data()),
                    static_cast<int>(bytes.size()));
  to.resize(before + size);
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string out(text.size() / 4 * 3, '\0');
  char const* const end = decode_base64(text, out.data());
  if (end == nullptr) return std::nullopt;
  out.resize(static_cast<std::size_t>(end - out.data()));
  return out;
}

// OpenSSL's takes 2 ns for a character, skips white space, and counts padding as zeros.
char* decode_base64(std::string_view text, char* into) noexcept {
  if (text.size() % 4 != 0) return nullptr;
  if (text.empty()) return into;
  std::size_t const padding = text.back() != '=' ? 0 : text[text.size() - 2] != '=' ? 1 : 2;
  char const* c = text.data();
  char const* const whole = c + text.size() - (padding == 0 ? 0 : 4);
  std::uint32_t seen = 0;
  for (; c != whole; c += 4, into += 3) {
    std::uint32_t const bits = digit(c[0], 0) | digit(c[1], 1) | digit(c[2], 2) | digit(c[3], 3);
    seen |= bits;
    into[0] = static_cast<char>(bits >> 16);
    into[1] = static_cast<char>(bits >> 8);
    into[2] = static_cast<char>(bits);
  }
  if (padding != 0) {
    std::uint32_t const bits = digit(c[0], 0) | digit(c[1], 1) | (padding == 1 ? digit(c[2], 2) : 0);
    seen |= bits;
    if ((bits & (padding == 1 ? 0xffU : 0xffffU)) != 0) return nullptr;  // bits that have no place
    *into++ = static_cast<char>(bits >> 16);
    if (padding == 1) *into++ = static_cast<char>(bits >> 8);
  }
  return (seen & no_digit) == 0 ? into : nullptr;
}

}  // namespace weir::net
