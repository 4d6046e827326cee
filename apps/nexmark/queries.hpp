#pragma once
#include "event.hpp"
#include "output.hpp"

#include <weir/instant.hpp>
#include <weir/stream.hpp>
#include <weir/task.hpp>

#include <functional>
#include <span>

namespace nexmark {

// The queries, each in a file of its name: events in, rows out to `out`, which has to be there until the task is done. Events come in the
// order of their times.

/// Rows: auction, bidder, price, time; of each bid.
weir::task<> q0_pass_through(weir::stream<event> in, output& out);
/// Rows: auction, bidder, price in thousandths of a euro cent at 0.908, time; of each bid.
weir::task<> q1_currency(weir::stream<event> in, output& out);
/// Rows: auction, price; of bids for auctions whose id is a multiple of 123.
weir::task<> q2_selection(weir::stream<event> in, output& out);
/// Rows: person, city, state, auction; of auctions of category 10 by people of Oregon, Idaho and California, as soon as both are known.
weir::task<> q3_local_items(weir::stream<event> in, output& out);
/// Rows: category, number and sum of winning prices so far; after each auction that was won.
weir::task<> q4_category_prices(weir::stream<event> in, output& out);
/// Rows: end of the window, auction, bids; of the auctions with most bids in ten seconds, every two.
weir::task<> q5_hot_items(weir::stream<event> in, output& out);
/// The same over a minute, every second.
weir::task<> q5_hot_items_of_a_minute(weir::stream<event> in, output& out);
/// Rows: seller, number and sum of the last ten winning prices; after each auction that was won.
weir::task<> q6_seller_prices(weir::stream<event> in, output& out);
/// Rows: auction, bidder, price, time; of the highest bids of ten seconds.
weir::task<> q7_highest_bid(weir::stream<event> in, output& out);
/// Rows: person, start of the window; of people who registered and opened an auction in the same ten seconds.
weir::task<> q8_new_sellers(weir::stream<event> in, output& out);
/// Rows: auction, seller, category, bidder, price, time of the bid; of each auction that was won.
weir::task<> q9_winning_bids(weir::stream<event> in, output& out);
/// Rows: bidder, start, end, bids; of sessions that ten seconds without a bid end.
weir::task<> q11_bidder_sessions(weir::stream<event> in, output& out);
/// Rows: bidder, start of the window, bids; of ten seconds of processing time, which `now` tells.
weir::task<> q12_bids_by_clock(weir::stream<event> in, output& out, std::function<weir::instant()> now);
/// Rows: auction, bidder, price, time, value in the side table under auction modulo 10,000, which is the square of that modulo 9,973.
weir::task<> q13_side_input(weir::stream<event> in, output& out);
/// Rows: auction, start of the day, bids, those below 100 dollars, below 10,000, others, least and greatest price, sum.
weir::task<> q17_auction_statistics(weir::stream<event> in, output& out);
/// Rows: auction, bidder, price, time; of each bid that is the last of its bidder for the auction so far, and takes the former's place.
weir::task<> q18_last_bid(weir::stream<event> in, output& out);
/// Rows: auction, rank from 1, bidder, price, time; of each bid that is among the ten highest for its auction so far, earlier ones first
/// among equals; those below move down.
weir::task<> q19_top_ten(weir::stream<event> in, output& out);
/// Rows: auction, bidder, price, time of the bid, seller; of bids for auctions of category 10, as soon as both are known.
weir::task<> q20_bids_with_auction(weir::stream<event> in, output& out);

/// A query and its name in the benchmark.
struct query {
  char const* name;
  weir::task<> (*run)(weir::stream<event> in, output& out);
};
/// All, in order; q12 by the machine's clock, to the tick of its timer.
std::span<query const> all_queries();
/// What that clock says, some nanoseconds to ask.
weir::instant clock_tick();

}  // namespace nexmark
