// Blobs that Microsoft's own client for JavaScript has written, and what it makes of ours, in azurite.
#include <weir/async_scope.hpp>
#include <weir/context.hpp>
#include <weir/eventhubs/checkpoint_blobs.hpp>
#include <weir/eventhubs/detail/balance_loop.hpp>
#include <weir/eventhubs/ownership_service.hpp>
#include <weir/net/http_client.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/run.hpp>

#include "support/azurite.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using eventhubs::checkpoint_blobs;
using eventhubs::group_blobs;
using eventhubs::ownership;
using eventhubs::ownership_write;
using eventhubs::ownership_write_kind;
using eventhubs::stored_checkpoint;

namespace {

constexpr char const* store_script = R"js(
const {BlobCheckpointStore} = require('@azure/eventhubs-checkpointstore-blob')
const {ContainerClient, StorageSharedKeyCredential} = require('@azure/storage-blob')
const [url, account, key] = given
const store = new BlobCheckpointStore(new ContainerClient(url, new StorageSharedKeyCredential(account, key)))
const group = {fullyQualifiedNamespace: 'NS.example', eventHubName: 'HubX', consumerGroup: '$Default'}
const names = ['NS.example', 'HubX', '$Default']
const run = {
  claim: async (partitionId, ownerId, etag) => (await store.claimOwnership([{...group, partitionId, ownerId, etag}])).length,
  checkpoint: (partitionId, offset, sequenceNumber) =>
    store.updateCheckpoint({...group, partitionId, offset, sequenceNumber: Number(sequenceNumber)}),
  owners: async () => (await store.listOwnership(...names)).map((o) => `${o.partitionId}=${o.ownerId} ${o.etag}`).join('\n'),
  checkpoints: async () =>
    (await store.listCheckpoints(...names)).map((c) => `${c.partitionId}=${c.offset}/${c.sequenceNumber}`).join('\n'),
}
const server = require('http').createServer((request, reply) => {
  const [what, ...rest] = request.url.slice(1).split('/').map(decodeURIComponent)
  run[what](...rest).then((out) => reply.end(String(out ?? 'done')), (e) => { reply.statusCode = 500; reply.end(String(e)) })
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
)js";

// As it has tags.
std::string bare(std::string const& etag) { return etag.substr(1, etag.size() - 2); }

// Microsoft's client, in a process of its own.
class official_store {
public:
  official_store(std::filesystem::path const& folder, std::string const& url)
      : server_(folder, "const given = ['" + url + "', '" + test::azurite_account + "', '" + test::azurite_key + "']\n" + store_script) {}
  // What it says to "claim/0/name/tag".
  std::string operator()(std::string const& path) const {
    net::response const answer = testing::run(client_.send(net::request("GET", server_.url() + '/' + path)));
    INFO(answer.body);
    CHECK(answer.status == 200);
    return answer.body;
  }

private:
  test::node_server server_;
  net::http_client client_;
};

// Azurite at no virtual time: each call is done, on another thread, before it returns.
class prompt_service final : public eventhubs::ownership_service {
public:
  explicit prompt_service(std::shared_ptr<ownership_service> real) : real_(std::move(real)) {}
  task<eventhubs::ownership_list> list() override {
    auto out = std::async(std::launch::async, [&] { return testing::run(real_->list()); });
    co_return out.get();
  }
  task<eventhubs::ownership_write_result> write(ownership_write w) override {
    auto out = std::async(std::launch::async, [&] { return testing::run(real_->write(std::move(w))); });
    co_return out.get();
  }

private:
  std::shared_ptr<ownership_service> real_;
};

task<std::vector<std::string>> four_ids() {
  std::vector<std::string> out;
  for (char const* const id : {"0", "1", "2", "3"}) out.emplace_back(id);
  co_return out;
}

struct member {
  member(azure::blob_container const& box, std::string name, std::uint64_t seed, environment& env)
      : loop(subject(box), std::move(name), {}, seed, env) {}
  eventhubs::detail::balance_subject subject(azure::blob_container const& box) {
    eventhubs::detail::balance_subject out;
    out.event_hub = "hub";
    out.service = std::make_shared<prompt_service>(make_ownership_service(box, group_blobs("ns.example", "hub", "g")));
    out.partitions = &four_ids;
    out.told = [this](eventhubs::balance_event const& e) {
      if (e.what == eventhubs::balance_event::kind::gained) mine.insert(e.partition);
      else mine.erase(e.partition);
    };
    return out;
  }

  std::set<std::string> mine;
  eventhubs::detail::balance_loop loop;
};

task<> share_by(azure::blob_container box) {
  environment& env = (co_await current_context()).environment();
  member a(box, "a", 1, env), b(box, "b", 2, env);
  auto body = [&](async_scope& scope) -> task<> {
    scope.spawn(a.loop.run());
    co_await sleep_for(1s);
    CHECK(a.mine.size() == 4);
    auto with_b = [&](async_scope& inner) -> task<> {
      inner.spawn(b.loop.run());
      co_await sleep_for(12s);
      CHECK(a.mine.size() == 2);
      CHECK(b.mine.size() == 2);
      inner.cancel();  // it dies, and gives nothing back
    };
    task<> both = with_scope(std::move(with_b));
    co_await std::move(both);
    co_await sleep_for(45s);
    CHECK(a.mine.size() == 2);
    co_await sleep_for(30s);
    CHECK(a.mine.size() == 4);
    a.loop.drain();
    for (std::string const& id : a.mine) a.loop.let_go(id);
  };
  task<> all = with_scope(std::move(body));
  co_await std::move(all);
}

}  // namespace

TEST_CASE("Weir and the official clients read and write each other's ownership and checkpoints", "[eventhubs][blobs][peer]") {
  auto const server = test::azurite();
  if (!server) return;
  auto const folder = test::npm_package("@azure/eventhubs-checkpointstore-blob", "2.0.0");
  if (!folder) {
    test::skip("needs @azure/eventhubs-checkpointstore-blob from npm");
    return;
  }
  std::string const url = server->url() + "/devstoreaccount1/box";
  official_store const sdk(*folder, url);
  azure::blob_container_options o;
  o.url = url;
  o.by = azure::shared_key(test::azurite_account, test::azurite_key);
  azure::blob_container const box(o);
  group_blobs const names("NS.example", "HubX", "$Default");
  auto const service = eventhubs::make_ownership_service(box, names);
  checkpoint_blobs const checkpoints(box, names);

  // Theirs first.
  CHECK(sdk("claim/0/js") == "1");
  CHECK(sdk("checkpoint/0/29/1") == "done");
  auto const theirs = testing::run(service->list());
  REQUIRE(theirs.all.size() == 1);
  CHECK(theirs.all[0].partition == "0");
  CHECK(theirs.all[0].owner == "js");
  CHECK(theirs.all[0].modified <= theirs.asked);
  CHECK(theirs.asked - theirs.all[0].modified < 60'000'000'000);
  auto const at = testing::run(checkpoints.find("0"));
  REQUIRE(at);
  CHECK(at->offset == "29");
  CHECK(at->sequence_number == 1);

  // Ours beside it, and in its place.
  ownership none;
  none.partition = "1";
  CHECK(testing::run(service->write(ownership_write(ownership_write_kind::claim, none, "weir"))).done);
  auto const stolen = testing::run(service->write(ownership_write(ownership_write_kind::claim, theirs.all[0], "weir")));
  REQUIRE(stolen.done);
  stored_checkpoint to = *at;
  to.offset = "58";
  to.sequence_number = 2;
  CHECK(testing::run(checkpoints.write(to)).done);
  CHECK(sdk("checkpoints") == "0=58/2");
  CHECK(sdk("owners").starts_with("0=weir " + bare(stolen.etag) + "\n1=weir "));

  // They are fenced by our tags, and we by theirs.
  CHECK(sdk("claim/0/js/" + bare(theirs.all[0].etag)) == "0");
  CHECK(sdk("claim/0/js/" + bare(stolen.etag)) == "1");
  ownership ours = theirs.all[0];
  ours.etag = stolen.etag;
  auto const late = testing::run(service->write(ownership_write(ownership_write_kind::renew, ours, "weir")));
  CHECK_FALSE(late.done);
  REQUIRE(late.stored);
  CHECK(late.stored->owner == "js");

  // Given back, as theirs are.
  CHECK(testing::run(service->write(ownership_write(ownership_write_kind::give_back, *late.stored, "weir"))).done);
  CHECK(sdk("owners").starts_with("0= "));
  CHECK(testing::run(checkpoints.list()).size() == 1);
}

TEST_CASE("consumers share partitions by azurite, and take what a dead one had", "[eventhubs][balancer][peer]") {
  auto const server = test::azurite();
  if (!server) return;
  azure::blob_container_options o;
  o.url = server->url() + "/devstoreaccount1/box";
  o.by = azure::shared_key(test::azurite_account, test::azurite_key);
  azure::blob_container const box(o);
  testing::run(share_by(box));
  auto const left = testing::run(box.list("ns.example/hub/g/ownership/"));
  CHECK(left.blobs.size() == 4);
  for (azure::blob const& b : left.blobs) CHECK(b.metadata.at("ownerid").empty());
}
