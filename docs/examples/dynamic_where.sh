#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The vendor's sample DynamicWhere: conditions on the table Users, three for the server and two that relctl evaluates.
#
#     dynamic_where.sh ENDPOINT [FORMAT]
#
# ENDPOINT is a server with the schema Simple, discovered or added, that has a login (`relctl connect ENDPOINT`).
# FORMAT is one of `relctl table get`. The notes of relctl, on standard error, say what was not done by the server.
set -eu

case $# in
    1 | 2) server=$1 format=${2:-table} ;;
    *) sed -n 's/^#  *\(dynamic_where\.sh .*\)/usage: \1/p' "$0" >&2 && exit 64 ;;
esac

# users TITLE OPTION...: prints the users that meet a condition.
users() {
    printf '# %s\n' "$1"
    shift
    relctl table get "$server" Users --schema Simple --select Id,Name,Role,Type --sort Id --format "$format" "$@"
}

users 'remote, a clause in XML' --where-xml - <<'XML'
<query xmlns="http://www.remobjects.com/schemas/dataabstract/queries/5.0" version="5.0">
  <where>
    <binaryoperation operator="Equal">
      <field>Type</field>
      <constant type="Integer" null="0">3</constant>
    </binaryoperation>
  </where>
</query>
XML
users 'remote, a predicate' --where "Role CONTAINS 'Manager'"
users 'remote, a compound predicate' --where "(Role == 'Manager' AND Name BEGINSWITH 'J') OR Id IN {20, 22, 24}"
users 'local, case and accents ignored' --local --where "Role CONTAINS[c] 'manager' OR Name BEGINSWITH[cd] 'zoe'"
users 'local, a range and a negation' --local --where "Id BETWEEN {5, 25} AND NOT Type IN {1, 2}"
