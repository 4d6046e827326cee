#pragma once
#include <weir/error.hpp>
#include <weir/file/source.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

// Reading files in tests, whole or while something happens to them.
namespace weir::test {

struct seen {
  std::string line;
  position at;
  instant when = 0;
  bool operator==(seen const& o) const { return line == o.line && at == o.at; }
};

inline std::ostream& operator<<(std::ostream& out, seen const& s) { return out << '"' << s.line << "\" " << s.at.text(); }

inline task<> collect(stream<weir::file::record> records, std::vector<seen>* out, std::size_t most) {
  context& own = co_await current_context();
  while (out->size() < most) {
    weir::file::record* const r = co_await records.next();
    if (!r) break;
    out->push_back({std::string(r->line()), r->position(), own.clock().now()});
  }
}

inline std::vector<seen> read(weir::file::options const& o, std::optional<position> after = {}, std::size_t most = ~std::size_t(0)) {
  weir::file::source source(o);
  std::vector<seen> all;
  testing::run(collect(source.open(o.paths.front(), after), &all, most));
  return all;
}

// What was read before it failed; the failure has to be of that kind and say all of `parts`.
template <class... Parts> std::vector<seen> read_failing(weir::file::options const& o, std::optional<position> after, errc code,
                                                         Parts const&... parts) {
  std::vector<seen> all;
  fails_with(
      code,
      [&] {
        weir::file::source source(o);
        testing::run(collect(source.open(o.paths.front(), after), &all, ~std::size_t(0)));
      },
      parts...);
  return all;
}

inline std::vector<std::string> texts(std::vector<seen> const& all) {
  std::vector<std::string> out;
  for (seen const& s : all) out.push_back(s.line);
  return out;
}

inline void write(std::filesystem::path const& path, std::string_view bytes) { std::ofstream(path, std::ios::binary) << bytes; }
inline void append(std::filesystem::path const& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::app) << bytes;
}

// Does something at a time of the clock.
class later final : public timer {
public:
  explicit later(std::function<void()> what) : what_(std::move(what)) {}
  void fire() noexcept override { what_(); }

private:
  std::function<void()> what_;
};

struct event {
  std::chrono::nanoseconds at;
  std::function<void()> what;
};

inline task<> with_events(std::vector<event> events, task<> work) {
  context& own = co_await current_context();
  std::vector<std::unique_ptr<later>> timers;
  for (event& e : events) {
    timers.push_back(std::make_unique<later>(std::move(e.what)));
    own.clock().start(*timers.back(), e.at);
  }
  co_await std::move(work);
}

}  // namespace weir::test
