#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string_view>
#include <thread>

namespace nexmark {
namespace {

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name"))
      if (auto const colon = line.find(": "); colon != line.npos) return line.substr(colon + 2);
  return "unknown processor";
}
// Clang's begins with its name.
std::string compiler() {
  std::string const version = __VERSION__;
  return version.find("Clang") == version.npos ? "g++ " + version : version;
}

// What /proc and the compiler say has no control characters.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}
std::string json(timings const& t) {
  return fmt::format(R"({{"median_ns":{:.3f},"least_ns":{:.3f},"greatest_ns":{:.3f}}})", t.median(), t.least(), t.greatest());
}

}  // namespace

double timings::median() const {
  std::vector<double> sorted = all_;
  std::sort(sorted.begin(), sorted.end());
  return sorted[sorted.size() / 2];
}
double timings::least() const { return *std::min_element(all_.begin(), all_.end()); }
double timings::greatest() const { return *std::max_element(all_.begin(), all_.end()); }

std::string table(std::vector<figures> const& all, std::size_t events) {
  std::string out = fmt::format("{}, {} cores; {}; {} events\n", processor(), std::thread::hardware_concurrency(), compiler(), events);
  out += fmt::format("{:<14} {:>12} {:>16} {:>9} {:>16} {:>12} {:>7}\n", "query", "rows", "M events/s/core", "ns/event", "least to most",
                     "by hand, ns", "ratio");
  for (figures const& f : all) {
    out += fmt::format("{:<14} {:>12} {:>16.2f} {:>9.2f} {:>16}", f.query, f.rows, 1e3 / f.ours.median(), f.ours.median(),
                       fmt::format("{:.2f} to {:.2f}", f.ours.least(), f.ours.greatest()));
    if (!f.by_hand.empty()) out += fmt::format(" {:>12.2f} {:>7.2f}", f.by_hand.median(), f.ours.median() / f.by_hand.median());
    out += '\n';
  }
  return out;
}

std::string json(std::vector<figures> const& all, std::size_t events) {
  std::string out =
      fmt::format(R"({{"processor":{},"compiler":{},"events":{},"queries":[)", quoted(processor()), quoted(compiler()), events);
  for (figures const& f : all) {
    out += fmt::format(R"({}{{"query":{},"rows":{},"ours":{})", &f == all.data() ? "" : ",", quoted(f.query), f.rows, json(f.ours));
    if (!f.by_hand.empty()) out += fmt::format(R"(,"by_hand":{},"ratio":{:.3f})", json(f.by_hand), f.ours.median() / f.by_hand.median());
    out += '}';
  }
  return out + "]}\n";
}

}  // namespace nexmark
