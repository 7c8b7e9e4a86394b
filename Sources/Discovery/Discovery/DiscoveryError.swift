// SPDX-License-Identifier: Apache-2.0

internal import CAvahi
package import Endpoints

/// Why something could not be asked of Avahi.
package enum DiscoveryError: Error, Hashable {
    case cannotStartLoop(errno: Int32)
    /// A negative number of Avahi's, `AVAHI_ERR_*`.
    case avahi(code: Int32)
    /// No connection to the system bus could be made.
    case noSystemBus
    /// The system bus does not let us in.
    case busDenied
    /// avahi-daemon did not answer for seconds: stopped, or overloaded.
    case notAnswering
    /// Nobody on the bus is avahi-daemon.
    case notRunning
}

extension DiscoveryError: CustomStringConvertible {
    package var description: String {
        if case .cannotStartLoop(let errno) = self {
            "the thread for Avahi cannot be started (errno \(errno))"
        } else {
            "\(fault)"
        }
    }

    /// The same as a fault of the source.
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

/// The codes that decide something: C's anonymous enum arrives as `Int`.
extension DiscoveryError {
    static let disconnected = Int32(AVAHI_ERR_DISCONNECTED)
    static let accessDenied = Int32(AVAHI_ERR_ACCESS_DENIED)
    static let collision = Int32(AVAHI_ERR_COLLISION)
    static let noMemory = Int32(AVAHI_ERR_NO_MEMORY)

    /// It may be over at any moment, without anybody's doing and without a sign: avahi-daemon was lost, or hangs.
    var isPassing: Bool { self == .notAnswering || self == .avahi(code: Self.disconnected) }

    /// The client holds as many objects as avahi-daemon allows, which the administrator may have lowered.
    var isClientFull: Bool { self == .avahi(code: Int32(AVAHI_ERR_TOO_MANY_OBJECTS)) }

    /// What was asked for cannot be, however often it is asked: a name or type that Avahi refuses.
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
