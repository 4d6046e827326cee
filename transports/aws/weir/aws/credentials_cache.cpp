#include <weir/aws/credentials_cache.hpp>

#include <weir/aws/credentials_chain.hpp>
#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/sleep.hpp>

#include <chrono>
#include <mutex>
#include <string>

namespace weir::aws {
namespace {
using namespace std::chrono_literals;
constexpr instant early = std::chrono::nanoseconds(5min).count(), pause = std::chrono::nanoseconds(30s).count();
constexpr auto look_again = 20ms;  // while another one fetches, and nothing is good

bool good(std::optional<credentials> const& c, instant at) noexcept { return c && (!c->expires || at < *c->expires); }

[[noreturn]] void throw_none(credentials_source const& from) {
  auto const* const chain = dynamic_cast<credentials_chain const*>(&from);
  throw error(errc::not_found, "aws: no credentials", "there are none in " + (chain ? chain->text() : std::string(from.kind())),
              "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run `aws configure`");
}

}  // namespace

struct credentials_cache::state {
  explicit state(std::shared_ptr<credentials_source> s) noexcept : from(std::move(s)) {}

  enum class turn { good, wait, fetch };
  // `fetch`: until the flight that is made then has ended, nobody else is told so.
  turn next(instant now, std::optional<credentials>& found) {
    std::lock_guard const held(lock);
    found = kept;
    bool const due = !good(kept, now) || (kept->expires && now >= *kept->expires - early && now >= not_before);
    if (!due) return turn::good;
    if (fetching) return good(kept, now) ? turn::good : turn::wait;
    fetching = true;
    return turn::fetch;
  }

  std::shared_ptr<credentials_source> const from;
  std::mutex lock;
  std::optional<credentials> kept;
  bool fetching = false;
  instant not_before = start_of_time;
};

credentials_cache::credentials_cache(std::shared_ptr<credentials_source> from) : state_(std::make_shared<state>(std::move(from))) {}

task<credentials> credentials_cache::get() const { return get_from(state_); }

void credentials_cache::drop(credentials const& refused) const {
  std::lock_guard const held(state_->lock);
  if (state_->kept == refused) state_->kept.reset();
}

task<credentials> credentials_cache::get_from(std::shared_ptr<state> s) {
  context const& own = co_await current_context();
  std::optional<credentials> found;
  for (;;) {
    state::turn const turn = s->next(own.clock().now(), found);
    if (turn == state::turn::good) co_return *std::move(found);
    if (turn == state::turn::fetch) break;
    co_await sleep_for(look_again);
  }
  struct flight {
    explicit flight(state& s) noexcept : of(s) {}
    ~flight() {
      std::lock_guard const held(of.lock);
      of.fetching = false;
    }
    state& of;
  };
  flight const under_way(*s);
  try {
    std::optional<credentials> fetched = co_await s->from->fetch();
    if (!fetched) throw_none(*s->from);
    std::lock_guard const held(s->lock);
    s->kept = fetched;
    co_return *std::move(fetched);
  } catch (error const& e) {
    if (e.code() == condition::cancelled || !good(found, own.clock().now())) throw;
    own.log().warning(std::string("the credentials could not be renewed, and are used to their end: ") + e.what());
  }
  std::lock_guard const held(s->lock);
  s->not_before = own.clock().now() + pause;
  co_return *std::move(found);
}

}  // namespace weir::aws
