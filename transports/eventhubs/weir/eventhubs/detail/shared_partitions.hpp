#pragma once
#include <weir/assignment.hpp>
#include <weir/position.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::eventhubs::detail {

// What a pipeline does with the partitions that its consumer holds: which it reads, and what becomes of one when that ends. No I/O.
//
// A partition is begun when it is held, and nothing of a former reading of it is left in this process. It is held no longer than somebody
// reads: when a reading fails, or another receiver takes it, it is given back, and not claimed again by this consumer for an interval, then
// twice as long, up to five minutes, unless something was committed in between. Strand only.
class shared_partitions {
public:
  using time = std::chrono::nanoseconds;
  // One that may be begun, or is to be left. `run` tells this time of holding it from others.
  struct turn {
    turn(std::string of, std::uint64_t r, time rests = {}) noexcept : partition(std::move(of)), run(r), rests_until(rests) {}
    std::string partition;
    std::uint64_t run;
    time rests_until;
  };
  // One that is to be given back, and not claimed before.
  struct release {
    release(std::string of, time until, time p) noexcept : partition(std::move(of)), rests_until(until), pause(p) {}
    std::string partition;
    time rests_until;
    time pause;  // zero: it does not rest
  };

  explicit shared_partitions(time interval) noexcept : interval_(interval) {}

  // What the blobs say.
  void gained(std::string const& id);
  void lost(std::string const& id);
  // Another receiver has it, by what the service says of its link. False: that is known.
  bool stolen(std::string const& id, std::optional<position> const& reached, time now);

  // What may be begun; each is to be answered by one of the next two.
  std::vector<turn> take_ready();
  void begun(turn const& t);
  void could_not_begin(turn const& t, time now);
  // Whether it is still to be begun.
  bool wants(turn const& t) const;

  // The pipeline has ended reading it. `reached`: what is committed.
  void ended(std::string const& id, std::optional<position> const& reached, time now);
  // What is to be left, when all has been done for it; each is to be answered by `left`.
  std::vector<turn> take_leaving() { return std::exchange(leaving_, {}); }
  void left(turn const& t, time now);
  // Whether it is still ours.
  bool holds(turn const& t) const;

  // Nothing more is begun; what is not read is given back.
  void drain();
  // The pipeline reads nothing any more, also what it was told to read and has not begun.
  void nobody_reads();
  // What is held and read.
  std::vector<std::string> reading() const;

  // What the pipeline is to be told, in order.
  std::vector<assignment> take_assignments() { return std::exchange(assignments_, {}); }
  std::vector<release> take_releases() { return std::exchange(releases_, {}); }

private:
  struct one {
    std::uint64_t run = 0;          // counts when it is gained or lost
    std::uint64_t reading_run = 0;  // by which it is read
    bool held = false;
    bool waits = false;      // to be begun
    bool beginning = false;  // somebody is about it
    bool open = false;       // it is read
    bool leaving = false;
    unsigned halts = 0;  // in a row
    std::optional<position> halted_at;
  };
  void let_go(std::string const& id, one& p, time rests_until = {}, time pause = {});
  time pause_of(one& p, std::optional<position> const& at) const;

  time const interval_;
  std::map<std::string, one> all_;
  std::vector<assignment> assignments_;
  std::vector<turn> leaving_;
  std::vector<release> releases_;
  bool draining_ = false;
};

}  // namespace weir::eventhubs::detail
