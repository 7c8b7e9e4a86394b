// SPDX-License-Identifier: Apache-2.0

internal import CAvahi
package import Endpoints

/// The reason why a call of Avahi failed.
package enum DiscoveryError: Error, Hashable {
    case cannotStartLoop(errno: Int32)
    /// An error code of Avahi, which is negative: `AVAHI_ERR_*`.
    case avahi(code: Int32)
    /// The connection to the system bus failed.
    case noSystemBus
    /// The system bus denied access.
    case busDenied
    /// avahi-daemon did not respond for seconds, because it is stopped or overloaded.
    case notAnswering
    /// avahi-daemon is not on the bus.
    case notRunning
}

extension DiscoveryError: CustomStringConvertible {
    /// The error as a fragment of a sentence.
    package var description: String {
        if case .cannotStartLoop(let errno) = self {
            "the thread for Avahi cannot be started (errno \(errno))"
        } else {
            "\(fault)"
        }
    }

    /// The error as a fault of the source.
    package var fault: SourceFault {
        switch self {
        case .cannotStartLoop(let errno): SourceFault(.noThread, number: Int(errno))
        case .avahi(Self.disconnected): SourceFault(.avahiLost)
        case .avahi(Self.accessDenied): SourceFault(.avahiDenied)
        case .avahi(let code): SourceFault(.avahiError, number: Int(code), detail: Self.text(of: code))
        case .busDenied: SourceFault(.busDenied)
        case .noSystemBus: SourceFault(.busUnreachable)
        case .notAnswering: SourceFault(.avahiNotAnswering)
        case .notRunning: SourceFault(.avahiNotRunning)
        }
    }

    private static func text(of code: Int32) -> String {
        guard let text = avahi_strerror(code) else { return "error \(code)" }
        let message = String(cString: text)
        return message.prefix(1).lowercased() + message.dropFirst()
    }
}

/// The codes on which decisions depend. C's anonymous enum is imported as `Int`.
extension DiscoveryError {
    static let disconnected = Int32(AVAHI_ERR_DISCONNECTED)
    static let accessDenied = Int32(AVAHI_ERR_ACCESS_DENIED)
    static let collision = Int32(AVAHI_ERR_COLLISION)
    static let noMemory = Int32(AVAHI_ERR_NO_MEMORY)

    /// Whether the fault may pass at any moment without a notification: avahi-daemon was lost, or hangs.
    var isPassing: Bool { self == .notAnswering || self == .avahi(code: Self.disconnected) }

    /// Whether the client has as many objects as avahi-daemon allows. The administrator may have lowered that limit.
    var isClientFull: Bool { self == .avahi(code: Int32(AVAHI_ERR_TOO_MANY_OBJECTS)) }

    /// Whether a retry is useless, because Avahi refuses the name or type itself.
    var isRefusal: Bool {
        guard case .avahi(let code) = self else { return false }
        let refusals = [
            AVAHI_ERR_INVALID_DOMAIN_NAME, AVAHI_ERR_INVALID_HOST_NAME, AVAHI_ERR_INVALID_SERVICE_NAME,
            AVAHI_ERR_INVALID_SERVICE_TYPE, AVAHI_ERR_INVALID_RECORD, AVAHI_ERR_INVALID_INTERFACE,
            AVAHI_ERR_INVALID_PROTOCOL, AVAHI_ERR_INVALID_PORT, AVAHI_ERR_IS_PATTERN, AVAHI_ERR_INVALID_KEY,
            AVAHI_ERR_TOO_MANY_ENTRIES, AVAHI_ERR_NOT_PERMITTED,
        ]
        return refusals.contains(Int(code))
    }
}
