// Runs all benchmarks, in turns, and ends with a table: ns of CPU time per element, the median and the least of the repetitions, and the
// ratio of each to the reference in the same run. Takes the flags of Google Benchmark.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

// What a row is compared with: the reference above it that says so by its name.
bool is_reference(std::string_view name) {
  return name.find("by hand") != name.npos || name.find("kept nowhere") != name.npos || name.starts_with("plain loop");
}

class table : public benchmark::BenchmarkReporter {
public:
  bool ReportContext(Context const&) override { return true; }
  // Of one benchmark, all repetitions.
  void ReportRuns(std::vector<Run> const& runs) override {
    row r;
    for (Run const& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      r.name = run.run_name.function_name;
      r.place = {run.family_index, run.per_family_instance_index};
      if (run.error_occurred) {
        std::fprintf(stderr, "%s: %s\n", r.name.c_str(), run.error_message.c_str());
        failed_ = true;
        return;
      }
      if (auto const ns = run.counters.find("per_element"); ns != run.counters.end()) r.ns.push_back(ns->second.value);
      bytes_ = bytes_ || run.counters.contains("bytes");
      if (auto const n = run.counters.find("bytes"); n != run.counters.end()) r.bytes = n->second.value;
    }
    std::sort(r.ns.begin(), r.ns.end());
    if (!r.ns.empty()) rows_.push_back(std::move(r));
  }
  void Finalize() override {
    if (rows_.empty()) return;
    std::sort(rows_.begin(), rows_.end(), [](row const& a, row const& b) { return a.place < b.place; });
    std::printf("%-58s %10s %8s %10s %8s %10s\n", "CPU time per element", "median ns", "ratio", "least ns", "ratio", bytes_ ? "bytes" : "");
    row const* reference = nullptr;
    for (row const& r : rows_) {
      if (is_reference(r.name)) reference = &r;
      std::printf("%-58s %10.2f %8s %10.2f %8s", r.name.c_str(), r.median(), ratio(r.median(), reference, &row::median).c_str(), r.least(),
                  ratio(r.least(), reference, &row::least).c_str());
      if (r.bytes != 0) std::printf(" %10.1f", r.bytes);
      std::puts("");
    }
  }
  bool failed() const noexcept { return failed_; }

private:
  struct row {
    std::string name;
    std::pair<std::int64_t, std::int64_t> place;  // among those registered
    std::vector<double> ns;                       // of the repetitions, in order
    double bytes = 0;
    double median() const { return ns[ns.size() / 2]; }
    double least() const { return ns.front(); }
  };
  static std::string ratio(double ns, row const* reference, double (row::*of)() const) {
    if (reference == nullptr) return "";
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", ns / (reference->*of)());
    return text;
  }

  std::vector<row> rows_;
  bool bytes_ = false, failed_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> args(argv, argv + argc);
  std::string repetitions = "--benchmark_repetitions=9", in_turns = "--benchmark_enable_random_interleaving=true";
  args.insert(args.begin() + 1, {repetitions.data(), in_turns.data()});
  int count = static_cast<int>(args.size());
  benchmark::Initialize(&count, args.data());
  if (benchmark::ReportUnrecognizedArguments(count, args.data())) return 2;
  table out;
  benchmark::RunSpecifiedBenchmarks(&out);
  return out.failed() ? 1 : 0;
}
