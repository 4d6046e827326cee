#pragma once
#include <weir/aws/credentials_source.hpp>
#include <weir/aws/variables.hpp>

#include <memory>
#include <string>
#include <vector>

namespace weir::aws {

/// Several places, asked in order until one has credentials; from then on that one only, since a pipeline must not become somebody else in
/// the middle. Null when none has any. Throws what the first of them throws that throws.
class credentials_chain final : public credentials_source {
public:
  explicit credentials_chain(std::vector<std::shared_ptr<credentials_source>> places) : places_(std::move(places)) {}
  /// In the order that users know: environment, web identity, profile, container, instance.
  static std::shared_ptr<credentials_chain> standard(variables const& from = process_variables());

  std::string_view kind() const noexcept override { return "chain"; }
  task<std::optional<credentials>> fetch() override;
  /// "environment, profile": what would be asked now.
  std::string text() const;

private:
  std::vector<std::shared_ptr<credentials_source>> places_;
};

}  // namespace weir::aws
