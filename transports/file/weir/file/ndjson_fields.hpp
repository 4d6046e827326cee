#pragma once
#include <weir/file/field_text.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weir::file {

/// Reads fields of lines of NDJSON that come from elsewhere than a file: the payloads of a stream's records. Each is one JSON object (RFC
/// 8259), blanks and a line break around it or none; the rules are those of `options::fields`, numbers keep all their digits.
///
/// Allocates when a payload is longer than all before it. Errors: `errc::invalid_option` for names that `options::fields` does not take.
/// Strand only.
class ndjson_fields {
public:
  /// The fields, 1 to 64, no two alike, that each payload has to have, and not as null, an object or an array.
  explicit ndjson_fields(std::vector<std::string> names);
  ndjson_fields(ndjson_fields&&) noexcept;
  ndjson_fields& operator=(ndjson_fields&&) noexcept;
  ~ndjson_fields();

  /// As many as there are names, in their order, valid until the next call. Null when it is no such object; then `why` is one sentence for
  /// people.
  field_text const* read(std::string_view payload, std::string& why);

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace weir::file
