// A function of Lambda in a simulated service: batches of Kinesis.
#include <weir/lambda/use_aws_lambda.hpp>

#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_sender.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/operators/partition_by.hpp>
#include <weir/operators/window.hpp>
#include <weir/sleep.hpp>

#include "made_events.hpp"
#include "scripted_runtime.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using kinesis::record;
using test::fails_with;
using test::kinesis_event;
using test::reports;
using test::simulated_function;
using texts = std::vector<std::string>;

namespace {

constexpr int from = 101;  // the first sequence number: with those behind it, all have three digits

std::vector<int> numbers(int count, int first = from) {
  std::vector<int> out(static_cast<std::size_t>(count));
  for (int& n : out) n = first++;
  return out;
}
std::string text_of(record const& r) { return std::string(r.payload()); }

// Writes down what it has done, and throws in place of doing some.
struct doing {
  texts done;
  texts refused;

  task<> run(stream<record> records) {
    while (record const* const r = co_await records.next()) {
      if (std::ranges::find(refused, r->payload()) != refused.end()) throw std::runtime_error("no " + text_of(*r));
      done.push_back(text_of(*r));
    }
  }
};
auto with(doing& d) {
  return [&d](auto& events) {
    events.use_kinesis_stream({.source = "ticks"}, [&d](auto& pipeline) {
      pipeline.use_stream([&d](stream<record> records, stream_context&) { return d.run(std::move(records)); });
    });
  };
}

}  // namespace

TEST_CASE("a batch that is done reports nothing, and its handler had all of it in order", "[lambda]") {
  simulated_function f;
  doing d;
  f.service->invoke(kinesis_event(numbers(700)));
  f.service->invoke(kinesis_event(numbers(2, 801)));
  f.run(with(d));
  REQUIRE(f.service->replies.size() == 2);
  CHECK(f.service->replies[0] == reports({}));
  CHECK(f.service->replies[1] == reports({}));
  texts all;
  for (int const n : numbers(702)) all.push_back(std::to_string(n));
  CHECK(d.done == all);
}

TEST_CASE("a handler knows which invocation it is for", "[lambda]") {
  simulated_function f;
  stream_context::metadata_map notes;
  texts who;
  f.service->invoke(kinesis_event(numbers(1)));
  f.run([&](auto& events) {
    events.use_kinesis_stream({}, [&](auto& pipeline) {
      pipeline.use_stream([&](stream<record> records, stream_context& context) -> task<> {
        notes = context.metadata();
        who = {std::string(context.pipeline()), std::string(context.stream()), std::string(context.partition())};
        while (co_await records.next()) {}
      });
    });
  });
  CHECK(notes == stream_context::metadata_map{{"lambda.function_arn", "arn:aws:lambda:us-east-2:123456789012:function:f"},
                                              {"lambda.request_id", "request-1"},
                                              {"lambda.source_arn", std::string(test::ticks_arn)},
                                              {"lambda.trace_id", "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700"}});
  CHECK(who == texts{"kinesis", "kinesis ticks", "shardId-000000000006"});
}

TEST_CASE("a handler that throws has done what it was given before, and the record is reported", "[lambda]") {
  simulated_function f;
  doing d{.done = {}, .refused = {"103"}};
  f.service->invoke(kinesis_event(numbers(5)));
  f.run(with(d));
  REQUIRE(f.service->replies.size() == 1);
  CHECK(f.service->replies[0] == reports({"103"}));
  CHECK(d.done == texts{"101", "102"});
  CHECK(
      f.has_said("error: lambda: the handler did not finish a batch (pipeline kinesis ticks, kinesis ticks, partition "
                 "shardId-000000000006, request request-1, done up to"));
  CHECK(f.has_said("no 103"));
}

TEST_CASE("the first record that fails is the first that is reported", "[lambda]") {
  simulated_function f;
  doing d{.done = {}, .refused = {"101"}};
  f.service->invoke(kinesis_event(numbers(5)));
  f.run(with(d));
  CHECK(f.service->replies.at(0) == reports({"101"}));
  CHECK(d.done.empty());
}

TEST_CASE("a checkpoint in the middle of a batch that succeeds leaves no tail behind", "[lambda][trap]") {
  simulated_function f;
  f.service->invoke(kinesis_event(numbers(5)));
  f.run([](auto& events) {
    events.use_kinesis_stream({}, [](auto& pipeline) {
      pipeline.use_stream([](stream<record> records, stream_context& context) -> task<> {
        for (int n = 1; co_await records.next(); ++n)
          if (n == 2) co_await context.checkpointer().checkpoint();
      });
    });
  });
  CHECK(f.service->replies.at(0) == reports({}));
}

TEST_CASE("groups that are done do not hide records of others that come before", "[lambda][trap]") {
  simulated_function f;
  texts done;
  f.service->invoke(kinesis_event(numbers(6)));
  f.service->invoke(kinesis_event(numbers(6)));
  bool first = true;
  f.run([&](auto& events) {
    events.use_kinesis_stream({}, [&](auto& pipeline) {
      pipeline.use_stream([&](stream<record> records, stream_context& context) -> task<> {
        auto groups = std::move(records) | partition_by([](record const& r) { return std::stoi(text_of(r)) % 2; });
        while (auto* const g = co_await groups.next()) {
          if (g->key == 0 && first) {
            first = false;
            throw std::runtime_error("not the even ones");
          }
          for (record const& r : g->values) done.push_back(text_of(r));
          co_await context.checkpointer().checkpoint();
        }
      });
    });
  });
  REQUIRE(f.service->replies.size() == 2);
  CHECK(f.service->replies[0] == reports({"101"}));
  CHECK(f.service->replies[1] == reports({}));
  CHECK(done == texts{"101", "103", "105", "101", "103", "105", "102", "104", "106"});
}

TEST_CASE("a window of a count ends with the batch, and what it holds is not done before", "[lambda][trap]") {
  for (bool const fails : {false, true}) {
    simulated_function f;
    std::vector<std::size_t> sizes;
    f.service->invoke(kinesis_event(numbers(5)));
    f.run([&](auto& events) {
      events.use_kinesis_stream({}, [&](auto& pipeline) {
        pipeline.use_stream([&](stream<record> records, stream_context&) -> task<> {
          auto windows = std::move(records) | window(2);
          while (auto* const w = co_await windows.next()) {
            if (fails && sizes.size() == 1) throw std::runtime_error("not the second");
            sizes.push_back(w->size());
          }
        });
      });
    });
    CHECK(f.service->replies.at(0) == reports(fails ? texts{"103"} : texts{}));
    CHECK(sizes == (fails ? std::vector<std::size_t>{2} : std::vector<std::size_t>{2, 2, 1}));
  }
}

TEST_CASE("reading stops before the deadline, and what is in hand may be finished", "[lambda][trap]") {
  //        0 s       0.9       1.8       2.5   2.7   2.75      3
  //        | 101     | 102     | 103     stop  |     cancelled deadline
  simulated_function f;
  texts done;
  f.service->invoke(kinesis_event(numbers(10)), 3s);
  f.run([&](auto& events) {
    events.use_kinesis_stream({}, [&](auto& pipeline) {
      pipeline.use_stream([&](stream<record> records, stream_context&) -> task<> {
        while (record const* const r = co_await records.next()) {
          co_await sleep_for(900ms);
          done.push_back(text_of(*r));
        }
      });
    });
  });
  REQUIRE(f.service->replies.size() == 1);
  CHECK(f.service->replies[0] == reports({"104"}));
  CHECK(done == texts{"101", "102", "103"});
  CHECK(*f.service->replies[0].deadline - f.service->replies[0].at == 300'000'000);
  CHECK(f.has_said("the time of the invocation was up before all was read"));
}

TEST_CASE("a handler that does not come to an end is cancelled, and what it did is reported", "[lambda][trap]") {
  simulated_function f;
  f.how.margin = 1s;
  texts done;
  bool asked = false, told = false;
  f.service->invoke(kinesis_event(numbers(10)), 3s);
  f.run([&](auto& events) {
    events.use_kinesis_stream({}, [&](auto& pipeline) {
      pipeline.use_stream([&](stream<record> records, cancellation c) -> task<> {
        while (record const* const r = co_await records.next()) {
          asked = asked || c.requested();
          try {
            std::chrono::nanoseconds takes = 900ms;
            if (r->payload() == "103") takes = 1h;
            co_await sleep_for(takes);
          } catch (error const& e) {
            told = e.code() == condition::cancelled && c.requested();
            throw;
          }
          done.push_back(text_of(*r));
        }
      });
    });
  });
  REQUIRE(f.service->replies.size() == 1);
  CHECK(f.service->replies[0] == reports({"103"}));
  CHECK(done == texts{"101", "102"});
  CHECK_FALSE(asked);
  CHECK(told);
  CHECK(*f.service->replies[0].deadline - f.service->replies[0].at == 500'000'000);
  CHECK(f.has_said("it was cancelled, as the time of the invocation was up"));
}

TEST_CASE("an invocation whose time is up when it comes does nothing, and reports all", "[lambda]") {
  simulated_function f;
  doing d;
  f.service->invoke(kinesis_event(numbers(3)), 400ms);
  f.service->invoke(kinesis_event(numbers(3)), 3s);
  f.run(with(d));
  REQUIRE(f.service->replies.size() == 2);
  CHECK(f.service->replies[1] == reports({}));
  bool const nothing_lost = f.service->replies[0] == reports({"101"}) || f.service->replies[0] == reports({});
  CHECK(nothing_lost);
}

TEST_CASE("a mapping that does not take partial answers gets the failure of the whole", "[lambda][trap]") {
  simulated_function f;
  doing d{.done = {}, .refused = {"103"}};
  f.service->invoke(kinesis_event(numbers(5)));
  f.service->invoke(kinesis_event(numbers(2)));
  f.run([&d](auto& events) {
    events.use_kinesis_stream({.report_batch_item_failures = false}, [&d](auto& pipeline) {
      pipeline.use_stream([&d](stream<record> records, stream_context&) { return d.run(std::move(records)); });
    });
  });
  REQUIRE(f.service->replies.size() == 2);
  CHECK(f.service->replies[0].failed);
  CHECK(f.service->replies[0].text == "Weir.BatchNotDone");
  CHECK(f.service->replies[0].message.find("no 103") != std::string::npos);
  CHECK(f.has_said("warning: lambda: the whole invocation fails"));
  CHECK(f.service->replies[1] == reports({}));
}

TEST_CASE("whoever reports a record is told what the mapping needs for it", "[lambda][trap]") {
  simulated_function f;
  doing d{.done = {}, .refused = {"103"}};
  f.service->invoke(kinesis_event(numbers(5)));
  f.run(with(d));
  CHECK(f.has_said("warning: lambda: records are reported as not done"));
  CHECK(f.has_said("Unless the event source mapping has ReportBatchItemFailures"));
}

TEST_CASE("a handler that throws when all is done is not taken for one that succeeds", "[lambda]") {
  simulated_function f;
  f.service->invoke(kinesis_event(numbers(3)));
  f.run([](auto& events) {
    events.use_kinesis_stream({}, [](auto& pipeline) {
      pipeline.use_stream([](stream<record> records, stream_context&) -> task<> {
        while (co_await records.next()) {}
        throw std::runtime_error("the sum cannot be written");
      });
    });
  });
  CHECK(f.service->replies.at(0) == reports({"101"}));
}

TEST_CASE("a handler that returns early has not done the rest", "[lambda]") {
  simulated_function f;
  f.service->invoke(kinesis_event(numbers(5)));
  f.run([](auto& events) {
    events.use_kinesis_stream({}, [](auto& pipeline) {
      pipeline.use_stream([](stream<record> records, stream_context&) -> task<> {
        co_await records.next();
        co_await records.next();
      });
    });
  });
  CHECK(f.service->replies.at(0) == reports({"103"}));
  CHECK(f.has_said("it returned before all was done"));
}

TEST_CASE("what is no event fails its invocation, and the function goes on", "[lambda]") {
  simulated_function f;
  doing d;
  for (std::string const payload : {"", "{", R"({"key1":"value1"})", R"({"Records":[{"eventSource":"aws:s3"}]})"})
    f.service->invoke(payload);
  f.service->invoke(kinesis_event(numbers(2)));
  f.run(with(d));
  REQUIRE(f.service->replies.size() == 5);
  for (std::size_t i = 0; i != 4; ++i) {
    CHECK(f.service->replies[i].failed);
    CHECK(f.service->replies[i].text == "Weir.InvocationFailed");
    CHECK_FALSE(f.service->replies[i].message.empty());
  }
  CHECK(f.service->replies[4] == reports({}));
}

TEST_CASE("an event that no pipeline takes is not taken for done", "[lambda]") {
  simulated_function f;
  doing d;
  f.service->invoke(kinesis_event(numbers(2), "arn:aws:kinesis:us-east-2:123456789012:stream/others"));
  f.run(with(d));
  REQUIRE(f.service->replies.size() == 1);
  CHECK(f.service->replies[0].failed);
  CHECK(f.service->replies[0].message.find("stream/others") != std::string::npos);
  CHECK(d.done.empty());
}

TEST_CASE("a record that cannot be read is reported when those before it are done", "[lambda]") {
  simulated_function f;
  doing d;
  std::string event = kinesis_event(numbers(5));
  std::string const good = R"("data":")" + net::to_base64("103") + '"';
  event.replace(event.find(good), good.size(), R"("data":"***")");
  f.service->invoke(event);
  f.run(with(d));
  CHECK(f.service->replies.at(0) == reports({"103"}));
  CHECK(d.done == texts{"101", "102"});
}

TEST_CASE("an event goes to the pipeline that names its stream, else to the one that names none", "[lambda]") {
  simulated_function f;
  doing ticks, others;
  f.service->invoke(kinesis_event({201}, "arn:aws:kinesis:us-east-2:123456789012:stream/others"));
  f.service->invoke(kinesis_event({202}));
  f.run([&](auto& events) {
    events
        .use_kinesis_stream({},
                            [&](auto& pipeline) {
                              pipeline.use_stream([&](stream<record> records, stream_context&) { return others.run(std::move(records)); });
                            })
        .use_kinesis_stream({.source = std::string(test::ticks_arn)}, [&](auto& pipeline) {
          pipeline.use_stream([&](stream<record> records, stream_context&) { return ticks.run(std::move(records)); });
        });
  });
  CHECK(others.done == texts{"201"});
  CHECK(ticks.done == texts{"202"});
}

TEST_CASE("an answer that is too large becomes a failure", "[lambda]") {
  simulated_function f;
  doing d{.done = {}, .refused = {"101"}};
  f.service->most_answer = 30;
  f.service->invoke(kinesis_event(numbers(1)));
  f.run(with(d));
  REQUIRE(f.service->replies.size() == 1);
  CHECK(f.service->replies[0].failed);
  CHECK(f.service->replies[0].text == "Weir.AnswerTooLarge");
}

TEST_CASE("an answer that cannot be posted ends the process", "[lambda]") {
  simulated_function f;
  doing d;
  f.service->deaf = true;
  f.service->invoke(kinesis_event(numbers(1)));
  fails_with(errc::unavailable, [&] { f.run(with(d)); }, "cannot answer");
}

TEST_CASE("what is to be done at the start is done before the first invocation", "[lambda]") {
  simulated_function f;
  doing d;
  f.how.on_start = [&d]() -> task<> {
    d.done.push_back("started");
    co_return;
  };
  f.service->invoke(kinesis_event(numbers(1)));
  f.run(with(d));
  CHECK(d.done == texts{"started", "101"});
}

TEST_CASE("a start that fails is reported, and nothing is taken", "[lambda]") {
  simulated_function f;
  doing d;
  f.how.on_start = []() -> task<> {
    throw std::runtime_error("no database");
    co_return;
  };
  f.service->invoke(kinesis_event(numbers(1)));
  CHECK_THROWS_WITH(f.run(with(d)), "no database");
  CHECK(f.service->failed_starts == texts{"no database"});
  CHECK(f.service->replies.empty());
}

TEST_CASE("an application that is stopped before it runs takes no invocation, and the next run does", "[lambda]") {
  simulated_function f;
  doing d;
  f.service->invoke(kinesis_event(numbers(1)));
  application app(f.with);
  app.use_aws_lambda(f.how, with(d));
  app.stop();
  testing::run(app.serve());
  CHECK(f.service->replies.empty());
  testing::run(app.serve());
  CHECK(f.service->replies.size() == 1);
  CHECK(d.done == texts{"101"});
}

TEST_CASE("what cannot work is refused when it is built", "[lambda]") {
  auto const nothing = [](stream<record> records, stream_context&) -> task<> {
    while (co_await records.next()) {}
  };
  auto const handled = [&](auto& pipeline) { pipeline.use_stream(nothing); };
  simulated_function f;
  auto const refused = [&](char const* why, auto configure) { fails_with(errc::invalid_pipeline, [&] { f.run(configure); }, why); };
  refused("no events", [](auto&) {});
  refused("no terminal stage", [](auto& events) { events.use_kinesis_stream({}, [](auto&) {}); });
  refused("two pipelines are called", [&](auto& events) { events.use_kinesis_stream({}, handled).use_kinesis_stream({}, handled); });
  refused("take the same events", [&](auto& events) {
    events.use_kinesis_stream({.source = "ticks"}, handled).use_kinesis_stream({.source = std::string(test::ticks_arn)}, [&](auto& p) {
      p.name("other").use_stream(nothing);
    });
  });
  refused("messages are kept in checkpoints", [&](auto& events) {
    events.use_kinesis_stream(
        {}, [&](auto& p) { p.use_topic("out", topic<std::string>(std::make_shared<memory_sender>())).use_stream(nothing); });
  });
  auto const store = std::make_shared<memory_state_store>();
  refused("writes with the commits of another store", [&](auto& events) {
    events.use_kinesis_stream({}, [&](auto& p) { p.use_sink("out", memory_table<std::string>(store)).use_stream(nothing); });
  });
  fails_with(
      errc::invalid_option, [&] { f.run([&](auto& e) { e.use_kinesis_stream({.parallelization_factor = 11}, handled); }); }, "1 to 10");
  fails_with(errc::invalid_option, [&] { f.run([&](auto& e) { e.use_sqs({.most_concurrent = 0}, [](auto&) {}); }); }, "at least 1");
  f.how.margin = 0s;
  fails_with(errc::invalid_option, [&] { f.run([&](auto& e) { e.use_kinesis_stream({}, handled); }); }, "margin");
  f.how.margin = 1s;
  f.with.checkpoints = store;
  refused("parallelization_factor", [&](auto& events) { events.use_kinesis_stream({.parallelization_factor = 2}, handled); });
}

TEST_CASE("an application that is invoked has no other pipelines", "[lambda]") {
  simulated_function f;
  doing d;
  auto const copy = [](auto& pipeline) {
    pipeline.use_stream([](stream<int> s, stream_context&) -> task<> {
      while (co_await s.next()) {}
    });
  };
  application first(f.with);
  first.use_aws_lambda(f.how, with(d));
  fails_with(errc::invalid_pipeline, [&] { first.use_memory_stream(testing::script<int>(), copy); }, "use_aws_lambda");
  fails_with(errc::invalid_pipeline, [&] { first.use_aws_lambda(f.how, with(d)); }, "twice");
  application second(f.with);
  second.use_memory_stream(testing::script<int>(), copy);
  fails_with(errc::invalid_pipeline, [&] { second.use_aws_lambda(f.how, with(d)); }, "use_aws_lambda");
}
