#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# A small editor of orders: their date, and their state by its name.
#
#     order_editor.sh ENDPOINT list
#     order_editor.sh ENDPOINT add CLIENT DATE [PRODUCT=TOTAL]...
#     order_editor.sh ENDPOINT state ORDER STATE
#     order_editor.sh ENDPOINT date ORDER DATE
#
# The table Orders has the fields OrderId, OrderDate, OrderStatus and Client, and OrderDetails the lines of an order.
set -eu

states='New Confirmed Packed Sent Paid'
endpoint=$1
verb=$2
shift 2

# The number of a state.
number() {
    i=1
    for name in $states; do
        if [ "$name" = "$1" ]; then
            echo "$i"
            return
        fi
        i=$((i + 1))
    done
    echo "no state '$1': use one of $states" >&2
    return 64
}

case $verb in
    list)
        relctl table get "$endpoint" Orders --select OrderId,OrderDate,OrderStatus --format csv |
            awk -F, -v states="$states" 'BEGIN { split(states, name, " ") }
                NR > 1 {
                    sub(/\r$/, "", $3)
                    print $1 "  " $2 "  " ($3 in name ? name[$3] : "Unknown state")
                }'
        ;;
    add)
        client=$1
        date=$2
        shift 2
        changes=$(mktemp -d)
        trap 'rm -r "$changes"' EXIT
        set_aside() { relctl table insert "$endpoint" "$@" --pending "$changes/order" --quiet; }
        # The new order has the key -1 until the server makes the real one.
        set_aside Orders OrderDate="$date" OrderStatus=1 Client="$client"
        for line in "$@"; do
            set_aside OrderDetails Order=-1 Product="${line%%=*}" Total="${line#*=}"
        done
        relctl table apply "$endpoint" --pending "$changes/order"
        ;;
    state)
        state=$(number "$2")
        relctl table update "$endpoint" Orders "$1" OrderStatus="$state"
        ;;
    date)
        relctl table update "$endpoint" Orders "$1" OrderDate="$2"
        ;;
    *)
        echo "unknown verb '$verb'" >&2
        exit 64
        ;;
esac
