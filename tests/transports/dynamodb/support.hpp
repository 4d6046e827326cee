#pragma once
#include <weir/aws/variables.hpp>
#include <weir/dynamodb/client.hpp>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace weir::test {

/// How a client of tests calls who listens there: by keys that are in no environment, with no jitter.
inline dynamodb::client_options dynamodb_at(std::string url) {
  std::map<std::string, std::string> const keys{{"AWS_ACCESS_KEY_ID", "AKIDTEST"}, {"AWS_SECRET_ACCESS_KEY", "secret"}};
  dynamodb::client_options o;
  o.where.region = "eu-west-1";
  o.where.url = std::move(url);
  o.from = [keys](std::string const& name) -> std::optional<std::string> {
    auto const found = keys.find(name);
    if (found == keys.end()) return std::nullopt;
    return found->second;
  };
  o.retry = retry_policy().attempts(3).first_delay(std::chrono::seconds(1)).blur(jitter::none);
  return o;
}

}  // namespace weir::test
