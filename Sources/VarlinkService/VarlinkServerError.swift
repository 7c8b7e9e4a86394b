// SPDX-License-Identifier: Apache-2.0

public import Varlink

/// Why a server could not be made or could not listen.
public enum VarlinkServerError: Error, Hashable {
    case invalidDescription(interface: String, VarlinkDescriptionError)
    /// The interface's name is not that of its description, or is taken.
    case unusableName(interface: String)
    /// Too long for a socket address, empty, or holding a NUL.
    case unusablePath(String)
    /// Another server answers at the path.
    case alreadyServed(path: String)
    /// Something that is no socket is in the way; it was left there.
    case notASocket(path: String)
    case system(call: String, errno: Int32)
}

extension VarlinkServerError: CustomStringConvertible {
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
