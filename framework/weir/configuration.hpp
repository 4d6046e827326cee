#pragma once
#include <weir/settings.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// What a program can be told from outside: names with a value each, which come, the later ones before the earlier ones, from the code, a
/// file of JSON, the environment, and the command line.
/// ```cpp
/// weir::settings s{.name = "ticks"};
/// std::string stream = "trades", password;
/// weir::configuration config;
/// config.add(s).add("stream", stream, "what is read").add_secret("database.password", password, "of the user ticks");
/// if (config.load(argc, argv, environ) == weir::configuration::outcome::done) return 0;  // --help or --print-settings
/// ```
/// `commit.every` is `{"commit": {"every": "5s"}}` in the file, `WEIR_COMMIT_EVERY` in the environment, `--commit-every 5s` or
/// `--commit-every=5s` on the command line. The file is the one that `--settings FILE` or `WEIR_SETTINGS` names. Durations have a unit: ns,
/// us, ms, s, min, h. A name that nobody knows is an error that names the one that is most like it: nothing is ignored.
///
/// Errors: `weir::error` with `errc::invalid_option`, which says where the value came from; a secret's value is in no message.
class configuration {
public:
  /// Whether the program is to go on.
  enum class outcome : std::uint8_t {
    run,   ///< with what was read
    done,  ///< it was only asked what there is, and that is written
  };

  /// `prefix`: of variables of the environment.
  explicit configuration(std::string prefix = "WEIR_") : prefix_(std::move(prefix)) {}

  /// A value is written where the reference says, which outlives this; what is there is the default. Names are lower case, words with dots
  /// or underscores between them.
  configuration& add(std::string name, std::string& value, std::string meaning);
  configuration& add(std::string name, std::uint64_t& value, std::string meaning);
  configuration& add(std::string name, std::uint16_t& value, std::string meaning);
  configuration& add(std::string name, double& value, std::string meaning);
  configuration& add(std::string name, bool& value, std::string meaning);
  configuration& add(std::string name, std::chrono::nanoseconds& value, std::string meaning);
  /// One that is never shown: passwords, tokens, connection strings.
  configuration& add_secret(std::string name, std::string& value, std::string meaning);
  /// Those of all applications: `name`, `commit.every`, `commit.records`, `drain_timeout`, `cancel_timeout`, `stall_after`.
  configuration& add(settings& s);

  /// The steps of `load`, for programs that do without one.
  void read_json(std::string_view text, std::string const& origin);
  void read_environment(char const* const* variables);
  void read_flags(std::span<std::string const> arguments);

  /// All of it: the file, the environment (`environ`), the command line. What `--help` and `--print-settings` ask for goes to `print`;
  /// empty: to standard output.
  outcome load(int argc, char const* const* argv, char const* const* variables, std::function<void(std::string_view)> print = {});

  /// Each name with its value and where that comes from, one a line; secrets are `***` where they are set.
  std::string text() const;
  /// Each name with what it means and its value, as flags.
  std::string help() const;

private:
  struct entry {
    std::string name, meaning;
    std::function<std::string()> show;
    std::function<void(std::string const&)> read;  // throws std::invalid_argument with what would be right
    std::string origin = "default";
    bool secret = false;
  };
  template <class T> configuration& add_entry(std::string name, T& value, std::string meaning);
  entry& find(std::string_view name, std::string const& origin);
  void assign(entry& e, std::string const& value, std::string const& origin);
  std::string flag_of(entry const& e) const;
  std::string variable_of(entry const& e) const;

  std::string prefix_;
  std::vector<entry> entries_;
};

}  // namespace weir
