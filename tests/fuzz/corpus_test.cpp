// Each target of tests/fuzz with the inputs that are kept: whole, cut short anywhere, and changed. tests/fuzz/run goes on from there.
#include "fuzz/targets.hpp"
#include "support/catch.hpp"
#include "support/skip.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

using namespace weir;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> inputs_in(fs::path const& folder) {
  std::vector<fs::path> files;
  for (auto const& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> out;
  for (fs::path const& file : files) {
    std::ifstream in(file, std::ios::binary);
    out.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return out;
}

}  // namespace

TEST_CASE("whatever bytes come from outside, they are read or refused", "[fuzz]") {
  char const* const corpus = std::getenv("WEIR_FUZZ_CORPUS");
  if (corpus == nullptr) {
    test::skip("WEIR_FUZZ_CORPUS names no folder");
    return;
  }
  for (auto const& target : test::fuzz_targets()) {
    INFO(target.name);
    auto const inputs = inputs_in(fs::path(corpus) / target.name);
    REQUIRE(!inputs.empty());
    std::mt19937 random(7);
    target.run("");
    for (std::string const& input : inputs) {
      target.run(input);
      std::size_t const step = 1 + input.size() / 200;
      for (std::size_t n = 0; n < input.size(); n += step) target.run(std::string_view(input).substr(0, n));
      for (int i = 0; i != 200 && !input.empty(); ++i) {
        std::string changed = input;
        for (auto n = 1 + random() % 3; n != 0; --n) changed[random() % changed.size()] = static_cast<char>(random() & 0xffU);
        target.run(changed);
      }
    }
  }
  SUCCEED("none of them ended the program");
}
