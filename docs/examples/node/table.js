#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Prints the rows of a table, one JSON array in each line: table.js ENDPOINT TABLE [PREDICATE]
const [endpoint, table, where] = process.argv.slice(2)
const socket = process.env.RELATIVITYD_DATA_SOCKET || process.env.XDG_RUNTIME_DIR + "/relativityd/data.sock"
const data = require("net").connect(socket)
const parameters = { server: { endpoint }, table, where }
data.write(JSON.stringify({ method: "org.relativityd.Data.Read", parameters, more: true }) + "\0")
let rest = ""
data.setEncoding("utf8").on("data", (part) => {
  const frames = (rest + part).split("\0")
  rest = frames.pop()
  for (const reply of frames.map((frame) => JSON.parse(frame))) {
    if (reply.error) { console.error(reply.error, reply.parameters); process.exit(1) }
    const { fields = [], rows = [] } = reply.parameters
    if (fields.length) console.log(JSON.stringify(fields.map((field) => field.name)))
    for (const row of rows) console.log(JSON.stringify(row))
    if (!reply.continues) data.end()
  }
})
