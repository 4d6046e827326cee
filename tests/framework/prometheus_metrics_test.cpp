#include <weir/prometheus_metrics.hpp>

#include "support/catch.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

#include <array>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <string_view>

using weir::distribution;
using weir::metric_label;
using weir::prometheus_metrics;

namespace {

std::array<metric_label, 2> of(std::string_view pipeline, std::string_view partition) {
  return {metric_label("pipeline", pipeline), metric_label("partition", partition)};
}
bool has_line(std::string const& text, std::string const& line) { return ("\n" + text).find("\n" + line + "\n") != std::string::npos; }

}  // namespace

// The lines are those of the format's description: name, labels in braces, value; HELP and TYPE before the first of a name.
TEST_CASE("counters, gauges and distributions are written as Prometheus reads them", "[framework][metrics]") {
  prometheus_metrics figures;
  figures.add("records_total", 2, of("bars", "3"));
  figures.add("records_total", 40, of("bars", "3"));
  figures.set("idle", 1, of("bars", "3"));
  figures.set("idle", 0, of("bars", "3"));
  figures.set("temperature", -1.5);
  distribution took;
  took.add(0.0004, 2);
  took.add(0.3);
  took.add(1000);
  figures.observe("commit_seconds", took, of("bars", "3"));
  std::string const text = figures.text();
  INFO(text);
  CHECK(has_line(text, "# TYPE weir_records_total counter"));
  CHECK(has_line(text, R"(weir_records_total{pipeline="bars",partition="3"} 42)"));
  CHECK(has_line(text, "# TYPE weir_idle gauge"));
  CHECK(has_line(text, R"(weir_idle{pipeline="bars",partition="3"} 0)"));
  CHECK(has_line(text, "weir_temperature -1.5"));
  CHECK(has_line(text, "# TYPE weir_commit_seconds histogram"));
  CHECK(has_line(text, R"(weir_commit_seconds_bucket{pipeline="bars",partition="3",le="0.00025"} 0)"));
  CHECK(has_line(text, R"(weir_commit_seconds_bucket{pipeline="bars",partition="3",le="0.0005"} 2)"));
  CHECK(has_line(text, R"(weir_commit_seconds_bucket{pipeline="bars",partition="3",le="0.5"} 3)"));
  CHECK(has_line(text, R"(weir_commit_seconds_bucket{pipeline="bars",partition="3",le="500"} 3)"));
  CHECK(has_line(text, R"(weir_commit_seconds_bucket{pipeline="bars",partition="3",le="+Inf"} 4)"));
  CHECK(has_line(text, R"(weir_commit_seconds_sum{pipeline="bars",partition="3"} 1000.3008)"));
  CHECK(has_line(text, R"(weir_commit_seconds_count{pipeline="bars",partition="3"} 4)"));
  CHECK(text.find("# HELP weir_records_total ") < text.find("# TYPE weir_records_total "));
}

TEST_CASE("names and labels of any bytes become ones that Prometheus accepts", "[framework][metrics]") {
  prometheus_metrics figures("");
  figures.set("7 up.side", 1, std::array{metric_label("a-b", "C:\\x \"y\"\nz"), metric_label("", "\xff\xc3\xa4")});
  figures.set("large", std::numeric_limits<double>::infinity());
  figures.set("none", std::numeric_limits<double>::quiet_NaN());
  std::string const text = figures.text();
  INFO(text);
  CHECK(has_line(text, "_7_up_side{a_b=\"C:\\\\x \\\"y\\\"\\nz\",_=\"\xEF\xBF\xBD\xC3\xA4\"} 1"));
  CHECK(has_line(text, "large +Inf"));
  CHECK(has_line(text, "none NaN"));
}

TEST_CASE("a mistake in labels does not fill the memory: what does not fit is counted", "[framework][metrics]") {
  prometheus_metrics figures("weir_", 3);
  for (int i = 0; i != 10; ++i) figures.add("x_total", 1, std::array{metric_label("id", std::to_string(i))});
  figures.add("x_total", 1, std::array{metric_label("id", "2")});
  figures.set("x_total", 1);  // it is a counter
  std::string const text = figures.text();
  INFO(text);
  CHECK(has_line(text, R"(weir_x_total{id="2"} 2)"));
  CHECK(text.find("id=\"3\"") == std::string::npos);
  CHECK(has_line(text, "weir_metrics_dropped_total 8"));
}

TEST_CASE("gauges of a partition that is no longer read are gone, its counters stay", "[framework][metrics]") {
  prometheus_metrics figures;
  for (std::string_view const partition : {"1", "11"}) {
    figures.set("idle", 1, of("bars", partition));
    figures.add("records_total", 1, of("bars", partition));
  }
  figures.retire(of("bars", "1"));
  std::string const text = figures.text();
  INFO(text);
  CHECK_FALSE(has_line(text, R"(weir_idle{pipeline="bars",partition="1"} 1)"));
  CHECK(has_line(text, R"(weir_idle{pipeline="bars",partition="11"} 1)"));
  CHECK(has_line(text, R"(weir_records_total{pipeline="bars",partition="1"} 1)"));
}

TEST_CASE("Prometheus' own checker has nothing to say against the text", "[framework][metrics]") {
  if (std::system("command -v promtool > /dev/null") != 0 && weir::test::skip("no promtool (Debian's package prometheus)")) return;
  prometheus_metrics figures;
  distribution took;
  took.add(0.02);
  using namespace weir::metric;
  for (auto const name : {lag_records, watermark, watermark_holdback_seconds, idle, checkpoint_age_seconds, frontier_gap, open_windows,
                          state_bytes, waiting_bytes, stall_seconds})
    figures.set(name, 1, of("bars \"\\\n\xff", "3"));
  for (auto const name : {records_total, late_total, duplicate_total, dead_letter_total, lease_changes_total})
    figures.add(name, 1, of("bars", "3"));
  for (auto const name : {handler_chunk_seconds, commit_seconds, event_latency_seconds}) figures.observe(name, took, of("bars", "3"));
  weir::test::temporary_folder const folder;
  std::string const file = folder.write("metrics.txt", figures.text());
  int const ended = std::system(("promtool check metrics < " + file + " > " + folder.file("said") + " 2>&1").c_str());
  std::string const out = folder.read("said");
  INFO(out);
  CHECK(ended == 0);
  CHECK(out.empty());
}
