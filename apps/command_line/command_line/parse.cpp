#include "parse.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <utility>

namespace command_line {
namespace {

// What people look for: the name, what it takes, what it means, what it is by default. CLI11's own lists the checks and exclusions too.
class plain_formatter : public CLI::Formatter {
public:
  std::string make_option_opts(CLI::Option const* option) const override {
    auto const type = option->get_type_name();  // of "N:UINT in [1 - 100]" what stands before the check
    return option->get_type_size() == 0 ? std::string() : " " + type.substr(0, type.find(':'));
  }
  std::string make_option_desc(CLI::Option const* option) const override {
    auto const standard = option->get_default_str();
    return option->get_description() + (standard.empty() || option->get_type_size() == 0 ? std::string() : " [" + standard + "]");
  }
};

void explain(CLI::App const& app, CLI::ParseError const& failure, int& exit_code) {
  if (failure.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    app.exit(failure);
    exit_code = 0;
    return;
  }
  std::string reason = failure.what();
  for (char& c : reason)
    if (c == '\n') c = ' ';
  fmt::print(stderr, "{0}: {1}; see {0} --help\n", app.get_name(), reason);
  exit_code = 2;
}

}  // namespace

void prepare(CLI::App& app, std::string footer) {
  app.footer(std::move(footer));
  app.set_version_flag("--version", app.get_name() + " (Weir) 0.1.0", "Print the version");
  app.formatter(std::make_shared<plain_formatter>());
  app.get_formatter()->column_width(30);
}

bool parse(CLI::App& app, int argc, char const* const* argv, int& exit_code) {
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& failure) {
    explain(app, failure, exit_code);
    return false;
  }
  return true;
}

std::string not_negative(std::string const& text) { return text.find('-') == std::string::npos ? "" : "Value " + text + " is below zero"; }

std::string finite(std::string const& text) {
  return text.find_first_of("nN") == std::string::npos ? "" : "Value " + text + " is not a finite number";
}

}  // namespace command_line
