#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir {

/// How urgent a message is.
enum class log_level : std::uint8_t {
  debug,    ///< for who develops Weir or a pipeline
  info,     ///< something normal of note: started, resumed at, drained
  warning,  ///< it goes on, but somebody should know
  error,    ///< something stopped or was refused
};

/// "debug", "info", "warning", "error".
std::string_view to_string(log_level level) noexcept;

/// What a message is about, for those who sort by it: `log_field("partition", "3")`. Views: valid during the call they are given to.
struct log_field {
  constexpr log_field(std::string_view n, std::string_view v) noexcept : name(n), value(v) {}
  std::string_view name, value;
};

/// Where messages go: a function, and the level below which nothing is said. The default writes warnings and errors to standard error, one
/// line each: "2024-08-08T23:54:15.342Z warning: kinesis: ...".
///
/// A message is one sentence in the form of errors. The function may be called from any strand at any time and must not throw; what
/// it throws all the same is swallowed.
class logger {
public:
  using function = std::function<void(log_level, std::string_view)>;
  using structured_function = std::function<void(log_level, std::string_view, std::span<log_field const>)>;

  logger() = default;
  /// Writes to standard error, from `least` on.
  explicit logger(log_level least) noexcept : least_(least) {}
  /// `write` empty: standard error.
  logger(log_level least, function write) noexcept : write_(std::move(write)), least_(least) {}

  /// `write` is also told what messages are about, as far as those who say them know (`with`): a handler's `context.log()` has `pipeline`,
  /// `stream` and `partition`. The message says so to people; programs need not read it.
  static logger structured(log_level least, structured_function write);
  /// The same, with a field more for every message.
  logger with(std::string name, std::string value) const;

  /// Ask before a message is composed that is expensive.
  bool enabled(log_level level) const noexcept { return level >= least_; }
  void operator()(log_level level, std::string_view message) const noexcept {
    if (enabled(level)) write(level, message);
  }
  void debug(std::string_view message) const noexcept { (*this)(log_level::debug, message); }
  void info(std::string_view message) const noexcept { (*this)(log_level::info, message); }
  void warning(std::string_view message) const noexcept { (*this)(log_level::warning, message); }
  void error(std::string_view message) const noexcept { (*this)(log_level::error, message); }

private:
  using fields = std::vector<std::pair<std::string, std::string>>;
  void write(log_level level, std::string_view message) const noexcept;

  function write_;
  std::shared_ptr<structured_function const> structured_;  // in place of write_
  std::shared_ptr<fields const> fields_;
  log_level least_ = log_level::warning;
};

}  // namespace weir
