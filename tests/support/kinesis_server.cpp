#include "support/kinesis_server.hpp"

#include "support/http_server.hpp"
#include "support/refusal.hpp"
#include "support/signature_gate.hpp"

#include <weir/aws/credentials_source.hpp>
#include <weir/kinesis/detail/request_text.hpp>

#include <algorithm>
#include <array>
#include <ctime>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

namespace weir::test {
namespace {

using namespace std::chrono_literals;

// "Sun, 06 Nov 1994 08:49:37 GMT". Source: RFC 9110, section 5.6.7.
std::string http_date(instant t) {
  std::time_t const seconds = static_cast<std::time_t>(t / 1'000'000'000);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 64> text{};
  std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return text.data();
}

std::string error_body(std::string const& type, std::string const& message) {
  kinesis::detail::request_text out;
  out.add("__type", type);
  if (!message.empty()) out.add("message", message);
  return out.take();
}

class fixed_credentials final : public aws::credentials_source {
public:
  explicit fixed_credentials(aws::credentials c) : all_(std::move(c)) {}
  std::string_view kind() const noexcept override { return "test"; }
  task<std::optional<aws::credentials>> fetch() override { co_return all_; }

private:
  aws::credentials all_;
};

}  // namespace

struct kinesis_server::parts {
  explicit parts(options o)
      : given(std::move(o)),
        gate(given.known, {given.region, "kinesis"}),
        state(given.protocol),
        http(http_server::answering([this](seen_request const& r) { return answer(r); }, given.secure)) {}

  http_answer answer(seen_request const& r) {
    std::lock_guard const held(lock);
    if (auto const t = given.clock ? std::nullopt : signature_gate::time_of(r)) newest = std::max(newest, *t);
    auto const target = r.headers.find("x-amz-target");
    std::string const operation = target == r.headers.end() ? std::string() : target->second.substr(target->second.find('.') + 1);
    called.push_back(operation);
    auto const fault = next_fault(operation);
    using kind = kinesis_fault::kind;
    if (fault) {
      switch (fault->what) {
        case kind::refuse: return reply(fault->status, error_body(fault->type, fault->message));
        case kind::status_only: return reply(fault->status, "");
        case kind::close: return http_answer::nothing();
        case kind::hang: return http_answer::nothing(http_answer::then::hold);
        default: break;
      }
    }
    http_answer out;
    try {
      gate.check(r, time());
      bool const some = fault && fault->what == kind::fail_entries;
      out = reply(200, state.call(operation, r.body, time(), some ? fault->entries : std::vector<std::size_t>(), some ? fault->type : ""));
    } catch (refusal const& e) {
      out = reply(e.status, error_body(e.type, e.message));
    }
    if (!fault) return out;
    switch (fault->what) {
      case kind::lose_reply: return http_answer::nothing();
      case kind::cut_reply: return http_answer::raw(out.bytes.substr(0, out.bytes.size() - 2));
      case kind::garbage: return reply(200, fault->message);
      case kind::late: out.delay = fault->delay; return out;
      default: return out;
    }
  }

  http_answer reply(unsigned status, std::string const& body) {
    return http_answer::of(status, body,
                           "x-amzn-RequestId: r-" + std::to_string(called.size()) + "\r\nDate: " + http_date(time()) +
                               "\r\nContent-Type: application/x-amz-json-1.1\r\n");
  }
  std::optional<kinesis_fault> next_fault(std::string const& operation) {
    auto& waiting = faults[operation];
    if (waiting.empty()) return std::nullopt;
    std::optional<kinesis_fault> out = std::move(waiting.front());
    waiting.pop_front();
    return out;
  }
  instant time() const { return given.clock ? given.clock() : newest; }

  options const given;
  signature_gate const gate;
  mutable std::mutex lock;
  kinesis_protocol state;
  instant newest = 1'704'067'200'000'000'000;  // where virtual time begins
  std::vector<std::string> called;
  std::map<std::string, std::deque<std::optional<kinesis_fault>>> faults;
  http_server http;  // last: its threads end first
};

kinesis_server::kinesis_server(options o) : parts_(std::make_unique<parts>(std::move(o))) {}
kinesis_server::~kinesis_server() = default;

kinesis::client_options kinesis_server::client_options() const {
  kinesis::client_options o;
  o.where.region = parts_->given.region;
  o.where.url = url();
  o.credentials.emplace(std::make_shared<fixed_credentials>(parts_->given.known.at(0)));
  o.retry = retry_policy().attempts(3).first_delay(1s).blur(jitter::none);
  o.http.connect_timeout = 1min;
  o.http.request_timeout = 5min;
  o.from = [](std::string const&) { return std::nullopt; };
  return o;
}

std::string kinesis_server::url(std::string const& host) const { return parts_->http.url("", host); }

void kinesis_server::fail(std::string const& operation, kinesis_fault f, std::size_t times, std::size_t after) {
  std::lock_guard const held(parts_->lock);
  auto& waiting = parts_->faults[operation];
  waiting.insert(waiting.end(), after, std::nullopt);
  waiting.insert(waiting.end(), times, std::move(f));
}

std::vector<std::string> kinesis_server::calls() const {
  std::lock_guard const held(parts_->lock);
  return parts_->called;
}
std::size_t kinesis_server::calls(std::string const& operation) const {
  return static_cast<std::size_t>(std::ranges::count(calls(), operation));
}

void kinesis_server::create(std::string const& name, std::size_t shards) {
  std::lock_guard const held(parts_->lock);
  parts_->state.create(name, shards, parts_->time() - std::chrono::nanoseconds(parts_->given.protocol.change_time).count());
}
std::string kinesis_server::put(std::string const& stream, std::string partition_key, std::string data) {
  std::lock_guard const held(parts_->lock);
  kinesis_stream& s = parts_->state.stream(stream);
  std::size_t const to = s.owner_of(kinesis::hash_key::of(partition_key));
  auto const& kept = s.put(to, std::move(partition_key), std::move(data), parts_->time());
  return s.shards()[to].sequence_number(kept.number);
}
void kinesis_server::split(std::string const& stream, std::string const& shard_id) {
  std::lock_guard const held(parts_->lock);
  kinesis_stream& s = parts_->state.stream(stream);
  s.split(shard_id, middle_of(s.at(shard_id).keys), parts_->time());
}
void kinesis_server::merge(std::string const& stream, std::string const& shard_id, std::string const& adjacent_id) {
  std::lock_guard const held(parts_->lock);
  parts_->state.stream(stream).merge(shard_id, adjacent_id, parts_->time());
}
void kinesis_server::set_shard_count(std::string const& stream, std::size_t target) {
  std::lock_guard const held(parts_->lock);
  parts_->state.stream(stream).set_count(target, parts_->time());
}
void kinesis_server::trim(std::string const& stream, instant horizon) {
  std::lock_guard const held(parts_->lock);
  parts_->state.stream(stream).trim(horizon);
}
void kinesis_server::expire_iterators() {
  std::lock_guard const held(parts_->lock);
  parts_->state.expire_all();
}
kinesis_stream kinesis_server::stream(std::string const& name) const {
  std::lock_guard const held(parts_->lock);
  return parts_->state.stream(name);
}
instant kinesis_server::now() const {
  std::lock_guard const held(parts_->lock);
  return parts_->time();
}

}  // namespace weir::test
