#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace weir::net {

/// 256 bits.
using digest = std::array<std::byte, 32>;

/// SHA-256 of the bytes. Source: FIPS 180-4, section 6.2, by OpenSSL.
digest sha256(std::string_view bytes);
/// HMAC with SHA-256. `key` may have any length, also none. Source: RFC 2104, by OpenSSL.
digest hmac_sha256(std::string_view key, std::string_view bytes);
/// SHA-1, for names that are made by it; no protection against anybody. Source: FIPS 180-4, section 6.1, by OpenSSL.
std::array<std::byte, 20> sha1(std::string_view bytes);
/// MD5, for formats that have it as a checksum; no protection against anybody. Source: RFC 1321, by OpenSSL.
std::array<std::byte, 16> md5(std::string_view bytes);
/// The bytes of a digest as such, for what takes text. Valid as long as the digest.
template <std::size_t N> std::string_view bytes_of(std::array<std::byte, N> const& d) noexcept {
  return {reinterpret_cast<char const*>(d.data()), d.size()};
}
/// Two digits for each byte, in lower case.
std::string to_hex(std::string_view bytes);
/// The same of a digest.
template <std::size_t N> std::string to_hex(std::array<std::byte, N> const& d) { return to_hex(bytes_of(d)); }

}  // namespace weir::net
