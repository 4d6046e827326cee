#include "queries.hpp"

#include <array>
#include <ctime>
#include <utility>

namespace nexmark {

weir::instant clock_tick() {
  std::timespec t{};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &t);
  return weir::instant{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

namespace {
weir::task<> q12_by_the_machine(weir::stream<event> in, output& out) { return q12_bids_by_clock(std::move(in), out, clock_tick); }

constexpr std::array<query, 18> queries{{{"q0", q0_pass_through},
                                         {"q1", q1_currency},
                                         {"q2", q2_selection},
                                         {"q3", q3_local_items},
                                         {"q4", q4_category_prices},
                                         {"q5", q5_hot_items},
                                         {"q5 60 s / 1 s", q5_hot_items_of_a_minute},
                                         {"q6", q6_seller_prices},
                                         {"q7", q7_highest_bid},
                                         {"q8", q8_new_sellers},
                                         {"q9", q9_winning_bids},
                                         {"q11", q11_bidder_sessions},
                                         {"q12", q12_by_the_machine},
                                         {"q13", q13_side_input},
                                         {"q17", q17_auction_statistics},
                                         {"q18", q18_last_bid},
                                         {"q19", q19_top_ten},
                                         {"q20", q20_bids_with_auction}}};
}  // namespace

std::span<query const> all_queries() { return queries; }

}  // namespace nexmark
