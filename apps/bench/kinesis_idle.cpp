// A thousand shards with nothing in them, read by one process: the CPU time each of them takes per second. Who answers, at once and in
// another process, is not counted.
#include "reference.hpp"

#include <weir/application.hpp>
#include <weir/kinesis/use_kinesis_stream.hpp>
#include <weir/spawn.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <ctime>
#include <exception>
#include <map>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace {

using namespace weir;
constexpr std::int64_t shards = 1'000;
constexpr std::chrono::seconds until_quiet(8), measured(10);

std::string shard_list() {
  std::string out = R"({"Shards":[)";
  for (std::int64_t i = 0; i != shards; ++i) {
    std::string const number = std::to_string(i);
    std::string const last = i + 1 == shards ? "340282366920938463463374607431768211455" : number;
    out.append(i == 0 ? "" : ",").append(R"({"ShardId":"shardId-)").append(12 - number.size(), '0').append(number);
    out.append(R"(","HashKeyRange":{"StartingHashKey":")").append(number).append(R"(","EndingHashKey":")").append(last);
    out += R"("},"SequenceNumberRange":{"StartingSequenceNumber":"1"}})";
  }
  return out + "]}";
}

class silent_server {
public:
  silent_server() {
    void* const shared = ::mmap(nullptr, sizeof(*requests_), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    requests_ = ::new (shared) std::atomic<std::int64_t>(0);
    int const listening = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    if (::bind(listening, reinterpret_cast<sockaddr*>(&at), size) != 0 || ::listen(listening, 128) != 0 ||
        ::getsockname(listening, reinterpret_cast<sockaddr*>(&at), &size) != 0)
      throw std::runtime_error("cannot listen on the loopback address");
    port_ = ntohs(at.sin_port);
    child_ = ::fork();
    if (child_ == 0) serve(listening);
    ::close(listening);
  }
  silent_server(silent_server const&) = delete;
  silent_server& operator=(silent_server const&) = delete;
  ~silent_server() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::int64_t requests() const noexcept { return requests_->load(); }

private:
  [[noreturn]] void serve(int listening) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
      int const peer = ::accept(listening, nullptr, nullptr);
      if (peer >= 0) std::thread([this, peer] { answer_all(peer); }).detach();
    }
  }
  // Null: there is no whole request yet. Else its size, head and body.
  static std::optional<std::size_t> size_of(std::string& in) {
    auto const end = in.find("\r\n\r\n");
    if (end == std::string::npos) return std::nullopt;
    std::transform(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(end), in.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    auto const length = in.find("content-length:");
    std::size_t const size = end + 4 + std::stoul(in.substr(length + 15));
    return size <= in.size() ? std::optional<std::size_t>(size) : std::nullopt;
  }
  std::string body_for(std::string_view request) const {
    if (request.find("kinesis_20131202.listshards") != std::string_view::npos) return shard_list();
    if (request.find("kinesis_20131202.getsharditerator") != std::string_view::npos) return R"({"ShardIterator":"AAAA"})";
    return R"({"MillisBehindLatest":0,"NextShardIterator":"AAAA","Records":[]})";
  }
  void answer_all(int peer) {
    std::string in(65'536, '\0'), pending;
    for (;;) {
      std::optional<std::size_t> size;
      while (!(size = size_of(pending))) {
        auto const n = ::read(peer, in.data(), in.size());
        if (n <= 0) return;
        pending.append(in.data(), static_cast<std::size_t>(n));
      }
      ++*requests_;
      std::string const body = body_for(pending);
      std::string const reply =
          "HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.1\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
          body;
      for (std::string_view left = reply; !left.empty();) {
        auto const n = ::write(peer, left.data(), left.size());
        if (n <= 0) return;
        left.remove_prefix(static_cast<std::size_t>(n));
      }
      pending.erase(0, *size);
    }
  }

  std::atomic<std::int64_t>* requests_;
  std::uint16_t port_ = 0;
  ::pid_t child_ = -1;
};

double thread_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

kinesis::options options_of(silent_server const& server) {
  static std::map<std::string, std::string> const keys{{"AWS_ACCESS_KEY_ID", "AKIDTEST"}, {"AWS_SECRET_ACCESS_KEY", "secret"}};
  kinesis::options o;
  o.stream = "idle";
  o.client.where.region = "eu-west-1";
  o.client.where.url = server.url();
  o.client.from = [](std::string const& name) -> std::optional<std::string> {
    auto const found = keys.find(name);
    return found == keys.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
  return o;
}

void idle_shards(benchmark::State& state) {
  silent_server const server;
  for (auto _ : state) {
    application app;
    app.use_kinesis_stream(options_of(server), [](auto& pipeline) {
      pipeline.use_stream([](stream<kinesis::record> records, cancellation) -> task<> {
        while (co_await records.next()) {}
      });
    });
    boost::asio::io_context loop(1);
    std::exception_ptr failure;
    spawn(loop, app.serve(), [&](std::exception_ptr const& failed) { failure = failed; });
    boost::asio::steady_timer quiet(loop, until_quiet), end(loop, until_quiet + measured);
    double cpu = 0;
    std::int64_t asked = 0;
    quiet.async_wait([&](auto) {
      cpu = -thread_seconds();
      asked = -server.requests();
    });
    end.async_wait([&](auto) {
      cpu += thread_seconds();
      asked += server.requests();
      app.stop();
    });
    loop.run();
    if (failure) state.SkipWithError("the stream could not be read");
    // Each is asked every two seconds, a little earlier now and then, and may be five times a second.
    else if (asked < shards * measured.count() / 3 || asked > 5 * shards * measured.count())
      state.SkipWithError("it was not read as it should");
    state.SetIterationTime(cpu / static_cast<double>(measured.count()));
    state.counters["requests_a_second"] = static_cast<double>(asked) / static_cast<double>(measured.count());
  }
  bench::per_element(state, shards);
}

BENCHMARK(idle_shards)->Name("a second of an idle shard, of 1,000 in one process")->UseManualTime()->Iterations(1)->Repetitions(3);

}  // namespace
