// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import NIOCore
import VarlinkService

/// The options of `relativityd-data serve`.
struct ServeOptions: Hashable {
    static let usage = "relativityd-data serve [--socket PATH] [--idle-seconds NUMBER]"
    private static let idleSeconds = Int64(1)...86_400

    /// The path of the socket to make; nil to use the one that systemd passed.
    private(set) var socket: String?
    private var seconds: Int64?

    /// - Throws: `ServeError.usage`.
    init(_ arguments: ArraySlice<String>) throws(ServeError) {
        var rest = arguments
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw .usage("'\(Printable(argument))' is unknown, or has no value")
            }
            switch parts[0] {
            case "--socket" where !value.isEmpty: socket = value
            case "--idle-seconds":
                guard let number = Int64(value), Self.idleSeconds.contains(number) else {
                    throw .usage("--idle-seconds is a number from 1 to 86400")
                }
                seconds = number
            default: throw .usage("unknown option '\(Printable(argument))'")
            }
        }
    }

    /// The time without a connection after which the process ends; nil for never. systemd starts a process again, and
    /// nothing starts one that has made its socket itself.
    var idleTime: TimeAmount? { seconds.map { .seconds($0) } ?? (socket == nil ? .seconds(60) : nil) }

    /// - Parameter passed: the socket of systemd.
    /// - Throws: `ServeError.noSocket`.
    func place(_ passed: Int32?) throws(ServeError) -> ServePlace {
        if let socket { return .path(socket) }
        guard let passed else { throw .noSocket }
        return .passed(passed)
    }
}

/// Where the service listens.
enum ServePlace: Hashable {
    /// On a descriptor that already listens.
    case passed(Int32)
    /// At a path, with mode 0600.
    case path(String)

    /// - Throws: `ServeError.socket`.
    func listen(_ server: VarlinkServer) async throws {
        switch self {
        case .passed(let descriptor): try await server.listen(descriptor: descriptor)
        case .path(let path):
            do {
                try await server.listen(path: path)
            } catch VarlinkServerError.system(_, let errno) {
                throw ServeError.socket(path: path, reason: String(cString: strerror(errno)))
            } catch let error as VarlinkServerError {
                throw ServeError.socket(path: path, reason: "\(error)")
            }
        }
    }

    /// Removes a socket that this process has made.
    func removeSocket() {
        if case .path(let path) = self { unlink(path) }
    }
}

/// The reason why the service cannot start.
enum ServeError: Error, CustomStringConvertible {
    case noSocket
    case socket(path: String, reason: String)
    case usage(String)

    /// The exit status of sysexits(3).
    var exitStatus: Int32 { if case .socket = self { EXIT_FAILURE } else { 64 } }

    var description: String {
        switch self {
        case .noSocket:
            "systemd passed no socket: start relativityd-data.socket, or use 'relativityd-data serve --socket PATH'"
        case .socket(let path, let reason): "cannot listen on \(Printable(path)): \(reason)"
        case .usage(let reason): "\(reason); usage: \(ServeOptions.usage)"
        }
    }
}
