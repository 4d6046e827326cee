#pragma once
#include "support/catch.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace weir::test {

/// The command line of a program, for tests of its options.
template <class Options> class command_lines {
public:
  using parser = std::optional<Options> (*)(int, char const* const*, int&);
  using arguments = std::vector<char const*>;
  command_lines(char const* program, parser parse) : program_(program), parse_(parse) {}

  /// The options that `a` asks for; they must be good.
  Options good(arguments a) const {
    int exit_code = -1;
    auto const o = parse(std::move(a), exit_code);
    REQUIRE(o);
    return *o;
  }
  /// Each is a mistake: there is nothing to run, and the exit code is 2.
  void check_mistakes(std::vector<arguments> const& all) const { check_all(all, 2); }
  /// Each is a question: there is nothing to run, and the exit code is 0.
  void check_questions(std::vector<arguments> const& all) const { check_all(all, 0); }

private:
  std::optional<Options> parse(arguments a, int& exit_code) const {
    a.insert(a.begin(), program_);
    return parse_(static_cast<int>(a.size()), a.data(), exit_code);
  }
  void check_all(std::vector<arguments> const& all, int expected) const {
    for (auto const& a : all) {
      for (auto const* word : a) UNSCOPED_INFO(word);
      int exit_code = -1;
      CHECK_FALSE(parse(a, exit_code));
      CHECK(exit_code == expected);
    }
  }

  char const* program_;
  parser parse_;
};

}  // namespace weir::test
