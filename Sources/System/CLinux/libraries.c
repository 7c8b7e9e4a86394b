// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Only versions are taken from these headers. Nothing here links a library: a program would load it to ask for its
// version.
#if __has_include(<openssl/opensslv.h>)
#include <openssl/opensslv.h>
#endif
#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
#endif
#if __has_include(<expat.h>)
#include <expat.h>
#endif
#if __has_include(<zlib.h>)
#include <zlib.h>
#endif
#if __has_include(<toml++/impl/version.h>)
#include <toml++/impl/version.h>
#endif

#define WORDS(major, minor, patch) #major "." #minor "." #patch
#define NUMBERS(major, minor, patch) WORDS(major, minor, patch)

#ifdef OPENSSL_VERSION_STR
#define LIBCRYPTO_HEADERS OPENSSL_VERSION_STR
#else
#define LIBCRYPTO_HEADERS NULL
#endif
#ifdef SQLITE_VERSION
#define SQLITE_HEADERS SQLITE_VERSION
#else
#define SQLITE_HEADERS NULL
#endif
#ifdef XML_MAJOR_VERSION
#define EXPAT_HEADERS NUMBERS(XML_MAJOR_VERSION, XML_MINOR_VERSION, XML_MICRO_VERSION)
#else
#define EXPAT_HEADERS NULL
#endif
#ifdef ZLIB_VERSION
#define ZLIB_HEADERS ZLIB_VERSION
#else
#define ZLIB_HEADERS NULL
#endif

// The number that OpenSSL_version(3) has for the version without a name and a date.
enum { OPENSSL_VERSION_ONLY = 6 };

static void ask_libcrypto(void *function, char *version, size_t size) {
    snprintf(version, size, "%s", ((const char *(*)(int))function)(OPENSSL_VERSION_ONLY));
}

static void ask_for_text(void *function, char *version, size_t size) {
    snprintf(version, size, "%s", ((const char *(*)(void))function)());
}

// "expat_2.5.0"
static void ask_expat(void *function, char *version, size_t size) {
    const char *text = ((const char *(*)(void))function)();
    const char *number = strchr(text, '_');
    snprintf(version, size, "%s", number ? number + 1 : text);
}

static void ask_dbus(void *function, char *version, size_t size) {
    int major = 0, minor = 0, micro = 0;
    ((void (*)(int *, int *, int *))function)(&major, &minor, &micro);
    snprintf(version, size, "%d.%d.%d", major, minor, micro);
}

static const struct {
    const char *name, *headers, *symbol;
    void (*ask)(void *function, char *version, size_t size);
} libraries[] = {
    {"libcrypto", LIBCRYPTO_HEADERS, "OpenSSL_version", ask_libcrypto},
    {"libavahi-client", NULL, "avahi_client_new", NULL},
    {"libdbus", NULL, "dbus_get_version", ask_dbus},
    {"expat", EXPAT_HEADERS, "XML_ExpatVersion", ask_expat},
    {"zlib", ZLIB_HEADERS, "zlibVersion", ask_for_text},
    {"SQLite", SQLITE_HEADERS, "sqlite3_libversion", ask_for_text},
    {"libsecret", NULL, "secret_service_get", NULL},
};

int relx_library(size_t index, struct relx_library_facts *facts) {
    if (index >= sizeof libraries / sizeof *libraries) return -1;
    *facts = (struct relx_library_facts){.name = libraries[index].name, .headers = libraries[index].headers};
    void *function = dlsym(RTLD_DEFAULT, libraries[index].symbol);
    Dl_info place;
    char path[PATH_MAX];
    if (!function || !dladdr(function, &place) || !realpath(place.dli_fname, path)) return 0;
    snprintf(facts->file, sizeof facts->file, "%s", strrchr(path, '/') + 1);
    if (libraries[index].ask) libraries[index].ask(function, facts->version, sizeof facts->version);
    return 1;
}

const char *relx_toml_version(void) {
#ifdef TOML_LIB_MAJOR
    return NUMBERS(TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH);
#else
    return NULL;
#endif
}
