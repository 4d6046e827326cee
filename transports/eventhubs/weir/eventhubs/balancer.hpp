#pragma once
#include <weir/eventhubs/balancer_options.hpp>
#include <weir/eventhubs/ownership.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace weir::eventhubs {

/// What has become of a partition, for who reads it. A value.
struct balance_event {
  enum class kind : std::uint8_t {
    gained,  ///< it is ours: begin behind its checkpoint
    lost,    ///< it is not ours any more: stop at once, and commit nothing
  };
  balance_event(kind k, std::string id, std::string because = {}) noexcept : what(k), partition(std::move(id)), why(std::move(because)) {}

  kind what;
  std::string partition;
  std::string why;  ///< of `lost`: a sentence
};

/// One consumer's part in sharing the partitions of a group: what blobs say and time in, conditional writes and events out. Does no I/O,
/// and knows no clock but the times it is told, which are those of one clock that never goes back.
/// ```cpp
/// consumer.know(partitions_of_the_hub);
/// consumer.saw(co_await service.list(), began, now);                   // when look_due() has come
/// for (ownership_write const& w : consumer.due(now)) ...               // each is sent, and then exactly one of
/// consumer.done(w, etag, now);  consumer.refused(w, stored, now);  consumer.unknown(w, now);
/// for (balance_event& e : consumer.take_events()) ...
/// ```
/// It holds a partition from `gained` to `lost` or `let_go`. Nobody has two owners by the blobs. A consumer that is alive loses a partition
/// to one that has fewer, at any moment, without being asked: it learns of it by its next renewal, or by its link, which the service closes
/// (amqp:link:stolen). Until then both hold it, so that what it commits has to be fenced by the store of its checkpoints. One that is dead,
/// or cannot renew, counts as having nothing after `expiry`: by the times that the service gives in one and the same answer where a blob is
/// seen first, and by the own clock from then on, so that clocks need not agree. A partition that could not be renewed for so long is lost,
/// whatever the blobs say.
///
/// A write of which it is not known whether it was done is made again by the same condition; that the blob names this consumer says that it
/// was. There is at most one write under way for each partition.
///
/// It never waits, throws (once it is made) only when memory ends, and is used on one strand. State: what the blobs said.
/// Source: the processors of the official clients; issues azure-sdk-for-js #6294, #6945, azure-sdk-for-java #32206, azure-sdk-for-net
/// #29068.
class balancer {
public:
  using time = std::chrono::nanoseconds;

  /// `name`: of this run of the consumer, and of no other (official clients draw a UUID). `seed`: for which partitions are claimed first,
  /// and when it looks. Throws `errc::invalid_option`.
  balancer(std::string name, balancer_options options, std::uint64_t seed);

  /// The partitions of the hub; more may come later, and none goes.
  void know(std::vector<std::string> const& partitions);
  /// What all blobs say, by a list that had begun then.
  void saw(ownership_list const& found, time began, time now);
  /// The writes to be sent now.
  std::vector<ownership_write> due(time now);
  /// What came of a write.
  void done(ownership_write const& w, std::string etag, time now);
  /// Its condition did not hold. `stored`: what is there; null: nothing.
  void refused(ownership_write const& w, std::optional<ownership> stored, time now);
  /// It may have been done, or not: the answer was lost.
  void unknown(ownership_write const& w, time now);
  /// What has happened since the last call, in order.
  std::vector<balance_event> take_events();

  /// When `due` has something, or a partition is lost, at the latest; before that there is nothing to do but what calls and looks bring.
  time next_due() const noexcept;
  /// When the blobs should be listed.
  time look_due() const noexcept { return next_look_; }

  /// Gives a partition back, for whoever wants it; not before `rests_until` for this consumer.
  void let_go(std::string const& partition, time rests_until = {});
  /// It ends: nothing is claimed any more.
  void end() noexcept;

  std::string const& name() const noexcept { return name_; }
  /// Whether what is done now for that partition counts.
  bool holds(std::string const& partition, time now) const noexcept;
  /// How many it has, those that it is giving back included.
  std::size_t held() const noexcept;

private:
  enum class role : std::uint8_t { none, holder, leaving };
  struct known {
    ownership row;
    time changed{};              // when it was last written, at the latest
    time written = time::min();  // when the answer to the last write of ours came
    role as = role::none;
    time renewed{};                  // holder, leaving: when the last write was sent that was done
    time next_write{};               // not before
    std::optional<time> sent;        // a write is under way since then
    std::optional<time> lost_since;  // the first write of which it is not known whether it was done was sent then
    bool wanted = false;             // to be claimed
    time rests_until{};
  };

  bool is_free(known const& k, time now) const noexcept;
  time soon(time within);
  void look_at(known& k, ownership const& row, instant asked, time now);
  void settle(known& k, time now);
  void plan(time now);
  void keep(known& k, time sent);
  void gain(known& k, time sent);
  void lose(known& k, std::string why);

  std::string const name_;
  balancer_options const options_;
  std::mt19937_64 dice_;
  std::map<std::string, known> rows_;
  std::vector<balance_event> events_;
  time next_look_ = time::min();
  bool ending_ = false;
};

}  // namespace weir::eventhubs
