// Workers of Weir and of Amazon's own library (KCL 3, for Java) share a stream by one lease table. They are programs, and in real time:
// what is waited for here is what they do.
#include <weir/dynamodb/client.hpp>
#include <weir/kinesis/client.hpp>
#include <weir/kinesis/lease_row.hpp>
#include <weir/kinesis/lease_table.hpp>
#include <weir/sqlite/database.hpp>
#include <weir/testing/run.hpp>

#include "peers/kcl_worker.hpp"
#include "support/catch.hpp"
#include "support/child_program.hpp"
#include "support/dynalite.hpp"
#include "support/kinesis_emulators.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"
#include "transports/aws/support.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using dynamodb::item;
using test::kcl_deed;
using test::kcl_worker;
using steady = std::chrono::steady_clock;

namespace {

template <class Options> Options at(std::string const& url) {
  Options o;
  o.where.region = "us-east-1";
  o.where.url = url;
  o.from = test::with_variables({{"AWS_ACCESS_KEY_ID", "test"}, {"AWS_SECRET_ACCESS_KEY", "test"}});
  return o;
}

// A worker of Weir: the program of the tests of leases.
class weir_worker {
public:
  weir_worker(std::string const& program, std::filesystem::path const& folder, kcl_worker::options const& o)
      : program_(folder,
                 {"/bin/sh", "-c", "exec \"$@\" >>weir.log 2>&1", "sh", program, "--kinesis", o.kinesis, "--dynamodb", o.dynamodb,
                  "--stream", o.stream, "--table", o.table, "--file", (folder / "effects.sqlite").string(), "--name", o.name, "--failover",
                  std::to_string(o.failover_ms)},
                 {"AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test"}) {}
  void end_by(int signal) {
    program_.send(signal);
    program_.wait();
  }

private:
  test::child_program program_;
};

// What a worker has done with a key, one after the other.
using numbers = std::map<std::string, std::vector<int>>;

// A stream of four shards, a lease table, and who works with them.
class shared_stream {
public:
  static std::unique_ptr<shared_stream> make() {
    auto const program = test::program_of("WEIR_KINESIS_WORKER");
    if (!program && test::skip("WEIR_KINESIS_WORKER names no program")) return nullptr;
    auto jars = kcl_worker::jars();
    auto kinesis = jars ? test::kinesis_mock() : nullptr;
    auto dynamodb = kinesis ? test::dynalite() : nullptr;
    if (!dynamodb) return nullptr;
    return std::make_unique<shared_stream>(*program, *std::move(jars), std::move(kinesis), std::move(dynamodb));
  }
  shared_stream(std::string program, std::filesystem::path jars, std::unique_ptr<test::node_server> kinesis,
                std::unique_ptr<test::node_server> dynamodb)
      : program_(std::move(program)),
        jars_(std::move(jars)),
        kinesis_(std::move(kinesis)),
        dynamodb_(std::move(dynamodb)),
        stream(at<kinesis::client_options>(kinesis_->url())),
        rows(at<dynamodb::client_options>(dynamodb_->url())) {
    testing::run(stream.create_stream("ticks", 4));
    wait_until_active();
  }

  std::unique_ptr<kcl_worker> start_kcl(std::string const& name, kcl_worker::mode as) {
    kcl_worker::options o = options(name);
    o.as = as;
    auto out = std::make_unique<kcl_worker>(jars_, folder_ / name, o);
    kcl_.push_back(out.get());
    return out;
  }
  std::unique_ptr<weir_worker> start_weir(std::string const& name) {
    return std::make_unique<weir_worker>(program_, folder_.path(), options(name));
  }
  // The next numbers of twenty keys.
  void put(int each) {
    for (int i = 0; i != each; ++i, ++put_) {
      std::vector<kinesis::outgoing_record> records;
      for (int k = 0; k != keys; ++k) records.emplace_back("k" + std::to_string(k), std::to_string(put_));
      for (auto const& r : testing::run(stream.put_records("ticks", records))) CHECK_FALSE(r.failure);
    }
  }
  // Splits the first of them.
  void split() {
    auto const shards = testing::run(stream.list_shards("ticks"));
    testing::run(stream.split_shard("ticks", shards.at(0).id, kinesis::hash_key(std::uint64_t{1} << 61, 0)));
    wait_until_active();
  }
  // How many leases of shards that have not ended each worker holds.
  std::map<std::string, int> owners() {
    std::map<std::string, int> out;
    for (item const& row : items())
      if (auto const l = kinesis::read_lease(row); l && l->checkpoint_owner.empty() && !l->checkpoint.ended()) ++out[l->owner];
    return out;
  }
  std::vector<item> items() {
    if (!testing::run(rows.describe_table("app"))) return {};
    return testing::run(rows.scan(dynamodb::scan_request("app"))).items;
  }
  numbers by_weir() const {
    numbers out;
    if (!std::filesystem::exists(folder_ / "effects.sqlite")) return out;
    sqlite::database db(folder_.file("effects.sqlite"));
    if (db.number("SELECT count(*) FROM sqlite_master WHERE name = 'effects'") == 0) return out;
    auto each = db.prepare("SELECT key, data FROM effects ORDER BY nth");
    while (each.step()) out[std::string(each.text(0))].push_back(std::stoi(std::string(each.text(1))));
    return out;
  }
  // Records that nobody has processed.
  std::size_t missed() {
    std::set<std::pair<std::string, int>> done;
    for (auto const& [key, all] : by_weir())
      for (int const n : all) done.emplace(key, n);
    for (kcl_worker const* const w : kcl_)
      for (kcl_deed const& d : w->deeds())
        if (d.what == "record") done.emplace(d.key, std::stoi(d.data));
    return static_cast<std::size_t>(keys * put_) - done.size();
  }
  void wait(std::string const& what, std::function<bool()> const& until) {
    auto const longest = steady::now() + 2min;
    while (!until()) {
      if (steady::now() > longest) {
        for (kcl_worker const* const w : kcl_) UNSCOPED_INFO(w->log());
        std::ifstream in(folder_ / "weir.log");
        UNSCOPED_INFO(std::string(std::istreambuf_iterator<char>(in), {}));
        FAIL("not within two minutes: " << what);
      }
      std::this_thread::sleep_for(100ms);
    }
  }
  void wait_until_active() {
    wait("the stream is active",
         [&] { return testing::run(stream.describe_stream_summary("ticks")).status == kinesis::stream_status::active; });
  }
  void wait_for_owners(std::map<std::string, int> const& wanted) {
    std::string what = "leases are held by:";
    for (auto const& [name, count] : wanted) what += ' ' + name + ' ' + std::to_string(count);
    wait(what, [&] { return owners() == wanted; });
  }
  void wait_for_all_records() {
    wait("all records are processed", [&] { return missed() == 0; });
  }
  // Records of a key come in order while a worker has their shard: again, maybe, but never before one that is missing.
  void check_order() {
    for (auto const& [key, all] : by_weir()) {
      INFO(key);
      CHECK(std::ranges::is_sorted(all));
      CHECK(std::ranges::adjacent_find(all) == all.end());  // where it is in one transaction with its checkpoint, once
    }
    for (kcl_worker const* const w : kcl_) {
      std::map<std::string, numbers> held;  // by shard
      for (kcl_deed const& d : w->deeds()) {
        if (d.what == "begin") held[d.shard].clear();
        if (d.what != "record") continue;
        auto& before = held[d.shard][d.key];
        INFO(d.shard << ' ' << d.key << ' ' << d.data);
        CHECK((before.empty() || before.back() + 1 == std::stoi(d.data)));
        before.push_back(std::stoi(d.data));
      }
    }
  }

private:
  static constexpr int keys = 20;

  kcl_worker::options options(std::string const& name) const {
    kcl_worker::options o;
    o.kinesis = kinesis_->url();
    o.dynamodb = dynamodb_->url();
    o.stream = "ticks";
    o.table = "app";
    o.name = name;
    return o;
  }
  std::string program_;
  std::filesystem::path jars_;
  std::unique_ptr<test::node_server> kinesis_, dynamodb_;
  test::temporary_folder folder_;
  std::vector<kcl_worker const*> kcl_;
  int put_ = 0;

public:
  kinesis::client stream;
  dynamodb::client rows;
};

// Each attribute is one that is known, and comes back as KCL has it.
void check_rows(shared_stream& s, std::string const& owner) {
  auto const shards = testing::run(s.stream.list_shards("ticks"));
  auto const rows = s.items();
  CHECK(rows.size() == shards.size());
  for (item const& row : rows) {
    auto const read = kinesis::read_lease(row);
    REQUIRE(read.has_value());
    INFO(read->key);
    auto const of = std::ranges::find(shards, read->key, &kinesis::shard::id);
    REQUIRE(of != shards.end());
    CHECK(read->owner == owner);
    CHECK(read->checkpoint_owner.empty());
    CHECK(read->counter > 0);
    CHECK(read->checkpoint.begun());
    CHECK(read->checkpoint.what() == kinesis::lease_checkpoint::kind::sequence_number);
    REQUIRE(read->keys);
    CHECK(read->keys->first == of->keys.first);
    CHECK(read->keys->last == of->keys.last);
    CHECK(read->throughput_kbps);
    CHECK(read->others.empty());
    CHECK((kinesis::write_lease(*read) == row));
  }
}

}  // namespace

TEST_CASE("a worker of Weir joins one of KCL, is killed, and takes over from it", "[kinesis][lease][peer]") {
  auto const s = shared_stream::make();
  if (!s) return;
  s->put(3);
  auto const kcl = s->start_kcl("kcl", kcl_worker::mode::version_3);
  s->wait_for_all_records();
  s->wait_for_owners({{"kcl", 4}});
  s->wait("all attributes are there",
          [&] { return std::ranges::all_of(s->items(), [](item const& row) { return row.contains("throughputKBps"); }); });
  check_rows(*s, "kcl");

  auto const first = s->start_weir("weir-1");
  s->wait_for_owners({{"kcl", 2}, {"weir-1", 2}});
  CHECK(std::ranges::count(kcl->deeds(), "handed_over", &kcl_deed::what) == 2);
  s->put(3);
  s->wait_for_all_records();
  first->end_by(SIGKILL);
  s->put(3);
  s->wait_for_owners({{"kcl", 4}});
  s->wait_for_all_records();

  auto const second = s->start_weir("weir-2");
  s->wait_for_owners({{"kcl", 2}, {"weir-2", 2}});
  s->put(3);
  kcl->kill();
  s->wait_for_owners({{"weir-2", 4}});
  s->put(3);
  s->wait_for_all_records();
  second->end_by(SIGTERM);
  CHECK(s->owners() == std::map<std::string, int>{{"", 4}});
  s->check_order();
}

TEST_CASE("a worker of KCL that is as version 2 joins one of Weir, a shard is split, and KCL takes over what is given back",
          "[kinesis][lease][peer]") {
  auto const s = shared_stream::make();
  if (!s) return;
  s->put(3);
  auto const weir = s->start_weir("weir");
  s->wait_for_all_records();
  s->wait_for_owners({{"weir", 4}});
  auto const kcl = s->start_kcl("kcl", kcl_worker::mode::compatible_with_2);
  s->wait_for_owners({{"kcl", 2}, {"weir", 2}});
  s->put(3);
  s->wait_for_all_records();
  s->split();
  s->put(3);
  s->wait_for_all_records();
  weir->end_by(SIGTERM);
  s->put(3);
  s->wait_for_owners({{"kcl", 5}});
  s->wait_for_all_records();
  s->check_order();
}
