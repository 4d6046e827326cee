#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::redis::detail {

enum class reply_kind { nil, status, error, integer, text, list };

// What a server answers. Source: Redis serialization protocol, version 2.
class reply {
public:
  reply() noexcept = default;

  reply_kind kind = reply_kind::nil;
  std::string text;  // of status, error and text
  std::int64_t integer = 0;
  std::vector<reply> parts;  // of list
};

// Makes replies of bytes as they come, in whatever pieces. Over hiredis' reader.
class reply_reader {
public:
  reply_reader();
  reply_reader(reply_reader const&) = delete;
  reply_reader& operator=(reply_reader const&) = delete;
  ~reply_reader();

  void feed(std::string_view bytes);
  // The next whole one; null: more bytes are needed. Throws errc::malformed.
  std::optional<reply> next();

private:
  struct rep;
  std::unique_ptr<rep> rep_;
};

// Appends a command to `to`, as it is sent.
void put_command(std::string& to, std::vector<std::string_view> const& words);

}  // namespace weir::redis::detail
