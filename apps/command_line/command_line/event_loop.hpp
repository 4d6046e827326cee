#pragma once

#include <weir/spawn.hpp>
#include <weir/task.hpp>

#include <boost/asio/io_context.hpp>

#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

namespace command_line {

/// Runs one task after the other, for a program that has nothing else to do.
class event_loop {
public:
  /// Returns when it is done; throws what it throws.
  void run(weir::task<> work) {
    bool done = false;
    std::exception_ptr failure;
    weir::spawn(io_, std::move(work), [&](std::exception_ptr failed) {
      failure = std::move(failed);
      done = true;
    });
    run_until(done, failure);
  }
  template <class T> T run(weir::task<T> work) {
    bool done = false;
    std::exception_ptr failure;
    std::optional<T> value;
    weir::spawn(io_, std::move(work), [&](std::exception_ptr failed, T found) {
      failure = std::move(failed);
      value.emplace(std::move(found));
      done = true;
    });
    run_until(done, failure);
    return *std::move(value);
  }

private:
  // What a store keeps open between calls may wait for ever.
  void run_until(bool const& done, std::exception_ptr const& failure) {
    io_.restart();
    while (!done)
      if (io_.run_one() == 0) throw std::logic_error("nothing can wake what waits");
    if (failure) std::rethrow_exception(failure);
  }

  boost::asio::io_context io_{1};
};

}  // namespace command_line
