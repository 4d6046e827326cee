#pragma once
#include <weir/aws/credentials.hpp>
#include <weir/task.hpp>

#include <optional>
#include <string_view>

namespace weir::aws {

/// One place where credentials may be found: `environment_credentials`, `web_identity_credentials`, `profile_credentials`,
/// `container_credentials`, `instance_credentials`; several, one after the other: `credentials_chain`; any of them, kept until they expire:
/// `credentials_cache`.
class credentials_source {
public:
  credentials_source() = default;
  credentials_source(credentials_source const&) = delete;
  credentials_source& operator=(credentials_source const&) = delete;
  virtual ~credentials_source() = default;

  /// Which place that is, for messages: "environment". Of static lifetime.
  virtual std::string_view kind() const noexcept = 0;
  /// Looks there, each time anew. Null: nothing says that there should be any. Throws when something does, and they cannot be had:
  /// somebody meant these and no others. One call at a time, from any strand.
  virtual task<std::optional<credentials>> fetch() = 0;
};

}  // namespace weir::aws
