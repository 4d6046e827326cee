#include <weir/testing/recording_metrics.hpp>

#include "support/catch.hpp"

using weir::metric_label;

TEST_CASE("recorded counters add up and gauges keep the last value", "[framework][metrics]") {
  weir::testing::recording_metrics figures;
  weir::metrics& hook = figures;
  hook.add(weir::metric::records_total, 3);
  hook.add(weir::metric::records_total, 4);
  hook.set(weir::metric::frontier_gap, 9);
  hook.set(weir::metric::frontier_gap, 2);
  CHECK(figures.value("records_total") == 7);
  CHECK(figures.value("frontier_gap") == 2);
  CHECK_FALSE(figures.value("late_total"));
  CHECK(figures.all().size() == 2);
}

TEST_CASE("recorded figures are told apart by their labels", "[framework][metrics]") {
  weir::testing::recording_metrics figures;
  metric_label const first[] = {metric_label("stream", "ticks"), metric_label("partition", "1")};
  metric_label const second[] = {metric_label("stream", "ticks"), metric_label("partition", "2")};
  figures.set(weir::metric::idle, 1, first);
  figures.set(weir::metric::idle, 0, second);
  CHECK(figures.value(R"(idle{stream="ticks",partition="1"})") == 1);
  CHECK(figures.value(R"(idle{stream="ticks",partition="2"})") == 0);
  CHECK_FALSE(figures.value("idle"));
}
