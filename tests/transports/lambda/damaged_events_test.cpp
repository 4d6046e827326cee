#include <weir/error.hpp>
#include <weir/lambda/dynamodb_records.hpp>
#include <weir/lambda/event.hpp>
#include <weir/lambda/kafka_records.hpp>
#include <weir/lambda/kinesis_records.hpp>
#include <weir/lambda/sqs_records.hpp>

#include "support/catch.hpp"
#include "support/skip.hpp"
#include "transports/lambda/samples.hpp"

#include <cstddef>
#include <string>

using namespace weir;
using lambda::event;
using lambda::event_source;

namespace {

template <class Records, class Look> std::size_t look_at(Records records, Look look) {
  std::size_t count = 0;
  for (auto some = records.next(); !some.empty(); some = records.next())
    for (auto const& r : some) {
      count += r.payload().size() + r.partition_key().size();
      look(r);
    }
  return count;
}

// Everything there is to read.
std::size_t read_all(std::string const& payload) {
  event const e(payload);
  std::size_t size = e.source_arn().size() + e.shard_id().size();
  switch (e.source()) {
    case event_source::kinesis: size += look_at(lambda::kinesis_records(e), [](auto const&) {}); break;
    case event_source::dynamodb:
      size += look_at(lambda::dynamodb_records(e), [](auto const& r) {
        r.keys();
        r.new_image();
        r.old_image();
      });
      break;
    case event_source::sqs:
      size += look_at(lambda::sqs_records(e), [](auto const& r) {
        r.message_attributes();
        r.attribute("SenderId");
      });
      break;
    case event_source::kafka:
      for (std::size_t p = 0; p != e.partitions().size(); ++p)
        size += look_at(lambda::kafka_records(e, p), [](auto const& r) { r.headers(); });
      break;
  }
  return size;
}

bool is_refused(std::string const& payload) {
  try {
    read_all(payload);
    return false;
  } catch (error const& e) {
    INFO(e.what());
    CHECK(e.code() == errc::malformed);
    return true;
  }
}

}  // namespace

TEST_CASE("every beginning of an event is refused", "[lambda][damaged]") {
  for (char const* const name : test::lambda_samples) {
    auto const sample = test::lambda_sample(name);
    if (!sample && test::skip("no sample events")) return;
    INFO(name);
    CHECK_FALSE(is_refused(*sample));
    std::size_t const whole = sample->find_last_of('}') + 1;
    for (std::size_t size = 0; size != whole; ++size) {
      if (is_refused(sample->substr(0, size))) continue;
      FAIL("the first " << size << " bytes were taken for an event");
    }
  }
}

TEST_CASE("an event with any byte changed is read or refused, and nothing else", "[lambda][damaged]") {
  std::size_t refused = 0, read = 0;
  for (char const* const name : test::lambda_samples) {
    auto const sample = test::lambda_sample(name);
    if (!sample && test::skip("no sample events")) return;
    INFO(name);
    for (std::size_t i = 0; i != sample->size(); ++i) {
      for (int const bits : {0x01, 0x02, 0x20, 0x80, 0xff}) {
        std::string damaged = *sample;
        damaged[i] = static_cast<char>(damaged[i] ^ bits);
        ++(is_refused(damaged) ? refused : read);
      }
      for (char const c : {'"', '\\', '{', '}', '[', ']', ',', ':', '0', '\0'}) {
        std::string damaged = *sample;
        damaged[i] = c;
        ++(is_refused(damaged) ? refused : read);
      }
    }
  }
  CHECK(refused > 10'000);
  CHECK(read > 10'000);
}

TEST_CASE("an event with any byte left out is read or refused, and nothing else", "[lambda][damaged]") {
  for (char const* const name : test::lambda_samples) {
    auto const sample = test::lambda_sample(name);
    if (!sample && test::skip("no sample events")) return;
    for (std::size_t i = 0; i != sample->size(); ++i) is_refused(sample->substr(0, i) + sample->substr(i + 1));
  }
  SUCCEED();
}
