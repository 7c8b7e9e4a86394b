// SPDX-License-Identifier: Apache-2.0
//
// LD_PRELOAD library that makes one call into libcrypto fail. After failing_crypto_arm(k, late) the k-th call, counted
// from 1, returns failure: without any effect, or, if late, after its complete effect. Calls within libcrypto do not
// count.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/rand.h>
#include <string.h>

static long calls, chosen;
static int is_late;

void failing_crypto_arm(long k, int late) {
    calls = 0;
    chosen = k;
    is_late = late;
}

long failing_crypto_calls(void) { return calls; }

static int is_chosen(void *caller) {
    Dl_info info;
    int is_inner = dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "/libcrypto.so");
    return !is_inner && ++calls == chosen;
}

#define FAILING(type, failure, name, parameters, arguments)             \
    type name parameters {                                              \
        static type(*real) parameters;                                  \
        if (!real) real = (type(*) parameters)dlsym(RTLD_NEXT, #name);  \
        int fails = is_chosen(__builtin_return_address(0));             \
        if (fails && !is_late) return failure;                          \
        type result = real arguments;                                   \
        return fails ? failure : result;                                \
    }

FAILING(const EVP_CIPHER *, NULL, EVP_aes_256_gcm, (void), ())
FAILING(const EVP_MD *, NULL, EVP_sha256, (void), ())
FAILING(EVP_CIPHER_CTX *, NULL, EVP_CIPHER_CTX_new, (void), ())
FAILING(int, 0, EVP_CipherInit_ex2,
        (EVP_CIPHER_CTX *context, const EVP_CIPHER *cipher, const unsigned char *key, const unsigned char *nonce,
         int direction, const OSSL_PARAM *parameters),
        (context, cipher, key, nonce, direction, parameters))
FAILING(int, 0, EVP_CipherUpdate,
        (EVP_CIPHER_CTX *context, unsigned char *output, int *written, const unsigned char *input, int count),
        (context, output, written, input, count))
FAILING(int, 0, EVP_CipherFinal_ex, (EVP_CIPHER_CTX *context, unsigned char *output, int *written),
        (context, output, written))
FAILING(int, 0, EVP_CIPHER_CTX_ctrl, (EVP_CIPHER_CTX *context, int type, int argument, void *pointer),
        (context, type, argument, pointer))
FAILING(EVP_KDF *, NULL, EVP_KDF_fetch, (OSSL_LIB_CTX *library, const char *name, const char *properties),
        (library, name, properties))
FAILING(EVP_KDF_CTX *, NULL, EVP_KDF_CTX_new, (EVP_KDF *kdf), (kdf))
FAILING(int, 0, EVP_KDF_derive,
        (EVP_KDF_CTX *context, unsigned char *key, size_t count, const OSSL_PARAM parameters[]),
        (context, key, count, parameters))
FAILING(EVP_MD_CTX *, NULL, EVP_MD_CTX_new, (void), ())
FAILING(int, 0, EVP_DigestInit_ex2, (EVP_MD_CTX *context, const EVP_MD *type, const OSSL_PARAM *parameters),
        (context, type, parameters))
FAILING(int, 0, EVP_DigestUpdate, (EVP_MD_CTX *context, const void *data, size_t count), (context, data, count))
FAILING(int, 0, EVP_DigestFinal_ex, (EVP_MD_CTX *context, unsigned char *digest, unsigned int *count),
        (context, digest, count))
FAILING(int, 0, EVP_Digest,
        (const void *data, size_t count, unsigned char *digest, unsigned int *size, const EVP_MD *type, ENGINE *engine),
        (data, count, digest, size, type, engine))
FAILING(unsigned char *, NULL, EVP_Q_mac,
        (OSSL_LIB_CTX *library, const char *name, const char *properties, const char *algorithm,
         const OSSL_PARAM *parameters, const void *key, size_t key_count, const unsigned char *data, size_t data_count,
         unsigned char *output, size_t size, size_t *written),
        (library, name, properties, algorithm, parameters, key, key_count, data, data_count, output, size, written))
FAILING(int, 0, RAND_priv_bytes, (unsigned char *buffer, int count), (buffer, count))
