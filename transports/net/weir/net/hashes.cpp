#include <weir/net/hashes.hpp>

#include <weir/error.hpp>

#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace weir::net {
namespace {

unsigned char const* bytes_in(std::string_view text) noexcept { return reinterpret_cast<unsigned char const*>(text.data()); }
unsigned char* bytes_in(digest& d) noexcept { return reinterpret_cast<unsigned char*>(d.data()); }

[[noreturn]] void fail(std::string what) {
  throw error(errc::unavailable, std::move(what), "OpenSSL has no SHA-256", "look at its configuration: providers, FIPS mode");
}

}  // namespace

digest sha256(std::string_view bytes) {
  digest out{};
  if (::EVP_Digest(bytes.data(), bytes.size(), bytes_in(out), nullptr, ::EVP_sha256(), nullptr) != 1) fail("hash: cannot be made");
  return out;
}

digest hmac_sha256(std::string_view key, std::string_view bytes) {
  digest out{};
  char const none = 0;  // a null key would mean the one before
  void const* const k = key.empty() ? &none : key.data();
  if (!::HMAC(::EVP_sha256(), k, static_cast<int>(key.size()), bytes_in(bytes), bytes.size(), bytes_in(out), nullptr))
    fail("signature: cannot be made");
  return out;
}

std::array<std::byte, 20> sha1(std::string_view bytes) {
  std::array<std::byte, 20> out{};
  if (::EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(out.data()), nullptr, ::EVP_sha1(), nullptr) != 1)
    throw error(errc::unavailable, "hash: cannot be made", "OpenSSL has no SHA-1", "look at its configuration: providers, FIPS mode");
  return out;
}

std::array<std::byte, 16> md5(std::string_view bytes) {
  std::array<std::byte, 16> out{};
  if (::EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(out.data()), nullptr, ::EVP_md5(), nullptr) != 1)
    throw error(errc::unavailable, "hash: cannot be made", "OpenSSL has no MD5", "look at its configuration: providers, FIPS mode");
  return out;
}

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (char const c : bytes) {
    auto const b = static_cast<unsigned char>(c);
    out += digits[b >> 4];
    out += digits[b & 15];
  }
  return out;
}

}  // namespace weir::net
