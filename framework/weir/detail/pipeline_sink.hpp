#pragma once
#include <weir/detail/partition_sink.hpp>
#include <weir/guarantee.hpp>
#include <weir/sink.hpp>
#include <weir/state_store.hpp>
#include <weir/task.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::detail {

// A sink as a pipeline has declared it, whatever its rows are.
class pipeline_sink {
public:
  pipeline_sink(std::string name, std::string_view kind, guarantee promises) : name_(std::move(name)), kind_(kind), promises_(promises) {}
  pipeline_sink(pipeline_sink const&) = delete;
  pipeline_sink& operator=(pipeline_sink const&) = delete;
  virtual ~pipeline_sink() = default;

  std::string const& name() const noexcept { return name_; }
  std::string_view kind() const noexcept { return kind_; }
  guarantee promises() const noexcept { return promises_; }
  // Who does its writes; null: it does them itself.
  virtual state_store const* store() const noexcept = 0;
  virtual std::unique_ptr<partition_sink> open(progress& p) = 0;
  virtual bool resumes() const noexcept = 0;
  virtual task<> resume(checkpoint_key key, std::uint64_t number, std::uint64_t fences) = 0;

private:
  std::string name_;
  std::string_view kind_;
  guarantee promises_;
};

template <class Sink>
concept resuming_sink = requires(Sink& s, checkpoint_key key, std::uint64_t number) { s.resume(std::move(key), number); };

template <class Sink>
concept fenced_sink =
    requires(Sink& s, checkpoint_key key, std::uint64_t number, std::uint64_t fences) { s.resume(std::move(key), number, fences); };

template <row_sink Sink> class declared_sink final : public pipeline_sink, private row_writer<typename Sink::row_type> {
public:
  using row_type = typename Sink::row_type;
  declared_sink(std::string name, Sink s) : pipeline_sink(std::move(name), s.kind, Sink::promises), sink_(std::move(s)) {}

  state_store const* store() const noexcept override {
    if constexpr (transactional_sink<Sink>) return &sink_.store();
    else return nullptr;
  }
  std::unique_ptr<partition_sink> open(progress& p) override {
    row_writer<row_type>& writer = *this;
    return std::make_unique<partition_sink_of<row_type>>(p, name(), promises(), writer);
  }
  bool resumes() const noexcept override { return resuming_sink<Sink> || fenced_sink<Sink>; }
  task<> resume(checkpoint_key key, std::uint64_t number, [[maybe_unused]] std::uint64_t fences) override {
    if constexpr (fenced_sink<Sink>) co_await sink_.resume(std::move(key), number, fences);
    else if constexpr (resuming_sink<Sink>) co_await sink_.resume(std::move(key), number);
    co_return;
  }

private:
  std::shared_ptr<sink_write> write(std::vector<row_type> rows) override { return sink_.write(std::move(rows)); }
  Sink sink_;
};

}  // namespace weir::detail
