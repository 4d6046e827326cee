#include <weir/lambda/detail/lane.hpp>

#include <weir/clock.hpp>
#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/lambda/detail/pace.hpp>
#include <weir/lambda/dynamodb_records.hpp>
#include <weir/lambda/first_unfinished.hpp>
#include <weir/lambda/kafka_records.hpp>
#include <weir/lambda/kinesis_records.hpp>
#include <weir/lambda/sqs_records.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <span>
#include <string_view>

namespace weir::lambda::detail {
namespace {

template <class R, class Records> stream<R> paced(Records records) {
  context const& own = co_await current_context();
  clock const& time = own.clock();
  pace size;
  for (std::span<R> all = records.next(); !all.empty(); all = records.next()) {
    while (!all.empty()) {
      std::span<R> const some = all.first(std::min(size.next(time.now()), all.size()));
      all = all.subspan(some.size());
      co_yield some;
    }
  }
}

// Those of a shard.
template <class R, class Records> std::vector<lane<R>> one_lane(event const& e) {
  std::vector<lane<R>> out;
  out.emplace_back(
      std::string(e.shard_id()), [e](std::optional<position> after) { return paced<R>(Records(e, after)); },
      [e](batch_response& to, std::optional<position> const& done) {
        if (auto const at = first_unfinished(e, done)) to.failed(e.identifier(*at));
      });
  return out;
}

// What an event has of a queue. One that cannot be read hides those behind it.
struct messages {
  std::vector<sqs_record> read;
  std::exception_ptr hidden;  // why there are no more
};

messages all_messages(event const& e) {
  messages out;
  try {
    sqs_records records(e);
    for (auto some = records.next(); !some.empty(); some = records.next()) out.read.insert(out.read.end(), some.begin(), some.end());
  } catch (error const&) {
    out.hidden = std::current_exception();
  }
  return out;
}

using group = std::shared_ptr<std::vector<sqs_record> const>;

class group_reader {
public:
  group_reader(group of, std::optional<position> after) : left_(*of) {
    if (after) std::erase_if(left_, [&](sqs_record const& r) { return r.position() <= *after; });
  }
  std::span<sqs_record> next() { return std::exchange(done_, true) ? std::span<sqs_record>() : std::span<sqs_record>(left_); }

private:
  std::vector<sqs_record> left_;
  bool done_ = false;
};

void add_group(std::vector<lane<sqs_record>>& to, std::string partition, group of) {
  to.emplace_back(
      std::move(partition), [of](std::optional<position> after) { return paced<sqs_record>(group_reader(of, after)); },
      [of](batch_response& r, std::optional<position> const& done) {
        for (sqs_record const& one : *of)
          if (!done || one.position() > *done) r.failed(one.message_id());
      });
}

// What cannot be read fails by itself.
void add_hidden(std::vector<lane<sqs_record>>& to, event const& e, std::size_t from, std::exception_ptr why) {
  to.emplace_back(
      "unreadable", [why](std::optional<position>) -> stream<sqs_record> { std::rethrow_exception(why); },
      [e, from](batch_response& r, std::optional<position> const&) {
        for (std::size_t i = from; i != e.size(); ++i) r.failed(e.identifier(i));
      });
}

std::uint64_t offset_of(std::string const& identifier) {
  std::uint64_t out = 0;
  std::from_chars(identifier.data(), identifier.data() + identifier.size(), out);
  return out;
}

}  // namespace

template <> std::vector<lane<kinesis::record>> lanes_of(event const& e) { return one_lane<kinesis::record, kinesis_records>(e); }
template <> std::vector<lane<dynamodb_record>> lanes_of(event const& e) { return one_lane<dynamodb_record, dynamodb_records>(e); }

template <> std::vector<lane<kafka_record>> lanes_of(event const& e) {
  std::vector<lane<kafka_record>> out;
  for (std::size_t p = 0; p != e.partitions().size(); ++p) {
    out.emplace_back(
        e.partitions()[p].name, [e, p](std::optional<position> after) { return paced<kafka_record>(kafka_records(e, p, after)); },
        [e, p](batch_response& to, std::optional<position> const& done) {
          if (auto const at = first_unfinished(e, p, done)) to.failed(e.partitions()[p].name, offset_of(e.identifier(*at)));
        });
  }
  return out;
}

template <> std::vector<lane<sqs_record>> lanes_of(event const& e) {
  messages all = all_messages(e);
  std::size_t const readable = all.read.size();
  std::vector<lane<sqs_record>> out;
  std::map<std::string, std::vector<sqs_record>, std::less<>> groups;  // of a FIFO queue
  std::vector<std::string> order;
  bool const fifo = e.source_arn().ends_with(".fifo");  // other queues may have groups, too, and no order in them
  for (sqs_record& r : all.read) {
    if (!fifo || r.group_id().empty()) {
      std::string id(r.message_id());
      std::vector<sqs_record> one;
      one.push_back(std::move(r));
      add_group(out, std::move(id), std::make_shared<std::vector<sqs_record> const>(std::move(one)));
      continue;
    }
    auto const [found, fresh] = groups.try_emplace(std::string(r.group_id()));
    if (fresh) order.push_back(found->first);
    found->second.push_back(std::move(r));
  }
  for (std::string const& name : order)
    add_group(out, name, std::make_shared<std::vector<sqs_record> const>(std::move(groups.find(name)->second)));
  if (all.hidden) add_hidden(out, e, readable, all.hidden);
  return out;
}

}  // namespace weir::lambda::detail
