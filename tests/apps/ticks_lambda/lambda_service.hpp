#pragma once
#include <weir/testing/lambda_events.hpp>

#include "support/http_server.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ticks::test {

/// Lambda with an event source mapping over the shards of a stream, as far as a function sees it: hands out batches, one at a time, the
/// shards in turn, and again what was not answered, or reported as not done (retries without end). When all is done it ends the function.
class lambda_service {
public:
  struct put_record {
    std::string partition_key, data;
  };
  /// `loses(n)`: whether the n-th answer, from 1, is lost on its way.
  lambda_service(std::vector<std::vector<put_record>> shards, std::size_t batch, std::function<bool(int)> loses = {})
      : shards_(std::move(shards)),
        done_(shards_.size()),
        batch_(batch),
        loses_(std::move(loses)),
        server_(weir::test::http_server::answering([this](weir::test::seen_request const& r) { return answer(r); })) {}

  /// For AWS_LAMBDA_RUNTIME_API.
  std::string address() const { return "127.0.0.1:" + std::to_string(server_.port()); }
  /// What the function has posted, by the end of its path: "response {...}", "error {...}"; when no function runs.
  std::vector<std::string> const& said() const noexcept { return said_; }
  bool over() const {
    for (std::size_t i = 0; i != shards_.size(); ++i)
      if (done_[i] != shards_[i].size()) return false;
    return true;
  }

private:
  struct given {
    std::size_t shard, begin, end;
  };
  weir::test::http_answer answer(weir::test::seen_request const& r) {
    using weir::test::http_answer;
    if (r.method == "GET") {
      auto const next = hand_out();
      if (!next) return http_answer::of(500, R"({"errorType":"over"})");
      return http_answer::of(200, *next, "Lambda-Runtime-Aws-Request-Id: r\r\nLambda-Runtime-Deadline-Ms: 4102444800000\r\n");
    }
    std::string const what = r.target.substr(r.target.rfind('/') + 1);
    said_.push_back(what + " " + r.body);
    if (what == "response" && (!loses_ || !loses_(++answers_))) take(r.body);
    return http_answer::of(202, R"({"status":"OK"})");
  }
  std::optional<std::string> hand_out() {
    if (!given_) {
      for (std::size_t tried = 0; tried != shards_.size() && !given_; ++tried) {
        std::size_t const shard = turn_++ % shards_.size();
        if (done_[shard] == shards_[shard].size()) continue;
        given_ = given{shard, done_[shard], std::min(done_[shard] + batch_, shards_[shard].size())};
      }
    }
    if (!given_) return std::nullopt;
    weir::testing::kinesis_event out("arn:aws:kinesis:us-east-1:123456789012:stream/ticks",
                                     "shardId-00000000000" + std::to_string(given_->shard));
    for (std::size_t i = given_->begin; i != given_->end; ++i) {
      weir::testing::kinesis_event::fields f;
      f.data = shards_[given_->shard][i].data;
      f.partition_key = shards_[given_->shard][i].partition_key;
      f.sequence_number = std::to_string(first_number + i);
      out.record(f);
    }
    return out.json();
  }
  void take(std::string const& body) {
    constexpr std::string_view item = R"("itemIdentifier":")";
    auto const found = body.find(item);
    done_[given_->shard] = found == std::string::npos ? given_->end : std::stoull(body.substr(found + item.size())) - first_number;
    given_.reset();
  }

  static constexpr std::size_t first_number = 1'000'000;
  std::vector<std::vector<put_record>> shards_;
  std::vector<std::size_t> done_;
  std::size_t batch_, turn_ = 0;
  std::function<bool(int)> loses_;
  int answers_ = 0;
  std::optional<given> given_;
  std::vector<std::string> said_;
  weir::test::http_server server_;  // last: it asks the others
};

}  // namespace ticks::test
