#pragma once
#include "support/certificate.hpp"
#include "support/kinesis_emulators.hpp"
#include "support/temporary_folder.hpp"

#include <weir/aws/json_string.hpp>

#include <memory>
#include <string>

namespace weir::test {

/// kinesis-mock over TLS and HTTP/2. Its own certificate is for no host, so it gets one that is for this machine, which is then verified as
/// any other.
class trusted_kinesis_mock {
public:
  trusted_kinesis_mock() {
    certificate const c("IP:127.0.0.1");
    folder_.write("ca.pem", c.chain);
    std::string json = R"({"server":{"key":)";
    aws::append_json_string(json, c.key);
    json += R"(,"cert":)";
    aws::append_json_string(json, c.chain);
    json += "}}";
    server = kinesis_mock(folder_.write("server.json", json));
  }
  std::string url() const {
    std::string const plain = server->url();
    return "https" + plain.substr(plain.find(':'));
  }
  /// The file with the authority of its certificate.
  std::string authority() const { return folder_.file("ca.pem"); }

  std::unique_ptr<node_server> server;  ///< null: it cannot be had

private:
  temporary_folder folder_;
};

}  // namespace weir::test
