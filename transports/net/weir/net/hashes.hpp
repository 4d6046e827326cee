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
/// The bytes of a digest as such, for what takes text.
std::string_view bytes_of(digest const& d) noexcept;
/// 64 digits, in lower case.
std::string to_hex(digest const& d);

}  // namespace weir::net
