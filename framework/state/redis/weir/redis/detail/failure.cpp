#include <weir/redis/detail/failure.hpp>

#include <weir/error.hpp>

#include <utility>

namespace weir::redis::detail {
namespace {

struct verdict {
  std::string_view begins;
  errc code;
  std::string_view advice;
};

// By the first word, which is what the protocol promises.
constexpr verdict verdicts[] = {
    {"LOADING", errc::unavailable, "wait until the server has loaded its data"},
    {"BUSY ", errc::unavailable, "wait for the script that the server runs"},
    {"MASTERDOWN", errc::unavailable, "look at the replication of the server"},
    {"CLUSTERDOWN", errc::unavailable, "look at the servers of the cluster"},
    {"TRYAGAIN", errc::unavailable, "try again"},
    {"NOREPLICAS", errc::unavailable, "look at the replicas of the server"},
    {"READONLY", errc::access_denied, "connect to the primary: this is a replica"},
    {"NOAUTH", errc::access_denied, "give the password"},
    {"WRONGPASS", errc::access_denied, "look at the user's name and password"},
    {"NOPERM", errc::access_denied, "let the user run EVAL and EVALSHA and use the keys, in the server's access lists"},
    {"DENIED", errc::access_denied, "the server is in protected mode: give it a password, or bind it to an address"},
    {"OOM", errc::no_space, "give the server more memory (maxmemory); what was committed before is intact"},
    {"MISCONF", errc::no_space, "look at the server's disk and its log; what was committed before is intact"},
    {"WRONGTYPE", errc::incompatible, "another program uses the key; give the store another space or database"},
    {"MOVED", errc::invalid_option, "a Redis Cluster is not supported: use a single server"},
    {"ASK ", errc::invalid_option, "a Redis Cluster is not supported: use a single server"},
    {"ERR max number of clients", errc::unavailable, "raise maxclients, or close connections"},
    {"ERR AUTH", errc::access_denied, "the server asks for no password: give none"},
    {"ERR invalid password", errc::access_denied, "look at the password"},
    {"ERR DB index", errc::invalid_option, "name a database that the server has"},
    {"ERR unknown command", errc::incompatible, "use Redis 7, or what speaks its language with Lua scripts"},
};

}  // namespace

std::string address_of(options const& where) { return where.socket.empty() ? where.host + ":" + std::to_string(where.port) : where.socket; }

void fail(std::string_view error_reply, options const& where, std::string failed) {
  errc code = errc::rejected;
  std::string_view advice = "look at the server and its log";
  for (verdict const& v : verdicts) {
    if (!error_reply.starts_with(v.begins)) continue;
    code = v.code;
    advice = v.advice;
    break;
  }
  throw error(code, "redis: " + std::move(failed), std::string(error_reply), std::string(advice)).with_detail(address_of(where));
}

void fail_to_reach(std::string why, options const& where, std::string failed) {
  throw error(errc::unavailable, "redis: " + std::move(failed), std::move(why), "look whether the server runs, and at its log")
      .with_detail(address_of(where));
}

}  // namespace weir::redis::detail
