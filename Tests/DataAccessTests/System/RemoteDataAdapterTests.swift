// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import SampleServer
import Testing

@Suite struct RemoteDataAdapterTests {
    @Test("a large table arrives in batches, compressed or not", arguments: [nil, 4096])
    func large(compressingFrom: Int?) async throws {
        try await withSampleService {
            $0.load = 20_000
            $0.compressingFrom = compressingFrom
        } _: { adapter in
            let whole = try await adapter.table(TableRequest("Orders"))
            #expect(whole.rows.count >= 20_000)
            var events = 0
            var rows = 0
            let reply = try await adapter.data([TableRequest("Orders")])
            for try await event in reply {
                events += 1
                guard case .rows(let batch) = event else { continue }
                for index in stride(from: 0, to: batch.count, by: 997) {
                    #expect(batch[index] == whole.rows[rows + index])
                }
                rows += batch.count
            }
            #expect(rows == whole.rows.count && events > 5)
            let progress = reply.progress
            #expect(progress.bytesReceived > 100_000 && progress.bytesReceived == progress.bytesExpected, "\(progress)")
        }
    }

    @Test("a command is executed, with output parameters")
    func commands() async throws {
        try await withSampleService(schema: "Simple") { adapter in
            let role = DataParameter("Role", .text("none"))
            let counted = try await adapter.execute(command: "CountUsers", parameters: [role])
            #expect(counted.outputs == [DataParameter("Count", .integer(0))])
        }
    }
}
