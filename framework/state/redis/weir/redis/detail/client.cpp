#include <weir/redis/detail/client.hpp>

#include <weir/error.hpp>
#include <weir/redis/detail/failure.hpp>
#include <weir/retry_policy.hpp>
#include <weir/sleep.hpp>

#include <chrono>
#include <limits>
#include <utility>

namespace weir::redis::detail {
namespace {

constexpr std::size_t most_resting = 8;

std::string command(std::vector<std::string_view> const& words) {
  std::string out;
  put_command(out, words);
  return out;
}

// Only what has no time to live is never evicted by the volatile policies, and no key of ours has one.
void check_policy(std::string_view info, options const& where) {
  constexpr std::string_view name = "maxmemory_policy:";
  auto const at = info.find(name);
  if (at == std::string_view::npos || !info.substr(at + name.size()).starts_with("allkeys-")) return;
  auto const policy = info.substr(at + name.size(), info.find_first_of("\r\n", at) - at - name.size());
  throw error(errc::incompatible, "redis: cannot use the server",
              "it may drop checkpoints when its memory is full: maxmemory-policy is " + std::string(policy),
              "set maxmemory-policy noeviction, or use a server of its own")
      .with_detail(address_of(where));
}

}  // namespace

task<reply> client::run(script s, std::vector<std::string_view> words, std::string what, wait_for until) {
  using clock = std::chrono::steady_clock;
  auto const end = clock::now() + where_.patience;
  auto const policy = retry_policy()
                          .attempts(std::numeric_limits<unsigned>::max())
                          .first_delay(std::chrono::milliseconds(20))
                          .cap(std::chrono::seconds(1))
                          .blur(jitter::equal);
  for (unsigned failed = 1;; ++failed) {
    std::exception_ptr failure;
    try {
      co_return co_await run_once(s, words, what, until);
    } catch (error& e) {
      if (e.code() != condition::retryable) throw;
      if (failed != 1) e.with_detail("after " + std::to_string(failed) + " tries");
      failure = std::current_exception();
    }
    auto const delay = policy.after(failure, failed);
    if (!delay || clock::now() + *delay > end) std::rethrow_exception(failure);
    co_await sleep_for(*delay);
  }
}

task<reply> client::run_once(script s, std::vector<std::string_view> const& words, std::string const& what, wait_for until) {
  std::unique_ptr<line> l = co_await take();
  std::string const& name = l->names[static_cast<std::size_t>(s)];
  std::vector<std::string_view> all{"EVALSHA", name};
  all.insert(all.end(), words.begin(), words.end());
  reply answer;
  if (!name.empty()) {
    auto replies = co_await l->to->ask(command(all), 1);
    answer = std::move(replies[0]);
  }
  if (name.empty() || (answer.kind == reply_kind::error && answer.text.starts_with("NOSCRIPT"))) {
    all[0] = "EVAL";
    all[1] = text_of(s);
    auto replies = co_await l->to->ask(command(all), 1);
    answer = std::move(replies[0]);
  }
  if (answer.kind == reply_kind::error) fail(answer.text, where_, what);
  if (answer.kind != reply_kind::list) throw error(errc::malformed, "redis: cannot read a reply", "it is not what the script returns");
  if (until == wait_for::replicas && where_.replicas != 0) co_await wait_for_replicas(*l->to);
  give_back(std::move(l));
  co_return answer;
}

task<> client::wait_for_replicas(connection& c) {
  std::string const replicas = std::to_string(where_.replicas), milliseconds = std::to_string(where_.reply_timeout.count());
  std::vector<std::string_view> const words{"WAIT", replicas, milliseconds};
  auto const replies = co_await c.ask(command(words), 1, where_.reply_timeout);
  if (replies[0].kind == reply_kind::error) fail(replies[0].text, where_, "cannot wait for replicas");
  if (replies[0].integer >= static_cast<std::int64_t>(where_.replicas)) co_return;
  throw error(errc::unavailable, "redis: cannot commit",
              "the server has it, but " + std::to_string(replies[0].integer) + " of " + replicas + " replicas confirmed it",
              "look at the replicas; the same commit may be tried again")
      .with_detail(address_of(where_));
}

task<std::unique_ptr<client::line>> client::take() {
  for (;;) {
    std::unique_ptr<line> l;
    {
      std::lock_guard const held(lock_);
      if (!resting_.empty()) {
        l = std::move(resting_.back());
        resting_.pop_back();
      }
    }
    if (!l) break;
    if (l->to->fresh()) co_return l;
  }
  auto l = std::make_unique<line>();
  l->to = co_await connection::open(where_);
  co_await greet(*l);
  co_return l;
}

void client::give_back(std::unique_ptr<line> l) {
  l->to->rest();
  std::lock_guard const held(lock_);
  if (resting_.size() < most_resting) resting_.push_back(std::move(l));
}

task<> client::greet(line& l) {
  std::string all;
  std::size_t count = 0;
  auto const say = [&](std::vector<std::string_view> const& words) {
    put_command(all, words);
    ++count;
  };
  std::string const database = std::to_string(where_.database);
  if (!where_.password.empty()) {
    if (where_.user.empty()) say({"AUTH", where_.password});
    else say({"AUTH", where_.user, where_.password});
  }
  say({"SELECT", database});
  std::size_t const needed = count;
  say({"INFO", "memory"});
  for (std::size_t i = 0; i != script_count; ++i) say({"SCRIPT", "LOAD", text_of(static_cast<script>(i))});
  auto const replies = co_await l.to->ask(std::move(all), count);
  for (std::size_t i = 0; i != needed; ++i)
    if (replies[i].kind == reply_kind::error) fail(replies[i].text, where_, "cannot begin");
  // The rest may be forbidden to us; a script without a name is sent whole each time.
  check_policy(replies[needed].text, where_);
  for (std::size_t i = 0; i != script_count; ++i)
    if (reply const& r = replies[needed + 1 + i]; r.kind == reply_kind::text) l.names[i] = r.text;
}

}  // namespace weir::redis::detail
