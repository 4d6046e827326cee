#include <weir/aws/credentials_chain.hpp>

#include <weir/aws/container_credentials.hpp>
#include <weir/aws/environment_credentials.hpp>
#include <weir/aws/instance_credentials.hpp>
#include <weir/aws/profile_credentials.hpp>
#include <weir/aws/web_identity_credentials.hpp>

namespace weir::aws {

std::shared_ptr<credentials_chain> credentials_chain::standard(variables const& from) {
  return std::make_shared<credentials_chain>(std::vector<std::shared_ptr<credentials_source>>{
      std::make_shared<environment_credentials>(from), std::make_shared<web_identity_credentials>(from),
      std::make_shared<profile_credentials>("", from), std::make_shared<container_credentials>(from),
      std::make_shared<instance_credentials>(from)});
}

task<std::optional<credentials>> credentials_chain::fetch() {
  for (std::size_t i = 0; i != places_.size(); ++i) {
    std::shared_ptr<credentials_source> const place = places_[i];
    std::optional<credentials> found = co_await place->fetch();
    if (!found) continue;
    places_.assign(1, place);
    co_return found;
  }
  co_return std::nullopt;
}

std::string credentials_chain::text() const {
  std::string out;
  for (auto const& place : places_) out.append(out.empty() ? "" : ", ").append(place->kind());
  return out;
}

}  // namespace weir::aws
