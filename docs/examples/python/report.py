#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A notebook for the package relativity: sums orders with pandas, and edits one. report.py ENDPOINT, for PCTrade"""

# %% The servers
import sys
import relativity

for each in relativity.servers():
    print(ascii(each.name), each.state)
shop = relativity.open(sys.argv[1])

# %% The amount of the orders by status
orders = shop.table("Orders", where="Date < 2011-02-01", sort="Id").to_pandas()
names = shop.table("OrderStatus").to_pandas().set_index("Id")["Name"]
print(orders.groupby("Status")["Amount"].sum().rename(names))

# %% A change in one call, and what the server did
with shop.edit("Orders") as edits:
    edits.update(int(orders["Id"][0]), {"Status": 4})
for change in edits.result.changes:
    print(change.outcome, change.key, change.old, change.new)

# %% A change that is kept until it is applied
with shop.edit("Orders", pending="report") as edits:
    edits.update(int(orders["Id"][1]), {"Status": 5})
print(shop.pending("report").apply().ok)
shop.close()
