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
        do {
            return try await rows(request)
        } catch let failure as ApplyFailure {
            throw failure
        } catch {
            throw .unreadable("\(error)")
        }
    }

    /// Does the same, and throws the errors of the adapter, also those of the daemon, as they are.
    ///
    /// - Throws: `DataAdapterError`; `ApplyFailure`.
    func rows(_ request: RowRequest) async throws -> RowReading {
        do {
            return try await selected(request)
        } catch let error as DataAdapterError {
            throw error
        } catch is CancellationError {
            throw ApplyFailure.notSent(AdapterChangeServer.interruption)
        } catch {
            throw ApplyFailure.unreadable("\(error)")
        }
    }

    /// Selects rows at the server; here, if it is not known to do so and refuses.
    private func selected(_ request: RowRequest) async throws -> RowReading {
        let capabilities = reader.options.isLocal ? [] : reader.features.whereCapabilities
        let mayFallBack = !capabilities.isEmpty && !reader.features.has(.where) && !reader.options.serverOnly
        do {
            return try await server(capabilities).rows(request)
        } catch let error as DataAdapterError where error.isRefusal && mayFallBack {
            return try await server([]).rows(request)
        }
    }

    package func update(_ deltas: DeltaStream) async throws(ApplyFailure) -> DeltaStream {
        try await server([]).update(deltas)
    }

    private func server(_ capabilities: WhereCapabilities) -> AdapterChangeServer {
        AdapterChangeServer(reader.adapter, capabilities: capabilities, mostBytes: mostBytes)
    }
}
