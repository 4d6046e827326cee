#include <weir/aws/retry_settings.hpp>

#include <weir/aws/detail/found_settings.hpp>
#include <weir/error.hpp>

#include <charconv>

namespace weir::aws {
namespace {

[[noreturn]] void refuse(std::string const& name, std::string const& value, std::string advice) {
  throw error(errc::invalid_option, "aws: cannot tell how to retry", name + " is \"" + value + '"', std::move(advice));
}

retry_mode mode_of(std::string const& text) {
  if (text.empty() || text == "standard") return retry_mode::standard;
  if (text == "legacy") return retry_mode::legacy;
  if (text == "adaptive") return retry_mode::adaptive;
  refuse("the retry mode (AWS_RETRY_MODE, retry_mode)", text, "legacy, standard and adaptive are known");
}

unsigned attempts_of(std::string const& text) {
  unsigned n = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (failed != std::errc() || end != text.data() + text.size() || n == 0)
    refuse("the number of tries (AWS_MAX_ATTEMPTS, max_attempts)", text, "write a number above 0; the first try counts");
  return n;
}

}  // namespace

retry_settings resolve_retries(std::optional<retry_mode> mode, std::optional<retry_policy> const& policy, retry_policy const& usual,
                               std::string const& profile, variables const& from) {
  retry_settings out{mode.value_or(retry_mode::standard), policy.value_or(usual)};
  if (mode && policy) return out;
  detail::found_settings const found(profile, from);
  if (!mode) out.mode = mode_of(found.get("retry_mode", "AWS_RETRY_MODE"));
  if (std::string const n = policy ? std::string() : found.get("max_attempts", "AWS_MAX_ATTEMPTS"); !n.empty())
    out.policy = usual.attempts(attempts_of(n));
  return out;
}

}  // namespace weir::aws
