#include <weir/aws/profile_files.hpp>

#include <weir/error.hpp>
#include <weir/net/headers.hpp>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

namespace weir::aws {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r";
  std::size_t const first = text.find_first_not_of(space);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

// Without a comment behind it.
std::string_view before_comment(std::string_view value) {
  for (std::size_t i = 1; i < value.size(); ++i)
    if ((value[i] == '#' || value[i] == ';') && (value[i - 1] == ' ' || value[i - 1] == '\t')) return trimmed(value.substr(0, i));
  return value;
}

[[noreturn]] void refuse(std::size_t line, char const* why) {
  throw error(errc::malformed, "aws: cannot read a shared file", why, "correct it; `aws configure` writes such files")
      .with_detail("line " + std::to_string(line));
}

// Calls `begin(name)` for each section; what it returns, null too, gets the settings.
template <class Begin> void read(std::string_view text, Begin begin) {
  profile_files::section* into = nullptr;
  bool any = false;
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    bool const goes_on = !line.empty() && (line.front() == ' ' || line.front() == '\t');
    line = trimmed(line);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (goes_on && any) continue;
    if (line.front() == '[') {
      std::size_t const end = line.find(']');
      if (end == line.npos) refuse(number, "a section has no ]");
      into = begin(trimmed(line.substr(1, end - 1)));
      any = true;
      continue;
    }
    std::size_t const equals = line.find('=');
    if (equals == line.npos) refuse(number, "it is neither a section, nor a setting with a =");
    if (!any) refuse(number, "a setting stands before the first section");
    if (into) (*into)[net::lower_case(trimmed(line.substr(0, equals)))] = before_comment(trimmed(line.substr(equals + 1)));
  }
}

// What follows `kind` and white space; empty: it is another kind of section.
std::string_view name_of(std::string_view section, std::string_view kind) {
  if (!section.starts_with(kind)) return {};
  std::string_view const rest = section.substr(kind.size());
  if (rest.empty() || (rest.front() != ' ' && rest.front() != '\t')) return {};
  return trimmed(rest);
}

std::string content(std::string const& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    int const why = errno;
    if (why == ENOENT || why == ENOTDIR) return {};
    throw error(why == EACCES ? errc::access_denied : errc::io, "aws: cannot read a shared file",
                std::error_code(why, std::generic_category()).message())
        .with_detail(file);
  }
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

profile_files::profile_files(std::string_view config, std::string_view credentials) {
  read(config, [this](std::string_view section) -> profile_files::section* {
    if (section == "default") return &profiles_["default"];
    if (std::string_view const name = name_of(section, "profile"); !name.empty()) return &profiles_[std::string(name)];
    if (std::string_view const name = name_of(section, "sso-session"); !name.empty()) return &sso_sessions_[std::string(name)];
    return nullptr;
  });
  read(credentials, [this](std::string_view section) { return &profiles_[std::string(section)]; });
}

profile_files profile_files::load(variables const& from) {
  std::string const home = from("HOME").value_or("");
  std::string const config = from("AWS_CONFIG_FILE").value_or(home + "/.aws/config");
  std::string const credentials = from("AWS_SHARED_CREDENTIALS_FILE").value_or(home + "/.aws/credentials");
  try {
    return {content(config), content(credentials)};
  } catch (error& e) {
    if (e.code() == errc::malformed) e.with_detail(config + " or " + credentials);
    throw;
  }
}

profile_files::section const* profile_files::profile(std::string const& name) const {
  auto const found = profiles_.find(name);
  return found == profiles_.end() ? nullptr : &found->second;
}

profile_files::section const* profile_files::sso_session(std::string const& name) const {
  auto const found = sso_sessions_.find(name);
  return found == sso_sessions_.end() ? nullptr : &found->second;
}

}  // namespace weir::aws
