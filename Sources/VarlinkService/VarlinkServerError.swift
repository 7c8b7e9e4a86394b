// SPDX-License-Identifier: Apache-2.0

public import Varlink

/// The reason why a server could not be created or could not listen.
public enum VarlinkServerError: Error, Hashable {
    case invalidDescription(interface: String, VarlinkDescriptionError)
    /// The interface's name differs from that in its description, or is already used.
    case unusableName(interface: String)
    /// The path is too long for a socket address, empty, or contains a NUL.
    case unusablePath(String)
    /// Another server listens at the path.
    case alreadyServed(path: String)
    /// A file that is not a socket is at the path. It was not removed.
    case notASocket(path: String)
    case system(call: String, errno: Int32)
}

extension VarlinkServerError: CustomStringConvertible {
    /// The error as a fragment of a sentence.
    public var description: String {
        switch self {
        case .invalidDescription(let interface, let error): "description of \(interface): \(error)"
        case .unusableName(let interface): "interface name \(interface) is taken or not that of its description"
        case .unusablePath(let path): "\"\(path)\" cannot be the path of a socket"
        case .alreadyServed(let path): "another server answers at \(path)"
        case .notASocket(let path): "\(path) exists and is no socket"
        case .system(let call, let errno): "\(call) failed with errno \(errno)"
        }
    }
}
