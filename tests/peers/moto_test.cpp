// The clients of AWS' services against moto, an emulator that is not ours and recomputes each signature. It does not compare times, which
// signature_gate_test and clear_errors_test do.
#include <weir/aws/profile_credentials.hpp>
#include <weir/aws/signing.hpp>
#include <weir/dynamodb/client.hpp>
#include <weir/dynamodb/state_store.hpp>
#include <weir/instant.hpp>
#include <weir/kinesis/client.hpp>
#include <weir/kinesis/lease_table.hpp>
#include <weir/kinesis/sequence_number.hpp>
#include <weir/net/http_client.hpp>
#include <weir/testing/run.hpp>

#include "conformance/state_store_conformance.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/moto.hpp"
#include "support/temporary_folder.hpp"
#include "transports/aws/support.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using dynamodb::attribute_value;
using dynamodb::item;
using kinesis::lease;
using kinesis::lease_write;
using kinesis::lease_write_kind;
using kinesis::starting_position;
using test::fails_with;

namespace {

template <class Client, class Options>
Client client_of(test::moto_server const& moto, aws::credentials const& keys, std::string const& region) {
  Options o;
  o.where.region = region;
  o.where.url = moto.url();
  o.from = test::with_variables({{"AWS_ACCESS_KEY_ID", keys.access_key_id},
                                 {"AWS_SECRET_ACCESS_KEY", keys.secret_access_key},
                                 {"AWS_SESSION_TOKEN", keys.session_token}});
  return Client(o);
}
auto const kinesis_of = client_of<kinesis::client, kinesis::client_options>;
auto const dynamodb_of = client_of<dynamodb::client, dynamodb::client_options>;

// What moto answers to ListStreams, signed for `user` and then changed.
unsigned status_of(test::moto_server const& moto, std::function<void(net::request&)> const& change) {
  net::request r("POST", moto.url() + '/', "{\"Limit\": 10}");
  r.headers.add("X-Amz-Target", "Kinesis_20131202.ListStreams");
  r.headers.add("Content-Type", "application/x-amz-json-1.1");
  r.headers.add("X-Mine", "a");
  sign(r, moto.user, {"eu-west-1", "kinesis"}, to_instant(std::chrono::system_clock::now()));
  change(r);
  net::http_client const http;
  return testing::run(http.send(std::move(r))).status;
}

}  // namespace

TEST_CASE("moto accepts what the client of Kinesis signs, and gives back what was put", "[kinesis][aws][peer]") {
  auto const moto = test::moto();
  if (!moto) return;
  kinesis::client const c = kinesis_of(*moto, moto->user, "eu-west-1");
  testing::run(c.create_stream("ticks", 2));
  testing::run(c.wait_until_active("ticks"));
  auto const shards = testing::run(c.list_shards("ticks"));
  REQUIRE(shards.size() == 2);
  std::string every_byte;
  for (int b = 0; b != 256; ++b) every_byte += static_cast<char>(b);
  auto const put = testing::run(c.put_record("ticks", {"\xc3\xa4\"\\\n", every_byte, kinesis::hash_key()}));
  CHECK(put.shard_id == shards[0].id);
  std::string const at = testing::run(c.get_shard_iterator("ticks", put.shard_id, starting_position::trim_horizon()));
  auto const batch = testing::run(c.get_records(at));
  REQUIRE(batch.records.size() == 1);
  CHECK(batch.records[0].data == every_byte);
  CHECK(batch.records[0].partition_key == "\xc3\xa4\"\\\n");
  CHECK(kinesis::sequence_number_of(batch.records[0].position) == put.sequence_number);
}

TEST_CASE("moto refuses keys that nobody has, a wrong secret, and what the keys may not do", "[kinesis][aws][peer]") {
  auto const moto = test::moto();
  if (!moto) return;
  testing::run(kinesis_of(*moto, moto->user, "eu-west-1").create_stream("ticks", 1));
  auto const refused = [&](aws::credentials const& keys) {
    kinesis::client const c = kinesis_of(*moto, keys, "eu-west-1");
    fails_with(errc::access_denied, [&] { testing::run(c.put_record("ticks", {"k", "x"})); }, "PutRecord", "stream ticks", "eu-west-1");
  };
  aws::credentials wrong = moto->user;
  wrong.secret_access_key += 'x';
  refused(wrong);
  wrong = moto->user;
  wrong.access_key_id.back() = wrong.access_key_id.back() == 'A' ? 'B' : 'A';
  refused(wrong);
  wrong = moto->user;
  wrong.session_token = "of nobody";
  refused(wrong);
  refused(moto->guest);
  CHECK(testing::run(kinesis_of(*moto, moto->guest, "eu-west-1").list_shards("ticks")).size() == 1);
  // A request for another region is one about its streams.
  kinesis::client const elsewhere = kinesis_of(*moto, moto->user, "us-east-1");
  fails_with(errc::not_found, [&] { testing::run(elsewhere.list_shards("ticks")); }, "correct the name, the region or the endpoint");
}

TEST_CASE("moto refuses a request of which any signed part has changed", "[aws][peer]") {
  auto const moto = test::moto();
  if (!moto) return;
  CHECK(status_of(*moto, [](net::request&) {}) == 200);
  CHECK(status_of(*moto, [](net::request& r) { r.headers.add("X-More", "not signed"); }) == 200);
  std::vector<std::function<void(net::request&)>> const changes{
      [](net::request& r) { r.body[r.body.size() - 2] = '1'; },
      [](net::request& r) { r.body += ' '; },
      [](net::request& r) { r.url += "?x=1"; },
      [](net::request& r) { r.headers.set("X-Mine", "b"); },
      [](net::request& r) { r.headers.set("X-Amz-Target", "Kinesis_20131202.ListShards"); },
      [](net::request& r) { r.headers.set("Content-Type", "application/x-amz-json-1.0"); },
      [](net::request& r) { r.headers.set("X-Amz-Date", "20240101T000000Z"); },
      [](net::request& r) {
        std::string all(r.headers.find("Authorization").value());
        all.back() = all.back() == '0' ? '1' : '0';
        r.headers.set("Authorization", all);
      }};
  for (std::size_t i = 0; i != changes.size(); ++i) {
    INFO("change " << i);
    CHECK(status_of(*moto, changes[i]) == 403);
  }
}

TEST_CASE("moto lends a role, which can do what it may, by its token only", "[aws][credentials][peer]") {
  auto const moto = test::moto();
  if (!moto) return;
  test::temporary_folder const home;
  std::map<std::string, std::string> const all{
      {"AWS_CONFIG_FILE",
       home.write("config", "[profile base]\naws_access_key_id = " + moto->user.access_key_id + "\naws_secret_access_key = " +
                                moto->user.secret_access_key + "\n[profile r]\nrole_arn = " + test::moto_server::role() +
                                "\nsource_profile = base\nrole_session_name = me\n[profile w]\nrole_arn = " + test::moto_server::role() +
                                "\nweb_identity_token_file = " + home.write("token", "eyJ.x-_"))},
      {"HOME", "/nowhere"},
      {"AWS_REGION", "eu-west-1"},
      {"AWS_ENDPOINT_URL_STS", moto->url()}};
  for (std::string const profile : {"r", "w"}) {
    INFO("profile " << profile);
    auto const lent = testing::run(aws::profile_credentials(profile, test::with_variables(all)).fetch());
    REQUIRE(lent);
    CHECK_FALSE(lent->session_token.empty());
    CHECK(lent->expires);
    testing::run(kinesis_of(*moto, *lent, "eu-west-1").create_stream("of-" + profile, 1));
    CHECK(testing::run(kinesis_of(*moto, moto->user, "eu-west-1").describe_stream_summary("of-" + profile)).open_shards == 1);
    fails_with(errc::access_denied, [&] { testing::run(dynamodb_of(*moto, *lent, "eu-west-1").describe_table("t")); });
    aws::credentials wrong = *lent;
    wrong.session_token += 'x';
    fails_with(errc::access_denied, [&] { testing::run(kinesis_of(*moto, wrong, "eu-west-1").list_shards("of-" + profile)); });
  }
}

TEST_CASE("moto does transactions as a whole, and says which item was in the way", "[dynamodb][peer]") {
  auto const moto = test::moto();
  if (!moto) return;
  dynamodb::client const c = dynamodb_of(*moto, moto->user, "eu-west-1");
  CHECK(testing::run(c.create_table(dynamodb::table_definition("things", dynamodb::key_attribute("k")))));
  testing::run(c.wait_until_usable("things"));
  auto const thing = [](std::string const& k, unsigned n) {
    return item{{"k", attribute_value::string(k)}, {"n", attribute_value::number(n)}};
  };
  auto const put_new = [&](std::string const& k, unsigned n) {
    dynamodb::put_request r("things", thing(k, n));
    r.condition = "attribute_not_exists(k)";
    return r;
  };
  CHECK(testing::run(c.transact({put_new("a", 1), put_new("b", 2)}, "one")).done);
  auto const outcome = testing::run(c.transact({put_new("c", 3), put_new("b", 4)}, "two"));
  CHECK_FALSE(outcome.done);
  REQUIRE(outcome.reasons.size() == 2);
  CHECK(outcome.reasons[0].code == "None");
  CHECK(outcome.reasons[1].code == "ConditionalCheckFailed");
  auto const at = [&](std::string const& k) { return testing::run(c.get("things", {{"k", attribute_value::string(k)}})); };
  CHECK((at("a") == thing("a", 1)));
  CHECK((at("b") == thing("b", 2)));
  CHECK(at("c") == std::nullopt);
}

TEST_CASE("leases in moto are written under their conditions, and a refusal has the row that stood in the way", "[kinesis][lease][peer]") {
  auto const moto = test::moto();
  if (!moto) return;
  kinesis::lease_table const table(dynamodb_of(*moto, moto->user, "eu-west-1"), "app");
  testing::run(table.create_if_missing());
  lease now;
  now.key = "shardId-000000000000";
  auto const write = [&](lease_write const& w) {
    INFO("write " << static_cast<int>(w.what()));
    CHECK(testing::run(table.write(w)).done);
    auto const again = testing::run(table.write(w));
    CHECK_FALSE(again.done);
    REQUIRE(again.stored);
    CHECK((*again.stored == w.after()));
    now = *again.stored;
  };
  write(lease_write(lease_write_kind::create, now, "a"));
  write(lease_write(lease_write_kind::take, now, "a"));
  write(lease_write(lease_write_kind::renew, now, "a"));
  write(lease_write(lease_write_kind::ask_for, now, "b"));
  write(lease_write::checkpoint(now, "a", kinesis::lease_checkpoint::parse("17").value()));
  write(lease_write(lease_write_kind::hand_over, now, "a"));
  write(lease_write(lease_write_kind::let_go, now, "b"));
  auto const all = testing::run(table.scan());
  REQUIRE(all.leases.size() == 1);
  CHECK((all.leases[0] == now));
}

TEST_CASE("the state store in moto does what every state store must do", "[dynamodb][state][peer]") {
  static auto const moto = test::moto();  // for all sections, each of which has a table of its own
  static int runs = 0;
  if (!moto) return;
  std::string const table = "checkpoints-" + std::to_string(++runs);
  auto const store = [&]() -> std::unique_ptr<weir::state_store> {
    return std::make_unique<dynamodb::state_store>(dynamodb_of(*moto, moto->user, "eu-west-1"),
                                                   dynamodb::state_store_options{.table = table});
  };
  test::state_store_conformance(store(), [&](std::unique_ptr<weir::state_store> old) {
    old.reset();
    return store();
  });
}
