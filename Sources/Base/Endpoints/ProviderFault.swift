// SPDX-License-Identifier: Apache-2.0

/// The fault as a sentence fragment, for errors of the daemon and for relctl.
extension ProviderFault: CustomStringConvertible {
    /// The fault as a sentence fragment.
    public var description: String {
        switch code {
        case .error: detail ?? "unknown reason"
        case .noProvider: "this daemon has no such provider"
        case .noSlot: "the vault has no such key slot"
        case .keyMissing: "there is no '\(place)'"
        case .keyMalformed: "'\(place)' holds neither 32 bytes nor 64 hexadecimal digits and a line feed"
        case .keyDamaged: "'\(place)' is damaged"
        case .keyDiffers: "the key was not read back as written"
        case .noDirectory: "CREDENTIALS_DIRECTORY is not set; add LoadCredential=\(detail ?? "") to the unit"
        case .helperNotStarted: explained("cannot start '\(place)'")
        case .helperEnded: "its helper ended with status \(number ?? 0) and no answer"
        case .helperKilled: "its helper was ended by signal \(number ?? 0)"
        case .helperOutdated: "its helper has another version than the daemon; restart the daemon"
        case .helperUnsafe: explained("its helper has no locked memory for a key")
        default: sentenceOfSystemd ?? sentenceOfKeyring
        }
    }

    private var sentenceOfSystemd: String? {
        switch code {
        case .systemdMissing: "nothing listens on '\(place)'; systemd 256 or later is required"
        case .systemdUnfit: "the service at '\(place)' does not have io.systemd.Credentials"
        case .systemdDenied: "polkit does not permit it"
        case .systemdError: "systemd failed with errno \(number.map { "\($0)" } ?? "unknown")"
        case .systemdRefused: "systemd refused it with \(detail ?? "no reason")"
        case .systemdNoBlob: "systemd returned no encrypted key"
        case .systemdNoKey: "systemd did not return a key of \(Counted(number ?? 0, "byte"))"
        case .userUnknown: "systemd does not know this user"
        case .keyUnreadable: "the stored key is damaged, or was made on another machine"
        case .keyOfOtherVault: "the stored key belongs to another vault"
        case .keyOfOtherUser: "the stored key belongs to another user"
        case .keyOfOtherTPM: "the stored key belongs to another TPM"
        case .keyNotValidNow: "the stored key is not valid at this time"
        case .keyNotEncrypted: "the stored key is not encrypted"
        case .tpmRefused: "the TPM does not release the key after this boot"
        case .tpmLocked: "the TPM is locked after too many wrong attempts; wait, then try again"
        default: nil
        }
    }

    private var sentenceOfKeyring: String {
        switch code {
        case .noBus: explained("there is no session bus")
        case .noService: explained("no Secret Service runs on the session bus")
        case .serviceSilent: "the Secret Service did not answer \(number.map { "within \(Self.time($0))" } ?? "a call")"
        case .serviceVanished: "the Secret Service exited during a call"
        case .serviceRefused: explained("the Secret Service refused")
        case .servicePlain: "the Secret Service does not encrypt data on the bus"
        case .keyringLocked: "the keyring is locked"
        case .keyringDismissed: "the keyring is locked: its password was not given"
        case .keyringUnanswered:
            "the keyring's password prompt was not answered within \(Self.time(number ?? 0))"
        case .keyringNoKey: "the keyring has no key for this vault; was it deleted?"
        case .keyringKeyLength: "the keyring's key is \(Counted(number ?? 0, "byte")) long, not 32"
        case .keyringItemTooLarge: "the keyring's item is too large for a key of relativityd"
        case .keyringDuplicates:
            "the keyring has several items for this vault; remove the wrong one with the keyring's program"
        case .keyringNoDefault: "there is no default keyring; create one with the desktop's password program"
        case .keyringTemporary: "the default keyring is deleted at the end of the session"
        case .keyringNotKept: "the Secret Service did not keep what was stored"
        default: code.rawValue
        }
    }

    private var place: Printable { Printable(path ?? "") }

    /// Returns the sentence, followed by the untrusted text of `detail` if there is one.
    private func explained(_ sentence: String) -> String { detail.map { "\(sentence) (\($0))" } ?? sentence }

    private static func time(_ milliseconds: Int64) -> String {
        milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
}
