#pragma once
#include <weir/aws/signing.hpp>
#include <weir/net/headers.hpp>

#include <string>
#include <string_view>

// What Signature Version 4 makes of the parts of a request, so that both ends sign the same text.
namespace weir::aws::detail {

struct canonical_request {
  std::string text;
  std::string signed_headers;  // "host;x-amz-date"
};

// `target`: path and query as in the request line. `all`: Host among them. `body_hash`: in hex.
canonical_request canonical(std::string_view method, std::string_view target, net::headers const& all, std::string_view body_hash,
                            path_form form);

// What is signed in the end.
std::string string_to_sign(std::string_view canonical_text, signing_scope const& where, std::string_view date);
// In hex.
std::string signature(std::string_view secret, signing_scope const& where, std::string_view date, std::string_view text);
// "20150830T123600Z". Source: ISO 8601, basic format.
std::string date_text(instant when);

}  // namespace weir::aws::detail
