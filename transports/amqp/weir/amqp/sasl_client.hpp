#pragma once
#include <weir/amqp/errc.hpp>
#include <weir/amqp/sasl.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::amqp {

/// How a client says who it is. Source: RFC 4505 (ANONYMOUS), RFC 4616 (PLAIN), RFC 4422 (EXTERNAL).
struct sasl_options {
  /// "ANONYMOUS": it does not, or does it later (Azure's CBS, for which "MSSBCBS" is another name); "PLAIN": by user and password;
  /// "EXTERNAL": by the certificate of its TLS connection.
  std::string mechanism = "ANONYMOUS";
  /// Of PLAIN; of ANONYMOUS a trace that the server may log; of EXTERNAL who to be, where the certificate leaves a choice.
  std::string user;
  std::string password;
  /// Whom it means to talk to.
  std::string hostname;
};

/// How it went.
enum class sasl_progress : std::uint8_t {
  under_way,
  done,     ///< the connection may begin
  refused,  ///< by the server: `sasl_client::outcome`; or it has no such mechanism
  broken,   ///< what came is no SASL: `sasl_client::fault`
};

/// The client's side of SASL in front of an AMQP connection, without I/O. Thread-safety: none. Source: AMQP 1.0, 5.3.
class sasl_client {
public:
  explicit sasl_client(sasl_options options);

  /// Bytes from the server, in pieces of any size.
  sasl_progress feed(std::string_view bytes);
  /// What goes to it.
  std::string_view output() const noexcept { return output_; }
  void sent(std::size_t bytes) { output_.erase(0, bytes); }

  sasl_progress progress() const noexcept { return progress_; }
  /// What came behind the outcome: the connection's first bytes.
  std::string_view left() const noexcept { return progress_ == sasl_progress::done ? std::string_view(input_) : std::string_view(); }
  /// What the server said: none, when it did not get so far.
  std::optional<sasl_code> outcome() const noexcept { return outcome_; }
  /// The mechanisms that the server offers, for a message: "PLAIN, EXTERNAL".
  std::string const& offered() const noexcept { return offered_; }
  std::optional<errc> fault() const noexcept { return fault_; }

private:
  void take(sasl_mechanisms const& offered);
  void take(sasl_outcome const& outcome);
  sasl_progress broken(errc why) noexcept;

  sasl_options options_;
  std::string input_, output_, offered_;
  bool header_ = false, chosen_ = false;
  sasl_progress progress_ = sasl_progress::under_way;
  std::optional<sasl_code> outcome_;
  std::optional<errc> fault_;
};

}  // namespace weir::amqp
