// Runs all benchmarks five times each and ends with a table of medians: ns of CPU time per element, and the ratio to the reference in
// the same run. Takes the flags of Google Benchmark.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

// What a row is compared with: the reference above it that says so by its name.
bool is_reference(std::string_view name) { return name.find("by hand") != name.npos || name.starts_with("plain loop"); }

class table : public benchmark::ConsoleReporter {
public:
  void ReportRuns(std::vector<Run> const& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (Run const& r : runs)
      if (r.aggregate_name == "median") rows_.emplace_back(r.run_name.function_name, r.counters.at("per_element").value);
  }
  void Finalize() override {
    ConsoleReporter::Finalize();
    if (rows_.empty()) return;
    std::printf("\n%-54s %10s %10s\n", "median of the repetitions, CPU time", "ns/element", "ratio");
    double reference = 0;
    for (auto const& [name, ns] : rows_) {
      if (is_reference(name)) reference = ns;
      std::printf("%-54s %10.2f %10.2f\n", name.c_str(), ns, reference > 0 ? ns / reference : 0.0);
    }
  }

private:
  std::vector<std::pair<std::string, double>> rows_;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> args(argv, argv + argc);
  std::string repetitions = "--benchmark_repetitions=5", aggregates = "--benchmark_report_aggregates_only=true";
  args.insert(args.begin() + 1, {repetitions.data(), aggregates.data()});
  int count = static_cast<int>(args.size());
  benchmark::Initialize(&count, args.data());
  if (benchmark::ReportUnrecognizedArguments(count, args.data())) return 2;
  table out;
  benchmark::RunSpecifiedBenchmarks(&out);
}
