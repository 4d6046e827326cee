#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace nexmark {

/// CPU times of one way to answer a query, nanoseconds per event.
class timings {
public:
  void add(double ns) { all_.push_back(ns); }
  bool empty() const noexcept { return all_.empty(); }
  /// Of an even number the greater of the two in the middle. There has to be one.
  double median() const;
  double least() const;
  double greatest() const;

private:
  std::vector<double> all_;
};

/// A query's figures.
struct figures {
  std::string query;
  std::uint64_t rows = 0;       ///< that it gave
  timings ours = timings();     ///< by the pipeline
  timings by_hand = timings();  ///< empty where there is no loop
};

/// Machine, compiler, and a line per query: events per second and core, nanoseconds per event (median, least, greatest), the loop's, and
/// the ratio of the medians.
std::string table(std::vector<figures> const& all, std::size_t events);
/// The same as JSON.
std::string json(std::vector<figures> const& all, std::size_t events);

}  // namespace nexmark
