#include <weir/redis/state_store.hpp>

#include <weir/detail/commit_check.hpp>
#include <weir/detail/to_its_end.hpp>
#include <weir/error.hpp>
#include <weir/redis/detail/client.hpp>
#include <weir/redis/detail/failure.hpp>
#include <weir/redis/detail/state_keys.hpp>
#include <weir/redis/detail/stored_state.hpp>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace weir::redis {
namespace {

constexpr unsigned most_beginnings = 10;  // of a load that commits of others interrupt

void check(options const& o) {
  auto const refuse = [](std::string why) { throw error(errc::invalid_option, "redis: cannot make the store", std::move(why)); };
  if (o.connect_timeout.count() <= 0 || o.reply_timeout.count() <= 0) refuse("a timeout is not positive");
  if (o.patience.count() < 0) refuse("the patience is negative");
  if (o.socket.empty() && (o.host.empty() || o.port == 0)) refuse("no server is named");
  if (o.socket.size() > 100) refuse("the path of the socket is too long for the system");
  if (!o.user.empty() && o.password.empty()) refuse("a user is given and no password");
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
  if (o.space.empty() || o.space.find_first_not_of(allowed) != std::string::npos)
    refuse("the space \"" + o.space + "\" is not of letters, digits, '.', '-' and '_'");
}

std::vector<std::string_view> words_of(detail::state_keys const& keys) { return {"4", keys.head, keys.state, keys.order, keys.index}; }

bool says(detail::reply const& answer, std::string_view word) { return !answer.parts.empty() && answer.parts[0].text == word; }

}  // namespace

struct state_store::parts {
  explicit parts(options o) : server(std::move(o)) {}

  static task<> commit(std::shared_ptr<parts> self, checkpoint_key key, checkpoint_update update) {
    weir::detail::refuse_writes(key, update);
    options const& where = self->server.where();
    detail::state_keys const keys(where.space, key);
    auto const head = detail::head_arguments(update.head);
    auto const steps = detail::pack(update.changes, key, keys);
    auto words = words_of(keys);
    words.insert(words.end(), head.begin(), head.end());
    words.push_back(keys.member);
    words.push_back(where.replicas != 0 ? "1" : "0");
    words.push_back(update.move == frontier_move::anywhere ? "1" : "0");
    words.insert(words.end(), steps.begin(), steps.end());
    auto const answer = co_await self->server.run(detail::script::commit, words, "cannot commit", detail::client::wait_for::replicas);
    if (says(answer, "done")) co_return;
    auto const stored = detail::read_head(answer, key, where);
    auto const verdict = weir::detail::judge_commit(key, update, stored ? &stored->head : nullptr);
    if (verdict == weir::detail::commit_verdict::arrived) co_return;
    throw error(errc::malformed, "redis: cannot commit", "the script refused what it should have done", "this is a mistake in the program");
  }

  static task<std::optional<saved_checkpoint>> load(std::shared_ptr<parts> self, checkpoint_key key) {
    options const& where = self->server.where();
    detail::state_keys const keys(where.space, key);
    for (unsigned begun = 0; begun != most_beginnings; ++begun) {
      std::optional<saved_checkpoint> out;
      bool whole = false;
      if (!co_await load_pages(*self, key, keys, out, whole)) co_return std::nullopt;
      if (whole) co_return out;
    }
    throw error(errc::busy, "checkpoint: cannot load", "it was changed while it was read, again and again",
                "end the other worker, or try again")
        .with_stream(key.stream)
        .with_partition(key.partition)
        .with_detail("pipeline " + key.pipeline)
        .with_detail(detail::address_of(where));
  }

  // A page of `load`, behind the field `from`.
  static task<detail::reply> page(parts& self, detail::state_keys const& keys, std::string const& from, bool sizes, std::string what) {
    auto words = words_of(keys);
    std::string_view const arguments[] = {from, "1000", "1000000", keys.member, sizes ? "1" : "0"};
    words.insert(words.end(), std::begin(arguments), std::end(arguments));
    co_return co_await self.server.run(detail::script::load, std::move(words), std::move(what));
  }

  // False: there is none. `whole`: nothing was changed from the first page to the last.
  static task<bool> load_pages(parts& self, checkpoint_key const& key, detail::state_keys const& keys, std::optional<saved_checkpoint>& out,
                               bool& whole) {
    options const& where = self.server.where();
    std::string from;
    for (;;) {
      auto const answer = co_await page(self, keys, from, false, "cannot load");
      auto const found = detail::read_head(answer, key, where);
      if (!found) co_return out.has_value();
      if (!out) out.emplace(found->head);
      if (out->head != found->head) co_return true;
      auto const& fields = answer.parts.at(7).parts;
      for (std::size_t i = 0; i + 1 < fields.size(); i += 2)
        out->entries.push_back(detail::read_entry(fields[i].text, fields[i + 1].text, key, keys, where));
      if (!fields.empty() && answer.parts[6].text == "1") {
        from = fields[fields.size() - 2].text;
        continue;
      }
      if (out->entries.size() != found->entries) detail::refuse_stored("it has not as many entries as its head says", key, where);
      whole = true;
      co_return true;
    }
  }

  static task<std::vector<checkpoint_listing>> list(std::shared_ptr<parts> self, std::string pipeline) {
    options const& where = self->server.where();
    std::string const index = detail::index_of(where.space, pipeline);
    std::vector<std::string_view> const words{"1", index};
    auto const answer = co_await self->server.run(detail::script::list, words, "cannot list");
    std::vector<checkpoint_listing> out;
    for (detail::reply const& each : answer.parts) {
      auto key = detail::key_of(pipeline, each.parts.at(0).text).value_or(checkpoint_key(pipeline, "", ""));
      auto found = detail::read_head(each.parts.at(1), key, where);
      if (!found) detail::refuse_stored("its head is missing", key, where);
      std::uint64_t bytes = 0;
      if (found->entries != 0) bytes = co_await count_bytes(*self, key);
      out.emplace_back(std::move(key), std::move(found->head), found->entries, bytes);
    }
    std::sort(out.begin(), out.end(), [](auto const& a, auto const& b) { return a.key < b.key; });
    co_return out;
  }

  // As they are when they are counted: a pipeline that runs does not keep its listing from being made.
  static task<std::uint64_t> count_bytes(parts& self, checkpoint_key const& key) {
    detail::state_keys const keys(self.server.where().space, key);
    std::uint64_t bytes = 0;
    std::string from;
    for (;;) {
      auto const answer = co_await page(self, keys, from, true, "cannot list");
      if (!detail::read_head(answer, key, self.server.where())) co_return bytes;
      auto const& fields = answer.parts.at(7).parts;
      for (std::size_t i = 0; i + 1 < fields.size(); i += 2) bytes += detail::size_of(fields[i].text, fields[i + 1].integer);
      if (fields.empty() || answer.parts[6].text != "1") co_return bytes;
      from = fields[fields.size() - 2].text;
    }
  }

  static task<std::vector<checkpoint_key>> keys(std::shared_ptr<parts> self) {
    options const& where = self->server.where();
    std::string const pattern = detail::index_pattern(where.space);
    std::set<checkpoint_key> found;  // SCAN may name a key more than once
    std::string from = "0";
    do {
      std::vector<std::string_view> const words{"0", from, pattern};
      auto const answer = co_await self->server.run(detail::script::scan, words, "cannot list");
      if (says(answer, "foreign")) detail::read_head(answer, checkpoint_key(), where);
      for (std::size_t i = 1; i < answer.parts.size(); ++i) take_keys(answer.parts[i].parts, where, found);
      from = answer.parts.at(0).text;
    } while (from != "0");
    co_return std::vector<checkpoint_key>(found.begin(), found.end());
  }

  // An index, and its members.
  static void take_keys(std::vector<detail::reply> const& index, options const& where, std::set<checkpoint_key>& out) {
    auto const pipeline = detail::pipeline_of(where.space, index.at(0).text);
    if (!pipeline) return;  // not one of ours
    for (std::size_t i = 1; i < index.size(); ++i) {
      auto key = detail::key_of(*pipeline, index[i].text);
      if (!key) detail::refuse_stored("the index of the pipeline has a name that is damaged", checkpoint_key(*pipeline, "", ""), where);
      out.insert(*std::move(key));
    }
  }

  static task<> erase(std::shared_ptr<parts> self, checkpoint_key key) {
    options const& where = self->server.where();
    detail::state_keys const keys(where.space, key);
    auto words = words_of(keys);
    words.push_back(keys.member);
    auto const answer = co_await self->server.run(detail::script::erase, words, "cannot erase");
    if (!says(answer, "done")) detail::read_head(answer, key, where);
  }

  detail::client server;
};

state_store::state_store(options where) {
  check(where);
  parts_ = std::make_shared<parts>(std::move(where));
}
state_store::~state_store() = default;

task<std::optional<saved_checkpoint>> state_store::load(checkpoint_key key) {
  weir::detail::to_its_end loaded(parts::load(parts_, std::move(key)));
  co_return co_await loaded;
}

task<> state_store::commit(checkpoint_key key, checkpoint_update update) {
  weir::detail::to_its_end committed(parts::commit(parts_, std::move(key), std::move(update)));
  co_await committed;
}

task<std::vector<checkpoint_listing>> state_store::list(std::string pipeline) {
  weir::detail::to_its_end listed(parts::list(parts_, std::move(pipeline)));
  co_return co_await listed;
}

task<std::vector<checkpoint_key>> state_store::keys() {
  weir::detail::to_its_end found(parts::keys(parts_));
  co_return co_await found;
}

task<> state_store::erase(checkpoint_key key) {
  weir::detail::to_its_end erased(parts::erase(parts_, std::move(key)));
  co_await erased;
}

}  // namespace weir::redis
