// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import Varlink

/// The reason why systemd did not encrypt or decrypt, as text for people.
struct SystemdCredsRefusal: CustomStringConvertible {
    let description: String

    init(_ error: VarlinkError) {
        description =
            switch error.name {
            case "org.varlink.service.PermissionDenied", "io.systemd.InteractiveAuthenticationRequired":
                "polkit does not permit it"
            case "io.systemd.System":
                "systemd failed with errno \((try? error.parameters.integer("errno")).map(String.init) ?? "unknown")"
            case let name where name.hasPrefix("io.systemd.Credentials."):
                Self.reason(String(name.dropFirst("io.systemd.Credentials.".count)))
            case let name:
                "systemd refused it with \(Printable(name))"
            }
    }

    private static func reason(_ error: String) -> String {
        switch error {
        case "BadFormat": "the stored key is damaged, or was made on another machine"
        case "NameMismatch": "the stored key belongs to another vault"
        case "TimeMismatch": "the stored key is not valid at this time"
        case "NoSuchUser": "systemd does not know this user"
        case "BadScope": "the stored key belongs to another user"
        case "CantFindPCRSignature", "UnexpectedPCRState": "the TPM does not release the key after such a start"
        case "NullKeyNotAllowed": "the stored key is not encrypted"
        case "KeyBelongsToOtherTPM": "the stored key belongs to another TPM"
        case "TPMInDictionaryLockout": "the TPM is locked after too many wrong attempts; wait, then try again"
        default: "systemd refused it with \(Printable(error))"
        }
    }
}
