#pragma once
#include <weir/instant.hpp>

#include <optional>
#include <string>

namespace weir::aws::detail {

// What `aws sso login` leaves in ~/.aws/sso/cache. A value.
struct sso_token {
  // Throws errc::malformed where there is no token with an end, or no JSON at all.
  static sso_token parse(std::string const& json);
  std::string to_json() const;
  // Something can be given for another token.
  bool renewable(instant now) const noexcept;

  std::string access_token;
  instant expires = 0;
  std::string start_url, region;
  std::string client_id, client_secret, refresh_token;  // empty: it cannot be renewed
  std::optional<instant> registered_until;              // of the client
};

// "~/.aws/sso/cache/HASH.json", where the hash is of the session's name, or, where there is none, of the start URL.
std::string sso_token_file(std::string const& home, std::string const& name);
// Throws errc::not_found when nobody has logged in, io, malformed; each names the file.
sso_token read_sso_token(std::string const& file);
// Whole, or not at all; only this user may read it. Throws errc::io.
void write_sso_token(std::string const& file, sso_token const& token);

}  // namespace weir::aws::detail
