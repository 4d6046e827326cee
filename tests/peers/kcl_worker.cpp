#include "peers/kcl_worker.hpp"

#include "support/maven_package.hpp"
#include "support/skip.hpp"

#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

namespace weir::test {
namespace {

namespace fs = std::filesystem;

// Speaks the daemon's protocol: messages of JSON in lines, each answered. What a child was told and had not answered when its daemon died
// is finished; then its input ends.
constexpr char const* processor = R"py(
import base64, json, os, sys
notes = os.open('notes', os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
def note(*words):
    os.write(notes, (' '.join(words) + '\n').encode())
def say(message):
    print(json.dumps(message), flush=True)
def checkpoint(**at):
    say({'action': 'checkpoint', **at})
    return json.loads(sys.stdin.readline()).get('error') is None
shard = ''
for line in sys.stdin:
    if not line.strip():
        continue
    message = json.loads(line)
    action = message['action']
    if action == 'initialize':
        shard = message['shardId']
        note('begin', shard)
    elif action == 'processRecords':
        records = message['records']
        for r in records:
            note('record', shard, r['partitionKey'], base64.b64decode(r['data']).decode())
        if records:
            checkpoint(sequenceNumber=records[-1]['sequenceNumber'], subSequenceNumber=records[-1].get('subSequenceNumber') or 0)
    elif action == 'leaseLost':
        note('lost', shard)
    elif action == 'shardEnded':
        if checkpoint():
            note('ended', shard)
    elif action == 'shutdownRequested':
        if checkpoint():
            note('handed_over', shard)
    say({'action': 'status', 'responseFor': action})
)py";

constexpr char const* logging =
    "<configuration><appender name='file' class='ch.qos.logback.core.FileAppender'><file>log</file><encoder>"
    "<pattern>%d{HH:mm:ss.SSS} %level %logger{0} %msg%n%ex{3}</pattern></encoder></appender>"
    "<root level='INFO'><appender-ref ref='file'/></root></configuration>";

// Reports nowhere, neither figures (CloudWatch) nor how busy it is.
std::string properties(kcl_worker::options const& o) {
  return "executableName = /usr/bin/python3 processor.py\nprocessingLanguage = python/3\n"
         "AWSCredentialsProvider = DefaultCredentialsProvider\nregionName = us-east-1\n"
         "kinesisEndpoint = " +
         o.kinesis + "\ndynamoDBEndpoint = " + o.dynamodb + "\nstreamName = " + o.stream + "\napplicationName = " + o.table +
         "\nworkerIdentifier = " + o.name +
         "\ninitialPositionInStream = TRIM_HORIZON\nretrievalMode = POLLING\nidleTimeBetweenReadsInMillis = 300\n"
         "failoverTimeMillis = " +
         std::to_string(o.failover_ms) +
         "\nshardSyncIntervalMillis = 2000\nparentShardPollIntervalMillis = 500\n"
         "metricsLevel = NONE\ndisableWorkerMetrics = true\nclientVersionConfig = CLIENT_VERSION_CONFIG_" +
         (o.as == kcl_worker::mode::version_3 ? "3X\n" : "COMPATIBLE_WITH_2X\n");
}

fs::path prepared(fs::path folder, kcl_worker::options const& o) {
  fs::create_directories(folder);
  std::ofstream(folder / "processor.py") << processor;
  std::ofstream(folder / "logging.xml") << logging;
  std::ofstream(folder / "kcl.properties") << properties(o);
  return folder;
}

std::string content(fs::path const& file) {
  std::ifstream in(file);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace

std::optional<fs::path> kcl_worker::jars() {
  bool const can_run = ::access("/usr/bin/java", X_OK) == 0 && ::access("/usr/bin/python3", X_OK) == 0;
  // Of the registry of schemas, which it links but does not use here, only the part it is linked with.
  auto found = can_run
                   ? maven_package("amazon-kinesis-client-multilang-3.1.3",
                                   "<dependency><groupId>software.amazon.kinesis</groupId>"
                                   "<artifactId>amazon-kinesis-client-multilang</artifactId><version>3.1.3</version>"
                                   "<exclusions><exclusion><groupId>software.amazon.glue</groupId><artifactId>*</artifactId></exclusion>"
                                   "</exclusions></dependency>"
                                   "<dependency><groupId>software.amazon.glue</groupId>"
                                   "<artifactId>schema-registry-serde</artifactId><version>1.1.24</version>"
                                   "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>"
                                   "</dependency>")
                   : std::nullopt;
  if (!found) skip("needs java, python3, mvn, and amazon-kinesis-client-multilang from Maven Central");
  return found;
}

kcl_worker::kcl_worker(fs::path const& jars, fs::path folder, options const& o)
    : folder_(prepared(std::move(folder), o)),
      java_(folder_,
            {"/bin/sh", "-c", "exec \"$@\" >output 2>&1", "sh", "/usr/bin/java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m",
             "-Daws.cborEnabled=false", "-cp", (jars / "*").string(), "software.amazon.kinesis.multilang.MultiLangDaemon",
             "--properties-file", "kcl.properties", "--log-configuration", "logging.xml"},
            {"AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test"}) {}

void kcl_worker::kill() {
  java_.send(SIGKILL);
  java_.wait();
}

std::vector<kcl_deed> kcl_worker::deeds() const {
  std::vector<kcl_deed> out;
  std::ifstream in(folder_ / "notes");
  std::string line;
  while (std::getline(in, line) && !in.eof()) {  // a line without its end is not whole
    std::istringstream words(line);
    kcl_deed d;
    words >> d.what >> d.shard >> d.key >> d.data;
    out.push_back(std::move(d));
  }
  return out;
}

std::string kcl_worker::log() const { return content(folder_ / "log") + content(folder_ / "output"); }

}  // namespace weir::test
