#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# writing-verbs.sh RELCTL: runs every verb of relctl that writes, in a sandbox with the server `sample` and its tables
# `Deps` and `Users`. Files that a verb makes where it is told to are in the sandbox's directory.
set -euxo pipefail

readonly out=$RELATIVITYD_HOME/out words='correct horse battery'
mkdir -m 700 "$out" "$out/backup"
cd "$out"
relctl() { "$program" "$@"; }
readonly program=$1

# Servers
relctl add far 10.0.0.9
relctl rename far away
relctl endpoint set away --path /other --read-only on
relctl hide away
relctl unhide away
relctl endpoint export away >away.relativityClient
relctl remove away --yes
relctl endpoint import away.relativityClient --name back
relctl add here http://127.0.0.1:9/bin
pin=$(relctl show here | awk '/^fingerprint/ {print $2}')
relctl endpoint pin here --pin "$pin" --allow-plaintext
relctl endpoint forget here
relctl remove here --yes

# Logins and the default
sample=$(relctl show sample | awk '/^fingerprint/ {print $2}')
relctl login add sample --name second --user simple --domain DASamples --schema Simple --pin "$sample" \
    --allow-plaintext --password-stdin <<<simple
relctl default set second
relctl login rename second third
relctl login edit third --user simple --no-test
relctl login test third
relctl login remove third --yes
relctl default set sample
relctl default unset
relctl default set sample

# The vault
relctl vault slot add --provider passphrase --stdin <<<"$words"
relctl vault lock
relctl vault unlock --provider passphrase --stdin <<<"$words"
relctl vault backup --to "$out/backup"
relctl vault export --out "$out/export" --stdin <<<"$words"
relctl vault import "$out/export" --yes --stdin <<<"$words"

# Adapters and grants
adapter=$(relctl adapter open sample --json | sed 's/.*"id":"\([^"]*\)".*/\1/')
relctl adapter close "$adapter"
relctl adapter run sample -- true
grant=$(relctl grant add --login sample --read-only --json | sed 's/.*"id":"\([^"]*\)".*/\1/')
relctl grant revoke "$grant"

# Tables
relctl table insert sample Deps DepName=New DepPhone=1
relctl table update sample Deps 1 DepPhone=2
relctl table update sample Deps --where 'DepId = 1' DepPhone=3 --yes
relctl table delete sample Deps 4 --yes
VISUAL="sed -i 's/DepPhone = .*/DepPhone = \"4\"/'" relctl table edit sample Deps 1
relctl table get sample Deps --format csv --to deps.csv
relctl table import sample Deps deps.csv
relctl table update sample Deps 1 DepPhone=5 --pending changes
relctl table pending list changes
relctl table apply sample --pending changes
relctl table update sample Deps 1 DepPhone=6 --pending changes
relctl table pending drop changes
relctl table export sample Deps Users --to all.db
relctl table copy sample:Deps sample:Deps --where "DepId < 0"
relctl sql sample 'SELECT * FROM Deps'
relctl schema save sample --to schema.xml
relctl client new client --language python --endpoint sample --table Deps
relctl sqlite new sample.db sample
relctl wire capture sample --out report.txt

# Briefcases and kept tables
relctl briefcase save sample Deps --to deps.briefcase
relctl table import sample Deps deps.csv --pending deps.briefcase
relctl briefcase refresh sample deps.briefcase
relctl briefcase keep sample Deps
relctl briefcase refresh --kept
relctl briefcase unkeep sample Deps
relctl briefcase keep sample Users
