# SPDX-License-Identifier: Apache-2.0
#
# `make` lists the targets. Each target installs the Debian packages that it needs, and prints them first.

SHELL := /bin/bash
.DELETE_ON_ERROR:

PREFIX ?= /usr/local
export PREFIX DESTDIR

BUILD := .build
STRIPPED := $(BUILD)/stripped
PROGRAMS := relativityd relativityd-secret-service relativityd-data relctl relativity-sample-server
# Enables the tests that `swift test` leaves out (Package.swift).
SYSTEM := RELATIVITYD_SYSTEM_TESTS=1
# The tests under a sanitizer: $(call sanitized,address) or $(call sanitized,thread).
sanitized = $(SYSTEM) RELATIVITYD_SANITIZE=$1 ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=halt_on_error=0
sanitizer = --sanitize $1 --scratch-path $(BUILD)-sanitize-$1
# ThreadSanitizer locks no memory, is too slow for the times of FloodTests and ListingTests and for every bit of a vault, and
# crashes on a random number generator without a size (Package.swift says why): in the probe of the tests with real Avahi
# daemons, and in the sources for DNS and etcd.
skipped-thread := $(addprefix --skip ,SecretTests/locked FloodTests ListingTests ExhaustiveTamperTests AvahiTroubleTests \
    LiveDiscoveryTests DomainStateTests DomainBrowserTests HostileServerTests EtcdStateTests EtcdSourceTests RelistingTests)
# Those with real Avahi daemons are for the threads; they read no bytes here. RowCodeRunTests compiles programs with modules
# that are not built then.
skipped-address := $(addprefix --skip ,AvahiTroubleTests LiveDiscoveryTests FullCacheTests AvahiLoopTests RowCodeRunTests)
SHELL_SCRIPTS = .ci/run $(shell find scripts Tests Benchmarks docs -name '*.sh') $(wildcard Tests/Tools/services/*)

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|'

.PHONY: packages
packages:
	@scripts/requirements.sh build
	@scripts/pin-packages.sh

.PHONY: build
build: packages ## compile everything for debugging
	swift build

.PHONY: extension
extension: ## compile the extension of SQLite
	mkdir -p $(STRIPPED)
	$(CC) -std=gnu11 -O2 -Wall -Wextra -Werror -fPIC -fvisibility=hidden -shared -Wl,-z,relro,-z,now,--build-id=sha1 -s \
	    -o $(STRIPPED)/relativity.so $(sort $(wildcard sqlite/*.c))

.PHONY: release
release: packages extension ## compile for use: optimised, the runtimes of Swift and C++ linked in, stripped
	mkdir -p $(BUILD)/static
	echo 'GROUP ( $(foreach archive,libstdc++.a libgcc_eh.a,$(shell $(CC) -print-file-name=$(archive))) )' >$(BUILD)/static/libstdc++.a
	for program in $(PROGRAMS); do swift build -c release --static-swift-stdlib --product $$program || exit; done
	@scripts/strip.sh $(STRIPPED) $(PROGRAMS)

.PHONY: check
check: packages ## format, shell scripts, types of Python, rules for files and prose, a build in which warnings are errors
	@scripts/requirements.sh check
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Fuzz docs
	shellcheck --external-sources $(SHELL_SCRIPTS)
	mypy --config-file python/pyproject.toml --cache-dir $(BUILD)/mypy python/src Tests/Tools/soak scripts/check-text.py
	scripts/check-text.py
	$(SYSTEM) swift build --build-tests

.PHONY: unit
unit: packages ## run the unit tests in parallel, or those of one MODULE; root runs them as the user nobody
	RELATIVITYD_MODULE=$(MODULE) swift build --build-tests
	RELATIVITYD_MODULE=$(MODULE) Tests/Tools/unit.sh

.PHONY: test
test: unit system ## run all tests

.PHONY: system
system: release ## run the tests with daemons and the release programs, as many suites at once as there are cores
	@scripts/requirements.sh test
	@scripts/python-env.sh
	@scripts/python-env.sh tools
	@scripts/python-env.sh harlequin
	Tests/Tools/check-install.sh
	Tests/Tools/check-units.sh
	PROGRAMS_DIR=$(CURDIR)/$(STRIPPED) Tests/Tools/check-daemon-units.sh
	PROGRAMS_DIR=$(CURDIR)/$(STRIPPED) Tests/Tools/check-daemon-life.sh
	PROGRAMS_DIR=$(CURDIR)/$(STRIPPED) Tests/Tools/check-journal.sh
	PROGRAMS_DIR=$(CURDIR)/$(STRIPPED) Tests/Tools/check-programs.sh
	for probe in random-probe vault-probe; do \
	    swift build -c release --static-swift-stdlib --product $$probe && install $(BUILD)/release/$$probe $(STRIPPED) || exit; done
	$(SYSTEM) swift build --build-tests
	$(SYSTEM) RELATIVITYD_PROGRAMS=$(CURDIR)/$(STRIPPED) Tests/Tools/run_tests.py

.PHONY: python
python: ## build the wheel of the Python package, in .build/python/dist
	@scripts/requirements.sh python
	@scripts/python-env.sh
	scripts/python-wheel.sh $(BUILD)/python/dist

.PHONY: client-check
client-check: packages ## build the programs of `relctl client new` as packages, and run them
	@scripts/requirements.sh test
	@scripts/python-env.sh
	$(SYSTEM) swift build --build-tests
	$(SYSTEM) RELATIVITYD_CLIENT_BUILD=1 Tests/Tools/alone.sh swift test --skip-build --no-parallel --filter ClientCommandTests

.PHONY: sanitize
sanitize: sanitize-address sanitize-thread ## run tests of modules under AddressSanitizer, then under ThreadSanitizer

.PHONY: sanitize-address sanitize-thread
sanitize-address sanitize-thread: sanitize-%: packages
	@scripts/requirements.sh test
	@scripts/python-env.sh
	$(call sanitized,$*) swift build --product relativitydPackageTests $(call sanitizer,$*)
	$(call sanitized,$*) Tests/Tools/alone.sh swift test --skip-build --no-parallel $(call sanitizer,$*) $(skipped-$*)

.PHONY: soak
soak: release ## run clients, kills and churn together for MINUTES (60), then the tests that count attempts at full length
	@scripts/requirements.sh test
	@scripts/python-env.sh
	swift build -c release --static-swift-stdlib --product random-probe
	install $(BUILD)/release/random-probe $(STRIPPED)
	Tests/Tools/alone.sh python3 Tests/Tools/soak --programs $(STRIPPED) --minutes $(or $(MINUTES),60) --report $(BUILD)/soak.md
	[ ! -d $(BUILD)-fuzz ] || scripts/fuzz.sh $(or $(MINUTES),60)
	$(SYSTEM) swift build --build-tests
	$(SYSTEM) RELATIVITYD_SOAK=1 RELATIVITYD_PROGRAMS=$(CURDIR)/$(STRIPPED) Tests/Tools/alone.sh swift test --no-parallel --filter 'CrashTests|CredentialsTests|RegistryTests|AvahiTroubleTests|FullCacheTests|FloodTests|RogueLANTests|FaultInjectionTests'

.PHONY: demo
demo: release ## show discovery, login and adapter with the real programs, in network namespaces
	@scripts/requirements.sh demo
	@scripts/python-env.sh
	scripts/demo.sh

.PHONY: deb
deb: release ## make Debian packages and a bill of materials, in .build/packages
	@scripts/requirements.sh package
	scripts/package.sh deb

.PHONY: tarball
tarball: release ## make a tar file of the release programs for other distributions, in .build/packages
	@scripts/requirements.sh package
	scripts/package.sh tarball

.PHONY: package-test
package-test: deb tarball ## check both, and install, upgrade and remove the packages on a new Debian 12
	@scripts/python-env.sh packages
	Tests/Tools/check-packages.sh
	Tests/Tools/check-package-install.sh bookworm

.PHONY: package-check
package-check: package-test ## the same on Debian 13; two builds with the same bytes; C parts for aarch64
	@scripts/requirements.sh package-check
	Tests/Tools/check-package-install.sh trixie
	Tests/Tools/check-cross.sh
	Tests/Tools/check-reproducible.sh

.PHONY: fuzz
fuzz: packages ## run libFuzzer on the parsers of untrusted bytes, FUZZ_SECONDS each (60; 0: read the known inputs)
	scripts/fuzz.sh $(or $(FUZZ_SECONDS),60)

.PHONY: bench
bench: release ## measure speed and size, or the PARTS of it, and compare them with those of the peers
	@scripts/requirements.sh bench
	@scripts/python-env.sh
	for probe in vault-probe registry-probe wire-probe table-probe; do \
	    swift build -c release --static-swift-stdlib --product $$probe || exit; done
	scripts/bench.sh $(PARTS)

.PHONY: generate
generate: packages ## generate the Swift code of the interface descriptions
	scripts/generate.sh

.PHONY: fmt
fmt: ## format the Swift sources in place
	swift format --in-place --parallel --recursive Package.swift Sources Tests Fuzz docs

.PHONY: install
install: ## install for all users under PREFIX (default /usr/local); DESTDIR is honoured
	@scripts/install.sh system

.PHONY: install-user
install-user: ## install for this user under ~/.local and ~/.config
	@scripts/install.sh user

.PHONY: uninstall
uninstall: ## remove the files of install and install-user; data is kept
	@scripts/uninstall.sh

.PHONY: clean
clean: ## remove all build products
	rm -rf $(BUILD) $(BUILD)-fuzz $(BUILD)-sanitize*
