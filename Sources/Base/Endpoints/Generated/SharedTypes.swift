// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from these interfaces. Change their files, then run `make generate`.
// org.relativityd.Manager
// org.relativityd.Registry
// org.relativityd.Credentials
// org.relativityd.Broker
// org.relativityd.Audit
// org.relativityd.Adapters

public import JSON

/// The reason why a source is down: a code, and the values that belong to it. Other values are absent.
public struct SourceFault: JSONRecord {
    public enum Code: String, JSONWord {
        case etcdError, notStarted, noThread, avahiNotRunning, avahiNotAnswering, avahiLost, avahiDenied, avahiError
        case busUnreachable, busDenied, dnsNoServer, dnsSilent, dnsError, dnsMalformed, etcdUnreachable, etcdSilent
        case etcdClosed, etcdTooLarge, etcdMalformed, etcdHistoryLost, etcdPasswordRefused, etcdUserNeeded
        case etcdWithoutUsers, etcdReadDenied, etcdFileUnusable
    }

    public var code: Code
    public var servers: [String]
    public var user: String?
    public var path: String?
    public var number: Int64?
    public var detail: String?

    public init(
        code: Code,
        servers: [String],
        user: String? = nil,
        path: String? = nil,
        number: Int64? = nil,
        detail: String? = nil
    ) {
        self.code = code
        self.servers = servers
        self.user = user
        self.path = path
        self.number = number
        self.detail = detail
    }

    public static let members: [JSONMember<Self>] = [
        .init("code", \.code), .init("servers", \.servers), .init("user", \.user), .init("path", \.path),
        .init("number", \.number), .init("detail", \.detail),
    ]
}

/// A source of announcements.
public struct SourceStatus: JSONRecord {
    public enum State: String, JSONWord {
        case up, down
    }

    public var name: String
    public var state: State
    public var fault: SourceFault?
    public var settled: Bool
    public var upSeconds: Int64?
    public var heardSecondsAgo: Int64?

    public init(
        name: String,
        state: State,
        fault: SourceFault? = nil,
        settled: Bool,
        upSeconds: Int64? = nil,
        heardSecondsAgo: Int64? = nil
    ) {
        self.name = name
        self.state = state
        self.fault = fault
        self.settled = settled
        self.upSeconds = upSeconds
        self.heardSecondsAgo = heardSecondsAgo
    }

    public static let members: [JSONMember<Self>] = [
        .init("name", \.name), .init("state", \.state), .init("fault", \.fault), .init("settled", \.settled),
        .init("upSeconds", \.upSeconds), .init("heardSecondsAgo", \.heardSecondsAgo),
    ]
}

/// The state of the vault, as in Credentials.VaultState.
public enum VaultState: String, JSONWord {
    case absent, sealed, unlocked, locked
}

/// The kind of identity of a server: key, its TLS key; ca, its host name, verified by a certificate authority.
public enum ServerTrust: String, JSONWord {
    case key, ca
}

/// The reason for a state or for the result of a probe: a code, and the values that belong to it. Other values are absent.
public struct StateReason: JSONRecord {
    public enum Code: String, JSONWord {
        case error, connectError, connectTimeout, noConnection, noAnswer, closed, brokenOff, spokeFirst, tlsFailed
        case noKey, overloaded, noAddress, addressRefused, noInterface, lookUpFailed, lookUpTimeout, noListener
        case notListed, vanished, nameTaken, otherUser, otherKey, otherIdentity, notVouched, tlsGone, tlsNow, otherPlace
        case otherInterface, pinDamaged
    }

    public var code: Code
    public var host: String?
    public var port: Int64?
    public var shown: String?
    public var path: String?
    public var errno: Int64?
    public var detail: String?

    public init(
        code: Code,
        host: String? = nil,
        port: Int64? = nil,
        shown: String? = nil,
        path: String? = nil,
        errno: Int64? = nil,
        detail: String? = nil
    ) {
        self.code = code
        self.host = host
        self.port = port
        self.shown = shown
        self.path = path
        self.errno = errno
        self.detail = detail
    }

    public static let members: [JSONMember<Self>] = [
        .init("code", \.code), .init("host", \.host), .init("port", \.port), .init("shown", \.shown),
        .init("path", \.path), .init("errno", \.errno), .init("detail", \.detail),
    ]
}

/// How a server came into the list. discovered: only announced. manual: added by the user. imported: added from a
/// .relativityClient file. configured: added by the administrator.
public enum Origin: String, JSONWord {
    case discovered, manual, imported, configured
}

/// unknown: neither announced nor contacted yet. announced: a source announces it, and it was not contacted yet. stale: it
/// was announced, and its source is down or has not reported yet. reachable: the last call or probe reached it.
/// unreachable: the last call or probe failed. conflict: another server has its name, or it does not match its pin.
public enum EndpointState: String, JSONWord {
    case unknown, announced, stale, reachable, unreachable, conflict
}

/// The proof that a server must give before a password is sent to it. tlsKey: a TLS key. authority: a certificate for a
/// host, from a trusted authority. address: nothing, it is plain HTTP at an address. loopback: nothing, it is plain HTTP
/// on this machine.
public enum PinStrength: String, JSONWord {
    case tlsKey, authority, address, loopback
}

/// What a thief who has the disk has to overcome to use a key slot. passphrase: guess the passphrase. recoveryCode: guess
/// 160 random bits. loginKeyring: open the keyring of the desktop. machine: have the machine too, because the key is bound
/// to it. administrator: what the administrator chose. obfuscation: nothing, because the key is on the same disk.
public enum SlotStrength: String, JSONWord {
    case passphrase, recoveryCode, loginKeyring, machine, administrator, obfuscation
}

/// A key slot: one way to open the vault.
public struct VaultSlot: JSONRecord {
    public var id: String
    public var kind: String
    public var label: String
    public var strength: SlotStrength
    public var scryptLog2N: Int64?
    public var created: Int64

    public init(
        id: String,
        kind: String,
        label: String,
        strength: SlotStrength,
        scryptLog2N: Int64? = nil,
        created: Int64
    ) {
        self.id = id
        self.kind = kind
        self.label = label
        self.strength = strength
        self.scryptLog2N = scryptLog2N
        self.created = created
    }

    public static let members: [JSONMember<Self>] = [
        .init("id", \.id), .init("kind", \.kind), .init("label", \.label), .init("strength", \.strength),
        .init("scryptLog2N", \.scryptLog2N), .init("created", \.created),
    ]
}

/// The reason why a key provider does not work: a code, and the values that belong to it. Other values are absent.
public struct ProviderFault: JSONRecord {
    public enum Code: String, JSONWord {
        case error, noProvider, noSlot, keyMissing, keyMalformed, keyDamaged, keyDiffers, noDirectory, systemdMissing
        case systemdUnfit, systemdDenied, systemdError, systemdRefused, systemdNoBlob, systemdNoKey, userUnknown
        case keyUnreadable, keyOfOtherVault, keyOfOtherUser, keyOfOtherTPM, keyNotValidNow, keyNotEncrypted, tpmRefused
        case tpmLocked, noBus, noService, serviceSilent, serviceVanished, serviceRefused, servicePlain, keyringLocked
        case keyringDismissed, keyringUnanswered, keyringNoKey, keyringKeyLength, keyringItemTooLarge, keyringDuplicates
        case keyringNoDefault, keyringTemporary, keyringNotKept, helperNotStarted, helperEnded, helperKilled
        case helperOutdated, helperUnsafe
    }

    public var code: Code
    public var path: String?
    public var number: Int64?
    public var detail: String?

    public init(code: Code, path: String? = nil, number: Int64? = nil, detail: String? = nil) {
        self.code = code
        self.path = path
        self.number = number
        self.detail = detail
    }

    public static let members: [JSONMember<Self>] = [
        .init("code", \.code), .init("path", \.path), .init("number", \.number), .init("detail", \.detail),
    ]
}

/// A place whose anchor was ignored, or to which none could be written: a code, and the values that belong to it. Other
/// values are absent.
public struct AnchorNote: JSONRecord {
    public enum Code: String, JSONWord {
        case malformed, otherVault, wrongTag, unreadable, notKept
    }

    public var code: Code
    public var place: String
    public var fault: ProviderFault?
    public var detail: String?

    public init(code: Code, place: String, fault: ProviderFault? = nil, detail: String? = nil) {
        self.code = code
        self.place = place
        self.fault = fault
        self.detail = detail
    }

    public static let members: [JSONMember<Self>] = [
        .init("code", \.code), .init("place", \.place), .init("fault", \.fault), .init("detail", \.detail),
    ]
}

/// The evidence for the vault's file being the last one that was saved.
public struct AnchorStatus: JSONRecord {
    public enum Verdict: String, JSONWord {
        case unanchored, current, newer, rollbackSuspected, forkSuspected
    }

    public var verdict: Verdict
    public var found: Int64?
    public var known: Int64?
    public var places: [String]
    public var notes: [AnchorNote]

    public init(verdict: Verdict, found: Int64? = nil, known: Int64? = nil, places: [String], notes: [AnchorNote]) {
        self.verdict = verdict
        self.found = found
        self.known = known
        self.places = places
        self.notes = notes
    }

    public static let members: [JSONMember<Self>] = [
        .init("verdict", \.verdict), .init("found", \.found), .init("known", \.known), .init("places", \.places),
        .init("notes", \.notes),
    ]
}

/// Why a login of an imported vault is not the one of its name here. otherIdentity: the endpoint has another pin here.
/// otherEndpoint: the login of this name is for another endpoint. otherUser: its user, domain or schema is different.
/// otherKeys: its userKey or its further keys are different. otherCommand: its password command is different, or one of
/// the two has none. otherPassword: its password is different. vaultChanged: the vault was changed during the import.
public enum ImportConflict: String, JSONWord {
    case otherIdentity, otherEndpoint, otherUser, otherKeys, otherCommand, otherPassword, vaultChanged
}

/// What chose a login, in the order of precedence. named: the caller named it. variable: the caller's preferredLogin.
/// endpoint: it is the default of the endpoint, which Registry.Set sets. global: it is the user's default for all
/// endpoints. onlyOne: there is no other one.
public enum LoginChooser: String, JSONWord {
    case named, variable, endpoint, global, onlyOne
}

/// An observation about an exchange: a code, and the values that belong to it. Other values are absent.
public struct CaptureNote: JSONRecord {
    public enum Code: String, JSONWord {
        case loginOmitted, loginReplyOmitted, bodyUnreadable, bodySecret, headerSecret, bytesOmitted, notMessage
        case message, compressedMessage, sameClientID, zeroClientID, otherClientID, exception, schemaElement
        case schemaNotXML
    }

    public enum Kind: String, JSONWord {
        case message, exception, event, poll, pollResponse
    }

    public var code: Code
    public var kind: Kind?
    public var count: Int64?
    public var text: String?

    public init(code: Code, kind: Kind? = nil, count: Int64? = nil, text: String? = nil) {
        self.code = code
        self.kind = kind
        self.count = count
        self.text = text
    }

    public static let members: [JSONMember<Self>] = [
        .init("code", \.code), .init("kind", \.kind), .init("count", \.count), .init("text", \.text),
    ]
}

/// Why an adapter ended. closed: Close ended it. holderGone: the call that held it ended. expired: its time was over, or it
/// was not used. vaultLocked: the vault was locked. loginForgotten: its login was changed or removed. stopping: the daemon
/// stops.
public enum AdapterCloseReason: String, JSONWord {
    case closed, holderGone, expired, vaultLocked, loginForgotten, stopping
}

/// The place where the chain is broken: a code, and the values that belong to it. Other values are absent.
public struct AuditFault: JSONRecord {
    public enum Code: String, JSONWord {
        case unreadable, changed, foreign, missing, misplaced, replaced, truncated
    }

    public var file: String
    public var line: Int64
    public var code: Code
    public var first: Int64?
    public var last: Int64?
    public var expected: Int64?
    public var found: Int64?

    public init(
        file: String,
        line: Int64,
        code: Code,
        first: Int64? = nil,
        last: Int64? = nil,
        expected: Int64? = nil,
        found: Int64? = nil
    ) {
        self.file = file
        self.line = line
        self.code = code
        self.first = first
        self.last = last
        self.expected = expected
        self.found = found
    }

    public static let members: [JSONMember<Self>] = [
        .init("file", \.file), .init("line", \.line), .init("code", \.code), .init("first", \.first),
        .init("last", \.last), .init("expected", \.expected), .init("found", \.found),
    ]
}

/// The result of a check.
public struct AuditReport: JSONRecord {
    public var lines: Int64
    public var keyed: Int64
    public var unproved: Int64
    public var lost: Int64
    public var first: Int64?
    public var last: Int64?
    public var unclean: [Int64]
    public var fault: AuditFault?

    public init(
        lines: Int64,
        keyed: Int64,
        unproved: Int64,
        lost: Int64,
        first: Int64? = nil,
        last: Int64? = nil,
        unclean: [Int64],
        fault: AuditFault? = nil
    ) {
        self.lines = lines
        self.keyed = keyed
        self.unproved = unproved
        self.lost = lost
        self.first = first
        self.last = last
        self.unclean = unclean
        self.fault = fault
    }

    public static let members: [JSONMember<Self>] = [
        .init("lines", \.lines), .init("keyed", \.keyed), .init("unproved", \.unproved), .init("lost", \.lost),
        .init("first", \.first), .init("last", \.last), .init("unclean", \.unclean), .init("fault", \.fault),
    ]
}
