#pragma once
#include <weir/aws/credentials_source.hpp>
#include <weir/aws/variables.hpp>

namespace weir::aws {

/// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN where they are lent.
/// `errc::invalid_option` when only one of the first two is set.
/// Source: "Environment variables", AWS SDKs and tools reference guide.
class environment_credentials final : public credentials_source {
public:
  explicit environment_credentials(variables from = process_variables()) : from_(std::move(from)) {}
  std::string_view kind() const noexcept override { return "environment"; }
  task<std::optional<credentials>> fetch() override;

private:
  variables from_;
};

}  // namespace weir::aws
