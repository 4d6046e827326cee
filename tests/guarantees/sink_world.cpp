#include "guarantees/sink_world.hpp"

#include <weir/console.hpp>
#include <weir/eventhubs/sink.hpp>
#include <weir/file/folder.hpp>
#include <weir/file/message_file.hpp>
#include <weir/kinesis/sink.hpp>
#include <weir/postgres/state_store.hpp>
#include <weir/postgres/table.hpp>
#include <weir/sqlite/database.hpp>
#include <weir/sqlite/state_store.hpp>
#include <weir/sqlite/table.hpp>
#include <weir/topic.hpp>
#include <weir/webhook/keyed_sink.hpp>
#include <weir/webhook/sink.hpp>

#include "framework/state/postgres/fresh_store.hpp"
#include "framework/state/postgres/server.hpp"
#include "support/event_hub.hpp"
#include "support/http_server.hpp"
#include "support/kinesis_server.hpp"
#include "support/temporary_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

namespace weir::test {
namespace {

using rows_of_texts = std::vector<std::string>;

std::string as_it_is(std::string const& text) { return text; }
std::tuple<std::string> as_tuple(std::string const& text) { return {text}; }

void add_lines(std::string const& text, rows_of_texts& to) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) to.push_back(line);
}

// `Self::declare(pipeline, trial)` for pipelines of whatever elements.
template <class Self> class of_any_source : public sink_world {
public:
  void use(pipeline_builder<std::string>& pipeline, testing::delivery_trial& trial) override { self().declare(pipeline, trial); }
  void use(pipeline_builder<file::record>& pipeline, testing::delivery_trial& trial) override { self().declare(pipeline, trial); }
  void use(pipeline_builder<kinesis::record>& pipeline, testing::delivery_trial& trial) override { self().declare(pipeline, trial); }
  void use(pipeline_builder<eventhubs::record>& pipeline, testing::delivery_trial& trial) override { self().declare(pipeline, trial); }

private:
  Self& self() noexcept { return static_cast<Self&>(*this); }
};

class memory_world final : public of_any_source<memory_world> {
public:
  void declare(auto& pipeline, testing::delivery_trial& trial) { pipeline.use_sink("out", trial.table()); }
  guarantee declared() const override { return memory_table<std::string>::promises; }
  bool is_outside() const override { return false; }
  std::size_t trials() const override { return 1'000; }
  void clear() override {}
  rows_of_texts rows() override { return {}; }
};

// Without a key, what is written twice is there twice.
class sqlite_world final : public of_any_source<sqlite_world> {
public:
  using table = sqlite::table<std::string>;
  void declare(auto& pipeline, testing::delivery_trial&) {
    pipeline.use_sink("out", table(store_, "INSERT INTO guaranteed VALUES(?)", as_tuple));
  }
  guarantee declared() const override { return table::promises; }
  void clear() override {
    for (char const* const name : {"store", "store-wal", "store-shm"}) std::filesystem::remove(folder_ / name);
  }
  std::shared_ptr<state_store> open() override {
    store_ = std::make_shared<sqlite::state_store>(folder_.file("store"));
    store_->in_transaction([](sqlite::database& db) { db.execute("CREATE TABLE IF NOT EXISTS guaranteed(n TEXT)"); });
    return store_;
  }
  void close() override { store_.reset(); }
  rows_of_texts rows() override {
    sqlite::database db(folder_.file("store"));
    rows_of_texts out;
    auto all = db.prepare("SELECT n FROM guaranteed");
    while (all.step()) out.emplace_back(all.text(0));
    return out;
  }

private:
  temporary_folder folder_;
  std::shared_ptr<sqlite::state_store> store_;
};

class postgres_world final : public of_any_source<postgres_world> {
public:
  using table = postgres::table<std::string>;
  explicit postgres_world(postgres_server& server) : conninfo_(server.conninfo()), options_(fresh_options(conninfo_)) {}
  void declare(auto& pipeline, testing::delivery_trial&) {
    pipeline.use_sink("out", table(store_, "INSERT INTO guaranteed VALUES($1)", as_tuple));
  }
  guarantee declared() const override { return table::promises; }
  std::size_t trials() const override { return 25; }
  void clear() override {
    ask(conninfo_, "DROP SCHEMA IF EXISTS " + in_quotes(options_.schema) + " CASCADE");
    ask(conninfo_, "DROP TABLE IF EXISTS guaranteed");
    ask(conninfo_, "CREATE TABLE guaranteed(n TEXT)");
  }
  std::shared_ptr<state_store> open() override { return store_ = std::make_shared<postgres::state_store>(options_); }
  void close() override { store_.reset(); }
  rows_of_texts rows() override {
    rows_of_texts out;
    add_lines(ask(conninfo_, "SELECT string_agg(n, E'\\n') FROM guaranteed"), out);
    return out;
  }

private:
  std::string conninfo_;
  postgres::state_store_options options_;
  std::shared_ptr<postgres::state_store> store_;
};

class folder_world final : public of_any_source<folder_world> {
public:
  void declare(auto& pipeline, testing::delivery_trial&) {
    pipeline.use_sink("out", file::folder<std::string>(folder_.path(), ".txt", as_it_is));
  }
  guarantee declared() const override { return file::folder<std::string>::promises; }
  void clear() override {
    for (auto const& f : std::filesystem::directory_iterator(folder_.path())) std::filesystem::remove(f.path());
  }
  // As who reads the folder: hidden files are not there.
  rows_of_texts rows() override {
    rows_of_texts out;
    for (auto const& f : std::filesystem::directory_iterator(folder_.path()))
      if (std::string const name = f.path().filename().string(); name[0] != '.') add_lines(folder_.read(name), out);
    return out;
  }

private:
  temporary_folder folder_;
};

class webhook_world {
protected:
  webhook::options to() const {
    webhook::options o;
    o.url = server_.url("/hook");
    o.form = webhook::body_form::lines;
    o.http.connect_timeout = std::chrono::minutes(1);
    o.http.request_timeout = std::chrono::minutes(5);
    return o;
  }
  void forget() { before_ = server_.seen().size(); }
  std::vector<seen_request> heard() const {
    auto all = server_.seen();
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(before_));
    return all;
  }

private:
  http_server server_;
  std::size_t before_ = 0;
};

// The receiver drops keys that it knows.
class keyed_world final : public of_any_source<keyed_world>, private webhook_world {
public:
  using sink = webhook::keyed_sink<std::string>;
  void declare(auto& pipeline, testing::delivery_trial&) { pipeline.use_sink("out", sink(to(), as_it_is, as_it_is)); }
  guarantee declared() const override { return sink::promises; }
  void clear() override { forget(); }
  rows_of_texts rows() override {
    rows_of_texts out;
    std::set<std::string> known;
    for (seen_request const& r : heard())
      if (known.insert(r.headers.at("idempotency-key")).second) out.push_back(r.body);
    return out;
  }
};

class batch_world final : public of_any_source<batch_world>, private webhook_world {
public:
  using sink = webhook::sink<std::string>;
  void declare(auto& pipeline, testing::delivery_trial&) { pipeline.use_sink("out", sink(to(), as_it_is)); }
  guarantee declared() const override { return sink::promises; }
  void clear() override { forget(); }
  rows_of_texts rows() override {
    rows_of_texts out;
    for (seen_request const& r : heard()) add_lines(r.body, out);
    return out;
  }
};

class console_world final : public of_any_source<console_world> {
public:
  void declare(auto& pipeline, testing::delivery_trial&) { pipeline.use_sink("out", console<std::string>(as_it_is, out_)); }
  guarantee declared() const override { return console<std::string>::promises; }
  void clear() override { folder_.write("out", ""); }
  std::shared_ptr<state_store> open() override {
    out_ = ::open(folder_.file("out").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    return nullptr;
  }
  void close() override { ::close(out_); }
  rows_of_texts rows() override {
    rows_of_texts out;
    add_lines(folder_.read("out"), out);
    return out;
  }

private:
  temporary_folder folder_;
  int out_ = -1;
};

// Who reads the messages drops identities that it knows; one that comes again has to be the same.
class topic_world final : public of_any_source<topic_world> {
public:
  void declare(auto& pipeline, testing::delivery_trial&) { pipeline.use_topic("out", topic<std::string>(sender_, as_it_is)); }
  guarantee declared() const override { return guarantee::at_least_once; }
  bool is_topic() const override { return true; }
  void clear() override { std::filesystem::remove(folder_ / "out"); }
  std::shared_ptr<state_store> open() override {
    sender_ = std::make_shared<file::message_file>(folder_.file("out"));
    return nullptr;
  }
  void close() override { sender_.reset(); }
  rows_of_texts rows() override {
    rows_of_texts lines, out;
    add_lines(folder_.read("out"), lines);
    std::map<std::string, std::string> known;
    for (std::string const& line : lines) {
      std::string const key = R"(,"payload":")";
      auto const at = line.find(key);
      auto const [seen, first] = known.emplace(line.substr(0, at), line);
      if (first) out.push_back(line.substr(at + key.size(), line.find('"', at + key.size()) - at - key.size()));
      else if (seen->second != line) out.push_back("other words for " + line.substr(0, at));
    }
    return out;
  }

private:
  temporary_folder folder_;
  std::shared_ptr<file::message_file> sender_;
};

class stream_world final : public of_any_source<stream_world> {
public:
  using sink = kinesis::sink<std::string>;
  void declare(auto& pipeline, testing::delivery_trial&) {
    kinesis::producer_options to;
    to.stream = stream_;
    to.client = server_.client_options();
    to.client.http.connect_timeout = std::chrono::minutes(1);
    to.client.http.request_timeout = std::chrono::minutes(5);
    pipeline.use_sink("out", sink(std::move(to), [](std::string const& text) { return kinesis::outgoing_record("key", text); }));
  }
  guarantee declared() const override { return sink::promises; }
  void clear() override { server_.create(stream_ = "out-" + std::to_string(++trial_), 1); }
  rows_of_texts rows() override {
    rows_of_texts out;
    kinesis_stream const now = server_.stream(stream_);
    for (auto const& r : now.shards().front().records) out.push_back(r.data);
    return out;
  }

private:
  kinesis_server server_;
  std::string stream_;
  int trial_ = 0;
};

class hub_world final : public of_any_source<hub_world> {
public:
  using sink = eventhubs::sink<std::string>;
  void declare(auto& pipeline, testing::delivery_trial&) {
    eventhubs::client_options to;
    to.connection_string = "Endpoint=sb://ns.example/;SharedAccessKeyName=n;SharedAccessKey=key;EntityPath=out";
    to.open = hub_->opener();
    to.seed = 7;
    eventhubs::client const hub(std::move(to));
    pipeline.use_sink("out", sink(hub, [](std::string const& text) { return eventhubs::outgoing_event(text, "key"); }));
  }
  guarantee declared() const override { return sink::promises; }
  void clear() override { hub_ = std::make_unique<event_hub>(1, "out"); }
  rows_of_texts rows() override { return hub_->bodies(0); }

private:
  std::unique_ptr<event_hub> hub_;
};

template <class World> std::unique_ptr<sink_world> made(bool&) { return std::make_unique<World>(); }
std::unique_ptr<sink_world> made_postgres(bool& skipped) {
  auto* const server = postgres_server::running();
  skipped = server == nullptr;
  return server ? std::make_unique<postgres_world>(*server) : nullptr;
}

std::map<std::string, std::unique_ptr<sink_world> (*)(bool&), std::less<>> const& worlds() {
  static std::map<std::string, std::unique_ptr<sink_world> (*)(bool&), std::less<>> const all{
      {"sqlite::table", made<sqlite_world>},      {"postgres::table", made_postgres},
      {"memory_table", made<memory_world>},       {"file::folder", made<folder_world>},
      {"webhook::keyed_sink", made<keyed_world>}, {"webhook::sink", made<batch_world>},
      {"console", made<console_world>},           {"topic", made<topic_world>},
      {"kinesis::sink", made<stream_world>},      {"eventhubs::sink", made<hub_world>},
  };
  return all;
}

}  // namespace

std::unique_ptr<sink_world> world_of(std::string_view sink, bool& skipped) {
  skipped = false;
  auto const found = worlds().find(sink);
  return found == worlds().end() ? nullptr : found->second(skipped);
}

std::vector<std::string> known_sinks() {
  std::vector<std::string> out;
  for (auto const& w : worlds()) out.push_back(w.first);
  return out;
}

}  // namespace weir::test
