#include "support/certificate.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <memory>
#include <stdexcept>

namespace weir::test {
namespace {

template <auto Free> struct freeing {
  template <class T> void operator()(T* p) const noexcept { Free(p); }
};
template <class T, auto Free> using owned = std::unique_ptr<T, freeing<Free>>;

std::string text_of(BIO* from) {
  char* data = nullptr;
  long const size = BIO_get_mem_data(from, &data);
  return {data, static_cast<std::size_t>(size)};
}
void add_extension(X509* to, int which, char const* value) {
  owned<X509_EXTENSION, ::X509_EXTENSION_free> const made(::X509V3_EXT_conf_nid(nullptr, nullptr, which, value));
  if (!made || ::X509_add_ext(to, made.get(), -1) != 1) throw std::runtime_error("no such extension");
}

}  // namespace

certificate::certificate(std::string const& names, std::chrono::seconds valid_for) {
  owned<EVP_PKEY, ::EVP_PKEY_free> const pair(EVP_EC_gen("P-256"));
  owned<X509, ::X509_free> const made(::X509_new());
  if (!pair || !made) throw std::runtime_error("OpenSSL makes no key");
  ::X509_set_version(made.get(), 2);
  ::ASN1_INTEGER_set(::X509_get_serialNumber(made.get()), 1);
  ::X509_gmtime_adj(::X509_getm_notBefore(made.get()), -24L * 3600);
  ::X509_gmtime_adj(::X509_getm_notAfter(made.get()), static_cast<long>(valid_for.count()));
  ::X509_NAME* const name = ::X509_get_subject_name(made.get());
  ::X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<unsigned char const*>("weir test"), -1, -1, 0);
  ::X509_set_issuer_name(made.get(), name);
  ::X509_set_pubkey(made.get(), pair.get());
  add_extension(made.get(), NID_basic_constraints, "critical,CA:TRUE");
  add_extension(made.get(), NID_subject_alt_name, names.c_str());
  ::X509_sign(made.get(), pair.get(), ::EVP_sha256());
  owned<BIO, ::BIO_free_all> const out(::BIO_new(::BIO_s_mem())), secret(::BIO_new(::BIO_s_mem()));
  ::PEM_write_bio_X509(out.get(), made.get());
  ::PEM_write_bio_PrivateKey(secret.get(), pair.get(), nullptr, nullptr, 0, nullptr, nullptr);
  chain = text_of(out.get());
  key = text_of(secret.get());
}

}  // namespace weir::test
