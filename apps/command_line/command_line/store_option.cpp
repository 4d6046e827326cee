#include "store_option.hpp"

#include <utility>

namespace command_line {

CLI::Option* add_store(CLI::App& app, std::string const& flag, std::string const& what, std::function<void(store_name)> take) {
  auto const dashes = flag.rfind("--");
  std::string const name = dashes == std::string::npos ? flag : flag.substr(dashes);
  auto const read = [name, take = std::move(take)](std::string const& text) {
    std::string problem;
    auto store = parse_store_name(text, problem);
    if (!problem.empty()) throw CLI::ValidationError(name, problem);
    take(std::move(store));
  };
  return app.add_option_function<std::string>(flag, read, what)->type_name("STORE");
}

}  // namespace command_line
