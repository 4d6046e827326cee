#pragma once
#include <weir/explanation.hpp>
#include <weir/stream.hpp>

namespace weir::detail {

// Asks the stream an operator pulls. Where a feeder has it, that says from when to when.
template <class T> class explained_source : public explainer {
public:
  class while_open {
  public:
    while_open(explained_source& asked, stream<T> const& in) noexcept : asked_(asked) { asked_.source_ = &in; }
    while_open(while_open const&) = delete;
    while_open& operator=(while_open const&) = delete;
    ~while_open() { asked_.source_ = nullptr; }

  private:
    explained_source& asked_;
  };
  explained_source() = default;
  explicit explained_source(stream<T> const& in) noexcept : source_(&in) {}
  void explain(explanation& e) const override {
    if (source_) source_->source().explain(e);
  }

private:
  stream<T> const* source_ = nullptr;
};

}  // namespace weir::detail
