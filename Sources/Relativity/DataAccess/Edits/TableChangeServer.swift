// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// The server of a reader, for an apply. If the server takes no conditions, complete tables are read.
package struct TableChangeServer: ChangeServer {
    private let reader: TableReader
    private let mostBytes: Int

    /// Creates a server.
    ///
    /// - Parameter mostBytes: the maximum bytes of the rows of one reading.
    package init(_ reader: TableReader, mostBytes: Int = AdapterChangeServer.standardBytes) {
        self.reader = reader
        self.mostBytes = mostBytes
    }

    package func read(_ request: RowRequest) async throws(ApplyFailure) -> RowReading {
        let capabilities = reader.options.isLocal ? [] : reader.features.whereCapabilities
        guard !capabilities.isEmpty, !reader.features.has(.where), !reader.options.serverOnly else {
            return try await server(capabilities).read(request)
        }
        do {
            return try await server(capabilities).rows(request)
        } catch let error as DataAdapterError where error.isRefusal {
            return try await server([]).read(request)
        } catch is CancellationError {
            throw .notSent(AdapterChangeServer.interruption)
        } catch {
            throw .unreadable("\(error)")
        }
    }

    package func update(_ deltas: DeltaStream) async throws(ApplyFailure) -> DeltaStream {
        try await server([]).update(deltas)
    }

    private func server(_ capabilities: WhereCapabilities) -> AdapterChangeServer {
        AdapterChangeServer(reader.adapter, capabilities: capabilities, mostBytes: mostBytes)
    }
}
