#include "run_queries.hpp"

#include "hand_loops.hpp"
#include "in_chunks.hpp"
#include "output.hpp"
#include "queries.hpp"

#include <weir/testing/run.hpp>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <stdexcept>
#include <string>
#include <string_view>

namespace nexmark {
namespace {

double thread_ns() {
  std::timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

bool asked_for(options const& o, std::string_view name) {
  return o.queries.empty() || std::find(o.queries.begin(), o.queries.end(), name) != o.queries.end();
}

// Once, and once by hand.
void time_once(query const& q, std::span<event> events, figures& f) {
  auto const n = static_cast<double>(events.size());
  output out;
  double const begun = thread_ns();
  weir::testing::run(q.run(in_chunks(events), out));
  f.ours.add((thread_ns() - begun) / n);
  f.rows = out.rows();
  auto const loop = hand_loop_of(q.name);
  if (!loop) return;
  output by_hand;
  double const loop_begun = thread_ns();
  loop(events, by_hand);
  f.by_hand.add((thread_ns() - loop_begun) / n);
  if (f.query != "q12" && (by_hand.rows() != out.rows() || by_hand.sum() != out.sum()))
    throw std::runtime_error("nexmark: " + f.query + " gives " + std::to_string(out.rows()) + " rows, and by hand " +
                             std::to_string(by_hand.rows()) + ", or others: one of them is wrong, so there is nothing to compare");
}

}  // namespace

std::vector<figures> run_queries(options const& o, std::span<event> events) {
  std::vector<figures> all;
  for (query const& q : all_queries())
    if (asked_for(o, q.name)) all.push_back({.query = q.name});
  for (std::size_t i = 0; i != o.repetitions; ++i)
    for (query const& q : all_queries())
      for (figures& f : all)
        if (f.query == q.name) time_once(q, events, f);
  return all;
}

}  // namespace nexmark
