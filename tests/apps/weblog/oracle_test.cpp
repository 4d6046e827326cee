// Decoder and writer against what another engine computed from the same log (data/README.md of the shared folder); between them stands the
// plainest computation there is, over all requests at once.
#include <decode_request.hpp>
#include <request_decoder.hpp>
#include <results.hpp>

#include "apps/decoded.hpp"
#include "support/catch.hpp"
#include "support/shared_data.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace weblog;

namespace {

std::optional<std::string> data() {
  auto const folder = weir::test::shared_data();
  if (folder) return (*folder / "weblog").string();
  weir::test::skip("WEIR_SHARED names no folder with data");
  return std::nullopt;
}

std::string content(std::string const& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

weir::file::options log_in(std::string const& folder) {
  weir::file::options o;
  o.paths = {folder + "/apache-access.log.gz"};
  return o;
}

void count_sessions(std::vector<hit> const& hits, results& out) {
  constexpr weir::instant gap = std::chrono::nanoseconds(session_gap).count();
  std::map<std::string, std::vector<weir::instant>> times;
  for (auto const& h : hits) times[h.client].push_back(h.time);
  for (auto& [client, all] : times) {
    std::sort(all.begin(), all.end());
    session_row row{client, all.front(), all.front() + gap, 0};
    for (auto const t : all) {
      if (t >= row.session_end) {
        out.sessions.put(row);
        row = session_row{client, t, t, 0};
      }
      row.session_end = t + gap;
      ++row.requests;
    }
    out.sessions.put(row);
  }
}

void count_hours(std::vector<hit> const& hits, results& out) {
  std::map<std::pair<weir::instant, std::uint16_t>, std::uint64_t> statuses;
  std::map<weir::instant, std::map<std::string, std::uint64_t>> clients;
  for (auto const& h : hits) {
    auto const hour = weir::floor_to(h.time, window_length);
    ++statuses[{hour, h.status}];
    ++clients[hour][h.client];
  }
  for (auto const& [key, requests] : statuses) out.statuses.put({key.first, key.second, requests});
  for (auto const& [hour, counts] : clients) {
    std::vector<std::pair<std::string, std::uint64_t>> order(counts.begin(), counts.end());
    std::sort(order.begin(), order.end(),
              [](auto const& a, auto const& b) { return std::tie(b.second, a.first) < std::tie(a.second, b.first); });
    for (std::size_t i = 0; i != std::min(top_clients, order.size()); ++i)
      out.top.put({hour, order[i].first, order[i].second, static_cast<std::uint32_t>(i + 1)});
  }
}

void count_sliding(std::vector<hit> const& hits, results& out) {
  constexpr weir::instant slide = std::chrono::nanoseconds(window_slide).count(), length = std::chrono::nanoseconds(window_length).count();
  std::map<weir::instant, std::uint64_t> counts;
  for (auto const& h : hits)
    for (auto start = weir::floor_to(h.time, window_slide); start > h.time - length; start -= slide) ++counts[start];
  for (auto const& [start, requests] : counts) out.sliding.put({start, start + length, requests});
}

}  // namespace

TEST_CASE("files written from a decoded log equal those of another engine byte by byte") {
  auto const folder = data();
  if (!folder) return;
  request_decoder decoder({});
  auto const hits = weir::test::decoded(log_in(*folder), decoder);
  REQUIRE(hits.size() == 10'000);
  CHECK(decoder.cut() == 1);

  results out;
  count_sessions(hits, out);
  count_hours(hits, out);
  count_sliding(hits, out);
  weir::test::temporary_folder const written;
  out.write(written.path().string(), {});
  for (std::string const name : {"sessions-30m.csv", "status-per-hour.csv", "sliding-1h-every-10m.csv", "top3-clients-per-hour.csv"}) {
    INFO(name);
    CHECK((written.read(name) == content(*folder + "/" + name)));
  }
}

// Counted with awk over the same log.
TEST_CASE("every field of a real log is read") {
  auto const folder = data();
  if (!folder) return;
  std::map<std::string, int> methods;
  std::map<int, int> statuses;
  std::uint64_t bytes = 0;
  int dashes = 0, protocols = 0;
  auto const lines = weir::test::decoded(log_in(*folder), [&](weir::file::record const& record) {
    auto const decoded = decode_request(record.line());
    REQUIRE(decoded.has_value());
    auto const& r = *decoded;
    ++methods[std::string(r.method)];
    ++statuses[r.status];
    bytes += r.bytes;
    dashes += r.referer == "-" ? 1 : 0;
    protocols += r.protocol == "HTTP/1.1" ? 1 : 0;
    return r.cut;
  });
  CHECK(std::count(lines.begin(), lines.end(), true) == 1);
  CHECK(methods == std::map<std::string, int>{{"GET", 9952}, {"HEAD", 42}, {"OPTIONS", 1}, {"POST", 5}});
  CHECK(statuses == std::map<int, int>{{200, 9126}, {206, 45}, {301, 164}, {304, 445}, {403, 2}, {404, 213}, {416, 2}, {500, 3}});
  CHECK(bytes == 2747282740);
  CHECK(dashes == 4073);
  CHECK(protocols == 9300);
}
