#include "demo.hpp"

#include "bar.hpp"
#include "tick.hpp"

#include <weir/application.hpp>
#include <weir/error.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/weir.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <utility>

namespace ticks {
namespace {

// The bar lives outside the pipeline, as a row in a database does: what was folded into it before a failure stays there.
class demo {
public:
  demo(demo_fold fold, demo_outcome& out) : fold_(fold), out_(out) {}

  weir::task<> handle(weir::stream<tick> ticks, weir::stream_context& context) {
    if (context.attempt() > 1) say("the source delivers again what came after the last checkpoint");
    auto windows = std::move(ticks) | weir::window(3);
    while (auto* const window = co_await windows.next()) {
      for (tick const& t : *window) apply(t);
      co_await context.checkpointer().checkpoint();
      say("window of three done, checkpoint");
    }
  }

private:
  void apply(tick const& t) {
    if (t.at == weir::position(5) && !std::exchange(failed_, true)) {
      say("tick 5 fails");
      throw weir::error(weir::errc::handler_failed, "demo: cannot fold tick 5", "it fails once, on purpose");
    }
    if (fold_ == demo_fold::idempotent && applied_ && t.at <= *applied_) {
      say(fmt::format("tick {} is in the bar already", t.at.offset()));
      return;
    }
    if (!bar_.add(t.order, t.price, t.size)) throw weir::error(weir::errc::out_of_range, "demo: the volume does not fit");
    applied_ = t.at;
    out_.volume = bar_.volume;
    say(fmt::format("tick {}: price {}, size {}: volume {}", t.at.offset(), t.price.text(), t.size.text(), bar_.volume.text()));
  }
  void say(std::string line) { out_.story.push_back(std::move(line)); }

  demo_fold fold_;
  demo_outcome& out_;
  bar bar_;
  std::optional<weir::position> applied_;
  bool failed_ = false;
};

// A middleware: the handler gets a second chance, over the stream from where its progress stands.
weir::task<> once_more(weir::stream_context&, weir::next_handler next) {
  bool again = false;
  try {
    co_await next();
  } catch (weir::error const&) {
    again = true;
  }
  if (again) co_await next();
}

}  // namespace

demo_outcome demonstrate(demo_fold fold) {
  weir::testing::script<tick> script("six ticks");
  symbol const name = symbol::from("DEMO").value();
  for (std::uint64_t n = 1; n != 7; ++n) {
    auto const i = static_cast<int>(n - 1);
    script.element(tick(name, decimal(10 + i, 0), decimal(std::int64_t{1} << i, 0), trade_order{i, i}, weir::position(n)));
  }
  demo_outcome out;
  demo d(fold, out);
  weir::application app;
  app.use_memory_stream(script, [&d](auto& pipeline) {
    pipeline.use(once_more);
    pipeline.use_stream([&d](weir::stream<tick> ticks, weir::stream_context& context) { return d.handle(std::move(ticks), context); });
  });
  if (app.run() != 0) throw weir::error(weir::errc::handler_failed, "demo: did not run to its end");
  return out;
}

int run_demo(demo_fold fold) {
  auto const out = demonstrate(fold);
  for (auto const& line : out.story) fmt::print("{}\n", line);
  if (fold == demo_fold::naive)
    fmt::print("\nvolume {}: a plain += counted the redelivered tick 4 (size 8) twice; 63 is right\n", out.volume.text());
  else fmt::print("\nvolume {}: every tick once, although tick 4 was delivered twice\n", out.volume.text());
  return 0;
}

}  // namespace ticks
