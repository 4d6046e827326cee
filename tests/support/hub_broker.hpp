#pragma once
#include <weir/net/http_client.hpp>
#include <weir/net/request.hpp>
#include <weir/testing/run.hpp>

#include "support/certificate.hpp"
#include "support/child_program.hpp"
#include "support/npm_package.hpp"
#include "support/shared_data.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

/// A look-alike of Event Hubs on rhea, an AMQP library that is neither ours nor Microsoft's: hubs of four partitions, over plain TCP, TLS,
/// and WebSockets in either.
class hub_broker {
public:
  /// Null, and the running test is reported as skipped, where it cannot be had.
  static std::unique_ptr<hub_broker> start() {
    auto const data = shared_data();
    if (!data) return missing("no shared data: WEIR_SHARED names none");
    auto const script = data->parent_path() / "peers/eventhubs/broker.js";
    if (!std::filesystem::exists(script)) return missing("no broker.js among the shared peers");
    auto const sdk = npm_package("@azure/event-hubs", "6.0.4"), ws = npm_package("ws", "8.18.3");
    if (!sdk || !ws) return missing("needs @azure/event-hubs and ws from npm");
    auto out = std::make_unique<hub_broker>(script, (*sdk / "node_modules").string() + ':' + (*ws / "node_modules").string());
    if (!out->ready_) return missing("the broker does not start");
    return out;
  }
  hub_broker(std::filesystem::path const& script, std::string modules)
      : modules_(std::move(modules)), ports_(free_ports()), own_("DNS:localhost") {
    std::filesystem::copy_file(script, folder_ / "broker.js");
    std::filesystem::create_directory(folder_ / "certs");
    folder_.write("certs/srv.key", own_.key);
    folder_.write("certs/srv.pem", own_.chain);
    broker_.emplace(folder_.path(),
                    std::vector<std::string>{
                        "/usr/bin/node", "-e", "require(process.cwd() + '/broker.js'); setImmediate(() => console.log('ready'))", "--",
                        "--quiet", "--ws", ports_[0], "--wss", ports_[1], "--tcp", ports_[2], "--amqps", ports_[3], "--ctl", ports_[4]},
                    std::vector<std::string>{"NODE_PATH=" + modules_});
    ready_ = broker_->read_line() == "ready";
  }
  /// Of plain TCP.
  std::string const& port() const noexcept { return ports_[2]; }
  /// "ws", "wss", "tcp", "tls": where a client connects that it does not find by a connection string.
  std::string address(std::string const& scheme) const {
    return scheme + "://localhost:" + ports_[scheme == "ws" ? 0 : scheme == "wss" ? 1 : scheme == "tcp" ? 2 : 3];
  }
  /// The file with the certificate that it shows.
  std::string authority() const { return folder_.file("certs/srv.pem"); }
  /// What a client is told, of the namespace.
  std::string connection_string() const {
    return "Endpoint=sb://localhost:" + port() +
           ";SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=c2VjcmV0;UseDevelopmentEmulator=true";
  }
  /// What a script with Microsoft's client says in a line: `arguments` are its process.argv[1] and so on.
  std::string run_client(char const* script, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"/usr/bin/node", "-e", script});
    child_program client(folder_.path(), std::move(arguments), {"NODE_PATH=" + modules_});
    return client.read_line();
  }
  /// Adds so many events of 5 bytes ("aaaaa"), or of others, to a partition of the hub "ticks".
  void fill(int partition, int events, int size = 5) const {
    net::request ask("GET", "http://127.0.0.1:" + ports_[4] + "/fill?hub=ticks&size=" + std::to_string(size) +
                                "&p=" + std::to_string(partition) + "&n=" + std::to_string(events));
    net::http_client const client;
    testing::run(client.send(std::move(ask)));
  }

private:
  static std::unique_ptr<hub_broker> missing(char const* what) {
    skip(what);
    return nullptr;
  }
  // Ports that nobody has at the moment.
  static std::array<std::string, 5> free_ports() {
    using boost::asio::ip::tcp;
    boost::asio::io_context loop;
    std::vector<tcp::acceptor> held;
    std::array<std::string, 5> out;
    for (std::string& port : out) {
      held.emplace_back(loop, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
      port = std::to_string(held.back().local_endpoint().port());
    }
    return out;
  }

  temporary_folder folder_;
  std::string modules_;
  std::array<std::string, 5> ports_;
  certificate own_;
  std::optional<child_program> broker_;
  bool ready_ = false;
};

}  // namespace weir::test
