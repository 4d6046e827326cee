#include <weir/aws/detail/process_credentials.hpp>

#include <weir/aws/detail/shell_command.hpp>
#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/rfc3339.hpp>

#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace weir::aws::detail {
namespace {

[[noreturn]] void refuse_command(errc code, std::string why, std::string advice) {
  throw error(code, "aws: no credentials", "the command of credential_process " + std::move(why), std::move(advice));
}

// What it says about itself, in one line.
std::string complaint(std::string const& err) {
  constexpr std::size_t most = 500;
  std::string out;
  for (char const c : err.substr(0, most)) out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out.empty() ? out : ": " + out;
}

credentials read(std::string const& json) {
  constexpr char const* form = R"(it has to print {"Version":1,"AccessKeyId":"...","SecretAccessKey":"..."})";
  simdjson::ondemand::parser parser;
  simdjson::padded_string const text(json);
  simdjson::ondemand::document document;
  simdjson::ondemand::object all;
  if (parser.iterate(text).get(document) || document.get_object().get(all)) refuse_command(errc::malformed, "prints no JSON object", form);
  credentials out;
  std::int64_t version = 0;
  std::string expiration;
  for (auto member : all) {
    std::string_view name, value;
    if (member.unescaped_key().get(name)) refuse_command(errc::malformed, "prints no JSON object", form);
    if (name == "Version") {
      if (member.value().get_int64().get(version)) version = 0;
      continue;
    }
    if (member.value().get_string().get(value)) continue;  // null, or something of no use here
    if (name == "AccessKeyId") out.access_key_id = value;
    else if (name == "SecretAccessKey") out.secret_access_key = value;
    else if (name == "SessionToken") out.session_token = value;
    else if (name == "Expiration") expiration = value;
  }
  if (version != 1) refuse_command(errc::malformed, "prints no Version 1", form);
  if (out.access_key_id.empty() || out.secret_access_key.empty()) refuse_command(errc::malformed, "prints no keys", form);
  if (!expiration.empty()) {
    auto const until = parse_rfc3339(expiration);
    if (!until)
      refuse_command(errc::malformed, "prints an Expiration that " + std::string(to_string(until.error())), "write 2024-08-08T23:54:15Z");
    out.expires = *until;
  }
  return out;
}

}  // namespace

task<credentials> process_credentials(std::string command, std::string profile, std::chrono::milliseconds limit) {
  context& own = co_await current_context();
  try {
    task<command_result> running = run_shell_command(std::move(command), limit);
    command_result const result = co_await std::move(running);
    if (result.too_late)
      refuse_command(errc::timed_out, "has not ended within " + std::to_string(limit.count()) + " ms" + complaint(result.err),
                     "run it by hand, and see what it waits for");
    if (result.status != 0)
      refuse_command(errc::rejected, "ends with status " + std::to_string(result.status) + complaint(result.err), "run it by hand");
    credentials out = read(result.out);
    if (out.expires && *out.expires <= own.clock().now())
      refuse_command(errc::access_denied, "prints credentials that have expired at " + format_rfc3339(*out.expires),
                     "see why it has no others");
    co_return out;
  } catch (error& e) {
    e.with_detail("profile " + profile);
    throw;
  }
}

}  // namespace weir::aws::detail
