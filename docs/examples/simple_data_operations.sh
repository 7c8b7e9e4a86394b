#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Reads, inserts, updates and deletes rows of the table Deps, as the vendor's sample SimpleDataOperations does.
#
#     simple_data_operations.sh ENDPOINT
set -eu

endpoint=$1

show() {
    relctl table get "$endpoint" Deps --select DepName,DepPhone "$@"
}

echo 'Departments:'
show --sort DepName

# The server makes the key. The command prints it, as in: inserted Deps DepId=5
key=$(relctl table insert "$endpoint" Deps DepName=Security DepPhone=555)
key=${key##*=}
echo 'Inserted:'
show --where "DepId = $key"

relctl table update "$endpoint" Deps "$key" DepName='Night watch' DepPhone:=null
echo 'Updated:'
show --where "DepId = $key"

relctl table delete "$endpoint" Deps "$key"
echo "Left: $(relctl table count "$endpoint" Deps)"
