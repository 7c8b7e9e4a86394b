// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import NIOCore
import Platform

/// Opens the sockets of adapters: in the daemon's directories or on a port, within one budget for requests.
struct AdapterSockets: Sendable {
    private let directory: String
    private let grantsDirectory: String
    private let paths: LoopbackPaths?
    private let limits: AdapterLimits
    private let budget: RequestBudget
    private let audit: AuditLog?
    private let loop: any EventLoop

    /// - Parameters:
    ///   - directory: of adapters' sockets.
    ///   - grantsDirectory: of the directories of grants.
    ///   - paths: of configured adapters; nil stores none.
    ///   - audit: the log of processes of other users that connect.
    init(
        directory: String,
        grantsDirectory: String,
        paths: LoopbackPaths?,
        limits: AdapterLimits,
        audit: AuditLog?,
        loop: any EventLoop
    ) {
        self.directory = directory
        self.grantsDirectory = grantsDirectory
        self.paths = paths
        self.limits = limits
        self.audit = audit
        self.loop = loop
        budget = RequestBudget(bytes: limits.totalRequestBytes, loop: loop)
    }

    /// Bytes of the budget that no request holds. On the event loop only.
    var freeRequestBytes: Int { budget.freeBytes }

    func place(of form: AdapterForm, for id: String) throws(PlatformError) -> AdapterListener.Place {
        switch form {
        case .socket: .socket(path: "\(directory)/\(id).sock")
        case .loopback: .loopback(port: 0, path: try LoopbackGate.makePath())
        }
    }

    func place(of configured: ConfiguredAdapter) async throws -> AdapterListener.Place {
        switch configured.place {
        case .socket: return .socket(path: "\(directory)/\(configured.name).sock")
        case .loopback(let port, let path?): return .loopback(port: port, path: path)
        case .loopback(let port, nil):
            let stored = try await paths?.path(of: configured.name)
            return .loopback(port: port, path: try stored ?? LoopbackGate.makePath())
        }
    }

    /// Makes the directory of a grant.
    ///
    /// - Returns: its path.
    func makeDirectory(ofGrant id: String) throws -> String {
        try ProtectedDirectory("\(grantsDirectory)/\(id)", creating: true).path
    }

    func listener(
        at place: AdapterListener.Place,
        answer: @escaping AdapterListener.Answer
    ) async throws -> AdapterListener {
        try await AdapterListener.open(
            at: place,
            limits: limits,
            budget: budget,
            loop: loop,
            audit: audit,
            answer: answer
        )
    }
}
