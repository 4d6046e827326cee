// A function for tests. It appends what it has done to the file $WEIR_EFFECTS; records of Kinesis with "throw" in them throw, those with
// "slow" take an hour.
#include <weir/lambda/use_aws_lambda.hpp>

#include <weir/sleep.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>

using namespace weir;

namespace {

template <class R> task<> write_down(stream<R> records) {
  while (R const* const r = co_await records.next()) {
    std::string const text(r->payload());
    if (text == "throw") throw std::runtime_error("told to throw");
    if (text == "slow") co_await sleep_for(std::chrono::hours(1));
    if (char const* const file = std::getenv("WEIR_EFFECTS")) std::ofstream(file, std::ios::app) << text << '\n';
  }
}

}  // namespace

int main() {
  try {
    application app;
    auto const all = [](auto& pipeline) {
      pipeline.use_stream([]<class R>(stream<R> records, stream_context&) { return write_down(std::move(records)); });
    };
    app.use_aws_lambda(
        [&](auto& events) { events.use_kinesis_stream({}, all).use_dynamodb_stream({}, all).use_sqs({}, all).use_kafka_stream({}, all); });
    return app.run();
  } catch (std::exception const& e) {
    std::fputs(e.what(), stderr);
    return 2;
  }
}
