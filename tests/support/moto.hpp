#pragma once
#include "support/child_program.hpp"
#include "support/pip_package.hpp"
#include "support/skip.hpp"

#include <weir/aws/credentials.hpp>

#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

namespace weir::test {

/// AWS as moto, an emulator from PyPI, has it: Kinesis, DynamoDB, STS and more at one address, empty. It recomputes each signature, and
/// looks whether the user's policies allow what is asked; it does not compare times, and takes regions as they are signed.
class moto_server {
public:
  explicit moto_server(std::filesystem::path const& python) : server_("/", {python.string(), "-c", script()}) {
    std::istringstream said(server_.read_line());
    said >> port_ >> user.access_key_id >> user.secret_access_key >> guest.access_key_id >> guest.secret_access_key;
    if (!said) throw std::runtime_error("moto made no server");
  }
  std::string url() const { return "http://127.0.0.1:" + port_; }

  aws::credentials user;   ///< may do everything with Kinesis, DynamoDB and STS
  aws::credentials guest;  ///< may list shards
  /// May do everything with Kinesis; `user` may become it.
  static std::string role() { return "arn:aws:iam::123456789012:role/reader"; }

private:
  // One request at a time: its conditional writes are not safe from each other.
  static std::string script() {
    return R"py(
import io, json, logging
from moto import settings
from moto.iam.models import iam_backends
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server
logging.getLogger('werkzeug').setLevel(logging.ERROR)
iam = iam_backends['123456789012']['aws']
def policy(*actions):
    return json.dumps({'Version': '2012-10-17', 'Statement': [{'Effect': 'Allow', 'Action': list(actions), 'Resource': '*'}]})
def user(name, *actions):
    iam.create_user('us-east-1', name)
    iam.put_user_policy(name, 'all', policy(*actions))
    key = iam.create_access_key(name)
    return key.access_key_id + ' ' + key.secret_access_key
trust = {'Version': '2012-10-17', 'Statement': [{'Effect': 'Allow', 'Action': 'sts:AssumeRole',
         'Principal': {'AWS': 'arn:aws:iam::123456789012:user/user'}}]}
iam.create_role('reader', json.dumps(trust), '/', None, '', [], 3600)
iam.put_role_policy('reader', 'all', policy('kinesis:*'))
keys = user('user', 'kinesis:*', 'dynamodb:*', 'sts:*') + ' ' + user('guest', 'kinesis:ListShards')
moto = DomainDispatcherApplication(create_backend_app)
def served(request, start):
    body = request['wsgi.input'].read(int(request.get('CONTENT_LENGTH') or 0))
    request['wsgi.input'] = io.BytesIO(body)
    unsigned = 'HTTP_AUTHORIZATION' not in request and b'Action=AssumeRoleWithWebIdentity&' in body  # which moto wants signed
    settings.INITIAL_NO_AUTH_ACTION_COUNT = float('inf') if unsigned else 0
    return moto(request, start)
server = make_server('127.0.0.1', 0, served)
print(server.port, keys, flush=True)
server.serve_forever()
)py";
  }

  child_program server_;
  std::string port_;
};

/// Null, and the running test is reported as skipped, where it cannot be had.
inline std::unique_ptr<moto_server> moto() {
  auto const python = pip_package("moto", "5.2.5", "flask==3.1.3 flask-cors==6.0.5 py-partiql-parser==0.6.3");
  if (!python) {
    skip("needs python3 with venv, and moto from PyPI");
    return nullptr;
  }
  return std::make_unique<moto_server>(*python);
}

}  // namespace weir::test
