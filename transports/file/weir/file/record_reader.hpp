#pragma once
#include <weir/file/options.hpp>
#include <weir/file/record_builder.hpp>
#include <weir/file/text_input.hpp>
#include <weir/instant.hpp>
#include <weir/position.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace weir::file {

/// Reads one file: opens it, goes to where it should begin, and moves bytes from it to a `record_builder`. Blocks while it reads.
class record_reader {
public:
  enum class state : std::uint8_t {
    reading,    ///< there is more to do
    caught_up,  ///< following, and there is nothing more at present
    ended,      ///< the end of the file
  };

  /// Opens the file. Throws `weir::error` when that fails.
  record_reader(std::shared_ptr<options const> o, std::string path, std::optional<weir::position> after);

  /// The next records, held until the next call. It returns after a bounded amount of work, so perhaps without any: then
  /// `where` says why.
  std::span<record> read(instant now);
  state where() const noexcept { return state_; }
  std::uint64_t dead_letters() const noexcept { return builder_.dead_letters(); }

private:
  void read_header();
  void pass_over(std::span<char> scratch);
  void begin(std::uint64_t lines, char last);
  error cannot_resume(std::string why) const;

  std::shared_ptr<options const> options_;
  text_input input_;
  record_builder builder_;
  std::uint64_t begin_at_ = 0;  // while `begun_` is false: where records begin
  std::uint64_t lines_ = 0;     // ... and how many line breaks were passed
  bool begun_ = true;
  char last_ = '\n';  // the last byte that was passed over
  state state_ = state::reading;
};

}  // namespace weir::file
