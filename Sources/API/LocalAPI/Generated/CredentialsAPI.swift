// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Credentials.varlink. Change that file, then run `make generate`.

public import JSON
public import Varlink

/// The vault and the logins in it. No call returns a password, and no parameter contains one. The parameter "login", here
/// and in the other interfaces, takes the name of a login, or the beginning of a name that only one login has.
///
/// A secret follows a method that is called with "upgrade". The daemon sends an empty reply, or an error that ends the
/// call. Then the caller sends the secret: its length (u32, little-endian) and its raw bytes. Then the daemon sends the
/// final reply and closes the connection. If a method takes several secrets, they follow each other.
public enum CredentialsAPI {
    /// The interface's name.
    public static let name = "org.relativityd.Credentials"

    /// The methods.
    public enum Method: String, Sendable, CaseIterable {
        case getStatus = "org.relativityd.Credentials.GetStatus"
        case listProviders = "org.relativityd.Credentials.ListProviders"
        case `init` = "org.relativityd.Credentials.Init"
        case unlock = "org.relativityd.Credentials.Unlock"
        case addSlot = "org.relativityd.Credentials.AddSlot"
        case removeSlot = "org.relativityd.Credentials.RemoveSlot"
        case rewrapSlot = "org.relativityd.Credentials.RewrapSlot"
        case labelSlot = "org.relativityd.Credentials.LabelSlot"
        case changePassphrase = "org.relativityd.Credentials.ChangePassphrase"
        case rotateKey = "org.relativityd.Credentials.RotateKey"
        case lock = "org.relativityd.Credentials.Lock"
        case accept = "org.relativityd.Credentials.Accept"
        case upgrade = "org.relativityd.Credentials.Upgrade"
        case listLogins = "org.relativityd.Credentials.ListLogins"
        case addLogin = "org.relativityd.Credentials.AddLogin"
        case editLogin = "org.relativityd.Credentials.EditLogin"
        case testLogin = "org.relativityd.Credentials.TestLogin"
        case removeLogin = "org.relativityd.Credentials.RemoveLogin"
        case listPins = "org.relativityd.Credentials.ListPins"
        case pinEndpoint = "org.relativityd.Credentials.PinEndpoint"
        case repinEndpoint = "org.relativityd.Credentials.RepinEndpoint"
        case forgetPin = "org.relativityd.Credentials.ForgetPin"
        case backup = "org.relativityd.Credentials.Backup"
        case restore = "org.relativityd.Credentials.Restore"
        case export = "org.relativityd.Credentials.Export"
        case `import` = "org.relativityd.Credentials.Import"
    }

    /// The kind of identity of a server, as in Registry.Trust.
    public enum Trust: String, JSONWord {
        case key
        case ca
    }

    /// The strength of a pin, as in Registry.PinStrength.
    public enum PinStrength: String, JSONWord {
        case tlsKey
        case authority
        case address
        case loopback
    }

    /// What a thief who has the disk has to overcome to use a key slot. passphrase: guess the passphrase. recoveryCode: guess
    /// 160 random bits. loginKeyring: open the keyring of the desktop. machine: have the machine too, because the key is bound
    /// to it. administrator: what the administrator chose. obfuscation: nothing, because the key is on the same disk.
    public enum SlotStrength: String, JSONWord {
        case passphrase
        case recoveryCode
        case loginKeyring
        case machine
        case administrator
        case obfuscation
    }

    /// A key slot: one way to open the vault.
    public struct Slot: JSONRecord {
        /// The ID, which methods take as slot. They also take the label, if only one slot has it.
        public var id: String
        /// The key provider: passphrase, recovery-code, or one that stores a key outside the vault.
        public var kind: String
        /// The name that the user gave.
        public var label: String
        /// What protects the slot at rest.
        public var strength: CredentialsAPI.SlotStrength
        /// The base-2 logarithm of scrypt's N: the cost of a guess. Absent if the slot has no passphrase.
        public var scryptLog2N: Int64?
        /// When it was made, in seconds since 1970.
        public var created: Int64

        public init(
            id: String,
            kind: String,
            label: String,
            strength: CredentialsAPI.SlotStrength,
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

        public init(json: JSONObject) throws(JSONShapeError) {
            self.id = try json.read("id")
            self.kind = try json.read("kind")
            self.label = try json.read("label")
            self.strength = try json.read("strength")
            self.scryptLog2N = try json.readIfPresent("scryptLog2N")
            self.created = try json.read("created")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("id", self.id)
            output.writeMember("kind", self.kind)
            output.writeMember("label", self.label)
            output.writeMember("strength", self.strength)
            output.writeMember("scryptLog2N", ifPresent: self.scryptLog2N)
            output.writeMember("created", self.created)
        }
    }

    /// The reason why a key provider does not work: a code, and the values that belong to it. Other values are absent.
    public struct ProviderFault: JSONRecord {
        public enum Code: String, JSONWord {
            case error
            case noProvider
            case noSlot
            case keyMissing
            case keyMalformed
            case keyDamaged
            case keyDiffers
            case noDirectory
            case systemdMissing
            case systemdUnfit
            case systemdDenied
            case systemdError
            case systemdRefused
            case systemdNoBlob
            case systemdNoKey
            case userUnknown
            case keyUnreadable
            case keyOfOtherVault
            case keyOfOtherUser
            case keyOfOtherTPM
            case keyNotValidNow
            case keyNotEncrypted
            case tpmRefused
            case tpmLocked
            case noBus
            case noService
            case serviceSilent
            case serviceVanished
            case serviceRefused
            case servicePlain
            case keyringLocked
            case keyringDismissed
            case keyringUnanswered
            case keyringNoKey
            case keyringKeyLength
            case keyringItemTooLarge
            case keyringDuplicates
            case keyringNoDefault
            case keyringTemporary
            case keyringNotKept
            case helperNotStarted
            case helperEnded
            case helperKilled
            case helperOutdated
            case helperUnsafe
        }

        /// error: an error, which is in detail. noProvider: the daemon has no such provider. noSlot: the vault has no key slot for
        /// it. keyMissing: the key's file, path, does not exist. keyMalformed: path holds no key. keyDamaged: path is damaged.
        /// keyDiffers: what was read back is not what was written. noDirectory: CREDENTIALS_DIRECTORY is not set, and the unit
        /// needs LoadCredential= with the name in detail.
        ///
        /// systemdMissing: nothing listens on the socket path; systemd 256 is needed. systemdUnfit: the service at path does not
        /// have io.systemd.Credentials. systemdDenied: polkit does not permit it. systemdError: systemd failed with the errno in
        /// number, if it is known. systemdRefused: systemd refused it with the error in detail. systemdNoBlob: it returned no
        /// encrypted key. systemdNoKey: it returned no key of number bytes. userUnknown: systemd does not know the user.
        /// keyUnreadable: the stored key is damaged, or was made on another machine. keyOfOtherVault, keyOfOtherUser,
        /// keyOfOtherTPM: it belongs to another vault, user or TPM. keyNotValidNow: it is not valid at this time.
        /// keyNotEncrypted: it is not encrypted. tpmRefused: the TPM does not release it after the way in which the machine
        /// started. tpmLocked: the TPM is locked after too many wrong attempts.
        ///
        /// noBus: there is no session bus. noService: no program on it keeps secrets. serviceSilent: the Secret Service did not
        /// answer, within number milliseconds if that is known. serviceVanished: it ended during a call. serviceRefused: it
        /// refused, for the reason in detail. servicePlain: it does not encrypt secrets on the bus. keyringLocked: the keyring is
        /// locked. keyringDismissed: the user did not give its password. keyringUnanswered: the user did not answer within number
        /// milliseconds. keyringNoKey: it has no key for the vault. keyringKeyLength: its key has number bytes, not 32.
        /// keyringItemTooLarge: its item is too large. keyringDuplicates: it has several items where the vault has one.
        /// keyringNoDefault: there is no default keyring. keyringTemporary: the default keyring is deleted when the session ends.
        /// keyringNotKept: the Secret Service did not keep what was stored. helperNotStarted: the daemon's helper, path, could not
        /// be started, with the errno in number. helperEnded: the helper ended with the status in number. helperKilled: it was
        /// ended by the signal in number. helperOutdated: it is of another version than the daemon. helperUnsafe: it has no safe
        /// place for a key.
        public var code: Code
        /// A file, a socket or a program.
        public var path: String?
        /// An errno, a status, a signal, a number of bytes, or a time in milliseconds.
        public var number: Int64?
        /// A text of the system, of a library or of an error. Foreign text in it is escaped.
        public var detail: String?

        public init(code: Code, path: String? = nil, number: Int64? = nil, detail: String? = nil) {
            self.code = code
            self.path = path
            self.number = number
            self.detail = detail
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.code = try json.read("code")
            self.path = try json.readIfPresent("path")
            self.number = try json.readIfPresent("number")
            self.detail = try json.readIfPresent("detail")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("code", self.code)
            output.writeMember("path", ifPresent: self.path)
            output.writeMember("number", ifPresent: self.number)
            output.writeMember("detail", ifPresent: self.detail)
        }
    }

    /// A key provider, as it is at this moment.
    public struct Provider: JSONRecord {
        /// The name, which Init and AddSlot take as provider.
        public var kind: String
        /// Whether a vault or a slot could be made with it.
        public var available: Bool
        /// Why it is not available. Absent if it is.
        public var reason: CredentialsAPI.ProviderFault?
        /// What would protect the slot at rest.
        public var strength: CredentialsAPI.SlotStrength
        /// Init should be called with it, unless the user wants another one.
        public var proposed: Bool

        public init(
            kind: String,
            available: Bool,
            reason: CredentialsAPI.ProviderFault? = nil,
            strength: CredentialsAPI.SlotStrength,
            proposed: Bool
        ) {
            self.kind = kind
            self.available = available
            self.reason = reason
            self.strength = strength
            self.proposed = proposed
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.kind = try json.read("kind")
            self.available = try json.read("available")
            self.reason = try json.readIfPresent("reason")
            self.strength = try json.read("strength")
            self.proposed = try json.read("proposed")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("kind", self.kind)
            output.writeMember("available", self.available)
            output.writeMember("reason", ifPresent: self.reason)
            output.writeMember("strength", self.strength)
            output.writeMember("proposed", self.proposed)
        }
    }

    /// A place whose anchor was ignored, or to which none could be written: a code, and the values that belong to it. Other
    /// values are absent.
    public struct AnchorNote: JSONRecord {
        public enum Code: String, JSONWord {
            case malformed
            case otherVault
            case wrongTag
            case unreadable
            case notKept
        }

        /// malformed: there is something else in place. otherVault: its anchor belongs to another vault. wrongTag: its anchor was
        /// not made by this vault. unreadable: its anchor could not be read. notKept: the anchor of the last save could not be
        /// written there.
        public var code: Code
        /// memory, file, or the name of a key provider.
        public var place: String
        /// The fault of the key provider, if that is the cause.
        public var fault: CredentialsAPI.ProviderFault?
        /// The text of another error. Foreign text in it is escaped.
        public var detail: String?

        public init(code: Code, place: String, fault: CredentialsAPI.ProviderFault? = nil, detail: String? = nil) {
            self.code = code
            self.place = place
            self.fault = fault
            self.detail = detail
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.code = try json.read("code")
            self.place = try json.read("place")
            self.fault = try json.readIfPresent("fault")
            self.detail = try json.readIfPresent("detail")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("code", self.code)
            output.writeMember("place", self.place)
            output.writeMember("fault", ifPresent: self.fault)
            output.writeMember("detail", ifPresent: self.detail)
        }
    }

    /// The evidence for the vault's file being the last one that was saved.
    public struct Anchor: JSONRecord {
        public enum Verdict: String, JSONWord {
            case unanchored
            case current
            case newer
            case rollbackSuspected
            case forkSuspected
        }

        /// current: it is the recorded file. newer: it was saved after the recorded one. unanchored: there was no record when
        /// it was opened. rollbackSuspected: it is older than the generation in known. forkSuspected: it does not descend from
        /// the recorded file. With one of the last two the vault is read-only, and no login is sent.
        public var verdict: Verdict
        /// The generation of a suspected file, which Accept takes. Absent if it is not suspected.
        public var found: Int64?
        /// The newest recorded generation. Absent if there is no record.
        public var known: Int64?
        /// The places that have the newest record: memory, file, or the name of a key provider.
        public var places: [String]
        /// Places that were ignored, then places that could not be written.
        public var notes: [CredentialsAPI.AnchorNote]

        public init(
            verdict: Verdict,
            found: Int64? = nil,
            known: Int64? = nil,
            places: [String],
            notes: [CredentialsAPI.AnchorNote]
        ) {
            self.verdict = verdict
            self.found = found
            self.known = known
            self.places = places
            self.notes = notes
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.verdict = try json.read("verdict")
            self.found = try json.readIfPresent("found")
            self.known = try json.readIfPresent("known")
            self.places = try json.read("places")
            self.notes = try json.read("notes")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("verdict", self.verdict)
            output.writeMember("found", ifPresent: self.found)
            output.writeMember("known", ifPresent: self.known)
            output.writeMember("places", self.places)
            output.writeMember("notes", self.notes)
        }
    }

    /// A protection of secrets in memory that the kernel refused.
    public struct MemoryRefusal: JSONRecord {
        public enum Call: String, JSONWord {
            case memfdSecret
            case mlock
        }

        /// memfdSecret: memory that neither the swap space nor debuggers of the kernel nor hibernation images hold. mlock: memory
        /// that is not swapped out.
        public var call: Call
        /// The errno of the system call.
        public var errno: Int64

        public init(call: Call, errno: Int64) {
            self.call = call
            self.errno = errno
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.call = try json.read("call")
            self.errno = try json.read("errno")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("call", self.call)
            output.writeMember("errno", self.errno)
        }
    }

    /// The state of the vault.
    public struct Vault: JSONRecord {
        public enum State: String, JSONWord {
            case absent
            case sealed
            case unlocked
            case locked
        }

        /// absent: there is no file. sealed: it has not been opened since the daemon started or the machine slept.
        public var state: State
        /// The path of the file.
        public var path: String
        /// The number of the save, which increases by one with each. Absent if there is no file.
        public var generation: Int64?
        /// The version of the file's format. Absent if there is no file.
        public var format: String?
        /// The key slots.
        public var slots: [CredentialsAPI.Slot]
        /// The ID of the slot that is the easiest to open for a thief who has the disk. The vault is only as strong as that
        /// slot.
        public var weakestSlot: String?
        /// Absent unless it is unlocked.
        public var anchor: CredentialsAPI.Anchor?
        /// The protection of secrets in memory against swapping: memfd_secret, mlock, or swappable if there is none. Absent
        /// unless it is unlocked.
        public var memory: String?
        /// Why memory is not memfd_secret. Empty if it is, and unless the vault is unlocked.
        public var memoryRefusals: [CredentialsAPI.MemoryRefusal]
        /// The number of logins. Absent unless it is unlocked.
        public var logins: Int64?
        /// The time until it locks, in seconds. Absent unless it is unlocked and locks by time.
        public var locksInSeconds: Int64?
        /// Why the file cannot be used. Absent if it can.
        public var problem: String?
        /// The name of the error in problem.
        public var error: String?

        public init(
            state: State,
            path: String,
            generation: Int64? = nil,
            format: String? = nil,
            slots: [CredentialsAPI.Slot],
            weakestSlot: String? = nil,
            anchor: CredentialsAPI.Anchor? = nil,
            memory: String? = nil,
            memoryRefusals: [CredentialsAPI.MemoryRefusal],
            logins: Int64? = nil,
            locksInSeconds: Int64? = nil,
            problem: String? = nil,
            error: String? = nil
        ) {
            self.state = state
            self.path = path
            self.generation = generation
            self.format = format
            self.slots = slots
            self.weakestSlot = weakestSlot
            self.anchor = anchor
            self.memory = memory
            self.memoryRefusals = memoryRefusals
            self.logins = logins
            self.locksInSeconds = locksInSeconds
            self.problem = problem
            self.error = error
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.state = try json.read("state")
            self.path = try json.read("path")
            self.generation = try json.readIfPresent("generation")
            self.format = try json.readIfPresent("format")
            self.slots = try json.read("slots")
            self.weakestSlot = try json.readIfPresent("weakestSlot")
            self.anchor = try json.readIfPresent("anchor")
            self.memory = try json.readIfPresent("memory")
            self.memoryRefusals = try json.read("memoryRefusals")
            self.logins = try json.readIfPresent("logins")
            self.locksInSeconds = try json.readIfPresent("locksInSeconds")
            self.problem = try json.readIfPresent("problem")
            self.error = try json.readIfPresent("error")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("state", self.state)
            output.writeMember("path", self.path)
            output.writeMember("generation", ifPresent: self.generation)
            output.writeMember("format", ifPresent: self.format)
            output.writeMember("slots", self.slots)
            output.writeMember("weakestSlot", ifPresent: self.weakestSlot)
            output.writeMember("anchor", ifPresent: self.anchor)
            output.writeMember("memory", ifPresent: self.memory)
            output.writeMember("memoryRefusals", self.memoryRefusals)
            output.writeMember("logins", ifPresent: self.logins)
            output.writeMember("locksInSeconds", ifPresent: self.locksInSeconds)
            output.writeMember("problem", ifPresent: self.problem)
            output.writeMember("error", ifPresent: self.error)
        }
    }

    /// A login, without its password.
    public struct Login: JSONRecord {
        public enum Origin: String, JSONWord {
            case vault
            case configured
        }

        /// Unique within its origin. If a login of the vault and a configured one have the same name, the configured one is
        /// used.
        public var name: String
        /// vault: the user added it. configured: the administrator configured it. Such a login needs no vault and cannot be
        /// changed.
        public var origin: Origin
        /// The ID of its endpoint.
        public var endpoint: String
        /// The current name of its endpoint. Untrusted. Absent if the endpoint is no longer in the list.
        public var endpointName: String?
        /// The user that it logs in.
        public var user: String
        /// Absent if it has none.
        public var domain: String?
        /// Absent if it has none.
        public var schema: String?
        /// The key of the user in its login string: User Id or User.
        public var userKey: String
        /// The additional keys of its login string. Their values are never returned.
        public var extraKeys: [String]
        /// The strength of its pin.
        public var strength: CredentialsAPI.PinStrength
        /// The authority of its pin, as in Registry.Identity.
        public var authority: String?
        /// The fingerprint that it is bound to.
        public var pin: String
        /// Whether it may be sent over plain HTTP to the pinned address.
        public var allowPlaintext: Bool
        /// Whether the user has verified the server's identity on this machine. If not, no password is sent there.
        public var verified: Bool
        /// When it was added, in seconds since 1970.
        public var created: Int64

        public init(
            name: String,
            origin: Origin,
            endpoint: String,
            endpointName: String? = nil,
            user: String,
            domain: String? = nil,
            schema: String? = nil,
            userKey: String,
            extraKeys: [String],
            strength: CredentialsAPI.PinStrength,
            authority: String? = nil,
            pin: String,
            allowPlaintext: Bool,
            verified: Bool,
            created: Int64
        ) {
            self.name = name
            self.origin = origin
            self.endpoint = endpoint
            self.endpointName = endpointName
            self.user = user
            self.domain = domain
            self.schema = schema
            self.userKey = userKey
            self.extraKeys = extraKeys
            self.strength = strength
            self.authority = authority
            self.pin = pin
            self.allowPlaintext = allowPlaintext
            self.verified = verified
            self.created = created
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.name = try json.read("name")
            self.origin = try json.read("origin")
            self.endpoint = try json.read("endpoint")
            self.endpointName = try json.readIfPresent("endpointName")
            self.user = try json.read("user")
            self.domain = try json.readIfPresent("domain")
            self.schema = try json.readIfPresent("schema")
            self.userKey = try json.read("userKey")
            self.extraKeys = try json.read("extraKeys")
            self.strength = try json.read("strength")
            self.authority = try json.readIfPresent("authority")
            self.pin = try json.read("pin")
            self.allowPlaintext = try json.read("allowPlaintext")
            self.verified = try json.read("verified")
            self.created = try json.read("created")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("name", self.name)
            output.writeMember("origin", self.origin)
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("endpointName", ifPresent: self.endpointName)
            output.writeMember("user", self.user)
            output.writeMember("domain", ifPresent: self.domain)
            output.writeMember("schema", ifPresent: self.schema)
            output.writeMember("userKey", self.userKey)
            output.writeMember("extraKeys", self.extraKeys)
            output.writeMember("strength", self.strength)
            output.writeMember("authority", ifPresent: self.authority)
            output.writeMember("pin", self.pin)
            output.writeMember("allowPlaintext", self.allowPlaintext)
            output.writeMember("verified", self.verified)
            output.writeMember("created", self.created)
        }
    }

    /// An additional key of a login string. A login has up to 16 of them.
    public struct Extra: JSONRecord {
        /// 1 to 64 letters, digits, inner spaces, "_", "-" and ".".
        public var key: String
        /// 1 to 1,024 bytes without control characters. It is no secret: it is not sealed separately.
        public var value: String

        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.key = try json.read("key")
            self.value = try json.read("value")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("key", self.key)
            output.writeMember("value", self.value)
        }
    }

    /// A step of a login test.
    public struct Step: JSONRecord {
        /// pin, login or logout.
        public var step: String
        /// Whether it succeeded.
        public var ok: Bool
        /// The result, for people.
        public var detail: String

        public init(step: String, ok: Bool, detail: String) {
            self.step = step
            self.ok = ok
            self.detail = detail
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.step = try json.read("step")
            self.ok = try json.read("ok")
            self.detail = try json.read("detail")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("step", self.step)
            output.writeMember("ok", self.ok)
            output.writeMember("detail", self.detail)
        }
    }

    /// The pin of an endpoint.
    public struct Pin: JSONRecord {
        /// The ID of the endpoint.
        public var endpoint: String
        /// The strength of the pin.
        public var strength: CredentialsAPI.PinStrength
        /// As in Registry.Identity.
        public var authority: String?
        /// As in Registry.Identity.
        public var fingerprint: String
        /// As in Registry.Identity.
        public var words: String
        /// Whether passwords may be sent over plain HTTP to this address.
        public var allowPlaintext: Bool
        /// Whether the user has verified the identity on this machine. If not, no password is sent there.
        public var verified: Bool
        /// The names of the logins that are bound to it.
        public var logins: [String]

        public init(
            endpoint: String,
            strength: CredentialsAPI.PinStrength,
            authority: String? = nil,
            fingerprint: String,
            words: String,
            allowPlaintext: Bool,
            verified: Bool,
            logins: [String]
        ) {
            self.endpoint = endpoint
            self.strength = strength
            self.authority = authority
            self.fingerprint = fingerprint
            self.words = words
            self.allowPlaintext = allowPlaintext
            self.verified = verified
            self.logins = logins
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
            self.strength = try json.read("strength")
            self.authority = try json.readIfPresent("authority")
            self.fingerprint = try json.read("fingerprint")
            self.words = try json.read("words")
            self.allowPlaintext = try json.read("allowPlaintext")
            self.verified = try json.read("verified")
            self.logins = try json.read("logins")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("strength", self.strength)
            output.writeMember("authority", ifPresent: self.authority)
            output.writeMember("fingerprint", self.fingerprint)
            output.writeMember("words", self.words)
            output.writeMember("allowPlaintext", self.allowPlaintext)
            output.writeMember("verified", self.verified)
            output.writeMember("logins", self.logins)
        }
    }

    /// A login of an imported vault.
    public struct ImportedLogin: JSONRecord {
        public enum Verdict: String, JSONWord {
            case added
            case unchanged
            case conflict
        }

        public enum Reason: String, JSONWord {
            case otherIdentity
            case otherEndpoint
            case otherUser
            case otherKeys
            case otherPassword
            case vaultChanged
        }

        /// Its name.
        public var login: String
        /// The ID that its endpoint has on this machine.
        public var endpoint: String
        /// The name of the endpoint. Absent if it is not known.
        public var name: String?
        /// The URL of the endpoint. Absent if it is not known.
        public var url: String?
        /// added: it is new here, and was added unless this is a dry run. unchanged: the vault has the same login. conflict:
        /// the vault has a different login, which stays unchanged.
        public var verdict: Verdict
        /// The reason of a conflict. otherIdentity: the endpoint has another pin here. otherEndpoint: the login of this name is
        /// for another endpoint. otherUser: its user, domain or schema is different. otherKeys: its userKey or its further keys
        /// are different. otherPassword: its password is different. vaultChanged: the vault was changed during the import. Absent
        /// without a conflict.
        public var reason: Reason?
        /// The user has not agreed to the server's identity on this machine. Until then no password is sent there.
        public var needsAgreement: Bool

        public init(
            login: String,
            endpoint: String,
            name: String? = nil,
            url: String? = nil,
            verdict: Verdict,
            reason: Reason? = nil,
            needsAgreement: Bool
        ) {
            self.login = login
            self.endpoint = endpoint
            self.name = name
            self.url = url
            self.verdict = verdict
            self.reason = reason
            self.needsAgreement = needsAgreement
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.login = try json.read("login")
            self.endpoint = try json.read("endpoint")
            self.name = try json.readIfPresent("name")
            self.url = try json.readIfPresent("url")
            self.verdict = try json.read("verdict")
            self.reason = try json.readIfPresent("reason")
            self.needsAgreement = try json.read("needsAgreement")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("login", self.login)
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("name", ifPresent: self.name)
            output.writeMember("url", ifPresent: self.url)
            output.writeMember("verdict", self.verdict)
            output.writeMember("reason", ifPresent: self.reason)
            output.writeMember("needsAgreement", self.needsAgreement)
        }
    }

    /// Returns the state of the vault. Changes nothing.
    public struct GetStatusCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.GetStatusReply

        public static let method = "org.relativityd.Credentials.GetStatus"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `GetStatusCall`.
    public struct GetStatusReply: JSONRecord {
        public var vault: CredentialsAPI.Vault

        public init(vault: CredentialsAPI.Vault) {
            self.vault = vault
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.vault = try json.read("vault")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("vault", self.vault)
        }
    }

    /// Tries every key provider. Takes as long as the slowest of them.
    public struct ListProvidersCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.ListProvidersReply

        public static let method = "org.relativityd.Credentials.ListProviders"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `ListProvidersCall`.
    public struct ListProvidersReply: JSONRecord {
        public var providers: [CredentialsAPI.Provider]

        public init(providers: [CredentialsAPI.Provider]) {
            self.providers = providers
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.providers = try json.read("providers")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("providers", self.providers)
        }
    }

    /// Makes a vault. Secrets: the passphrase, if that is the provider; then the text of the recovery code, which the caller
    /// has made, if recoveryCode is true. Without any secret it is a plain call.
    public struct InitCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.InitReply

        public static let method = "org.relativityd.Credentials.Init"

        /// The key provider of the first slot.
        public var provider: String
        /// The name of the first slot.
        public var label: String?
        /// Adds a second slot, for a recovery code.
        public var recoveryCode: Bool?
        /// Must be true for the provider key-file, because a thief who has the disk also has the key.
        public var insecureKeyFile: Bool?

        public init(provider: String, label: String? = nil, recoveryCode: Bool? = nil, insecureKeyFile: Bool? = nil) {
            self.provider = provider
            self.label = label
            self.recoveryCode = recoveryCode
            self.insecureKeyFile = insecureKeyFile
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.provider = try json.read("provider")
            self.label = try json.readIfPresent("label")
            self.recoveryCode = try json.readIfPresent("recoveryCode")
            self.insecureKeyFile = try json.readIfPresent("insecureKeyFile")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("provider", self.provider)
            output.writeMember("label", ifPresent: self.label)
            output.writeMember("recoveryCode", ifPresent: self.recoveryCode)
            output.writeMember("insecureKeyFile", ifPresent: self.insecureKeyFile)
        }
    }

    /// A reply to `InitCall`.
    public struct InitReply: JSONRecord {
        public var vault: CredentialsAPI.Vault

        public init(vault: CredentialsAPI.Vault) {
            self.vault = vault
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.vault = try json.read("vault")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("vault", self.vault)
        }
    }

    /// Unlocks the vault. If it is already unlocked, checks whether the secret still opens it. Secret: the passphrase or the
    /// text of the recovery code. A plain call uses a provider that stores a key outside: provider, otherwise the first that
    /// has a slot. Without provider the secret is a passphrase.
    public struct UnlockCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.UnlockReply

        public static let method = "org.relativityd.Credentials.Unlock"

        public var provider: String?

        public init(provider: String? = nil) {
            self.provider = provider
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.provider = try json.readIfPresent("provider")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("provider", ifPresent: self.provider)
        }
    }

    /// A reply to `UnlockCall`.
    public struct UnlockReply: JSONRecord {
        public var vault: CredentialsAPI.Vault

        public init(vault: CredentialsAPI.Vault) {
            self.vault = vault
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.vault = try json.read("vault")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("vault", self.vault)
        }
    }

    /// Adds a key slot to the open vault. provider, label, insecureKeyFile and the secret are those of Init. For
    /// recovery-code the secret is the text of a code that the caller has made.
    public struct AddSlotCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.AddSlotReply

        public static let method = "org.relativityd.Credentials.AddSlot"

        public var provider: String
        public var label: String?
        public var insecureKeyFile: Bool?

        public init(provider: String, label: String? = nil, insecureKeyFile: Bool? = nil) {
            self.provider = provider
            self.label = label
            self.insecureKeyFile = insecureKeyFile
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.provider = try json.read("provider")
            self.label = try json.readIfPresent("label")
            self.insecureKeyFile = try json.readIfPresent("insecureKeyFile")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("provider", self.provider)
            output.writeMember("label", ifPresent: self.label)
            output.writeMember("insecureKeyFile", ifPresent: self.insecureKeyFile)
        }
    }

    /// A reply to `AddSlotCall`.
    public struct AddSlotReply: JSONRecord {
        public var vault: CredentialsAPI.Vault

        public init(vault: CredentialsAPI.Vault) {
            self.vault = vault
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.vault = try json.read("vault")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("vault", self.vault)
        }
    }

    /// Removes a key slot, together with the previous version of the file and the key that its provider stores. Other copies
    /// of the file still open with it.
    public struct RemoveSlotCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.RemoveSlotReply

        public static let method = "org.relativityd.Credentials.RemoveSlot"

        /// The ID or the label of a slot.
        public var slot: String
        /// Also removes the last slot that opens the vault on another machine.
        public var force: Bool?

        public init(slot: String, force: Bool? = nil) {
            self.slot = slot
            self.force = force
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.slot = try json.read("slot")
            self.force = try json.readIfPresent("force")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("slot", self.slot)
            output.writeMember("force", ifPresent: self.force)
        }
    }

    /// A reply to `RemoveSlotCall`.
    public struct RemoveSlotReply: JSONRecord {
        public var vault: CredentialsAPI.Vault
        /// The part that could not be removed. Absent if everything was removed.
        public var note: String?

        public init(vault: CredentialsAPI.Vault, note: String? = nil) {
            self.vault = vault
            self.note = note
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.vault = try json.read("vault")
            self.note = try json.readIfPresent("note")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("vault", self.vault)
            output.writeMember("note", ifPresent: self.note)
        }
    }

    /// Wraps the vault's key again for the same secret, with the current scrypt cost. slot is the ID or the label of a slot.
    /// Secret: the passphrase or recovery code of that slot; a plain call for other slots.
    public struct RewrapSlotCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.RewrapSlotReply

        public static let method = "org.relativityd.Credentials.RewrapSlot"

        public var slot: String

        public init(slot: String) {
            self.slot = slot
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.slot = try json.read("slot")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("slot", self.slot)
        }
    }

    /// A reply to `RewrapSlotCall`.
    public struct RewrapSlotReply: JSONRecord {
        public var vault: CredentialsAPI.Vault

        public init(vault: CredentialsAPI.Vault) {
            self.vault = vault
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.vault = try json.read("vault")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("vault", self.vault)
        }
    }

    /// Renames a slot. slot is its ID or its current label, label is the new one.
    public struct LabelSlotCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.LabelSlotReply

        public static let method = "org.relativityd.Credentials.LabelSlot"

        public var slot: String
        public var label: String

        public init(slot: String, label: String) {
            self.slot = slot
            self.label = label
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.slot = try json.read("slot")
            self.label = try json.read("label")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("slot", self.slot)
            output.writeMember("label", self.label)
        }
    }

    /// A reply to `LabelSlotCall`.
    public struct LabelSlotReply: JSONRecord {
        public var vault: CredentialsAPI.Vault

        public init(vault: CredentialsAPI.Vault) {
            self.vault = vault
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.vault = try json.read("vault")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("vault", self.vault)
        }
    }

    /// Changes a passphrase; the slot stays. Secrets: the old passphrase, then the new one.
    public struct ChangePassphraseCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.ChangePassphraseReply

        public static let method = "org.relativityd.Credentials.ChangePassphrase"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `ChangePassphraseCall`.
    public struct ChangePassphraseReply: JSONRecord {
        public var vault: CredentialsAPI.Vault

        public init(vault: CredentialsAPI.Vault) {
            self.vault = vault
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.vault = try json.read("vault")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("vault", self.vault)
        }
    }

    /// Replaces the vault's data key and seals all secrets again. Every slot with a passphrase or a recovery code must be in
    /// present or in drop. A plain call if present is empty.
    public struct RotateKeyCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.RotateKeyReply

        public static let method = "org.relativityd.Credentials.RotateKey"

        /// The slots whose secrets follow, in this order.
        public var present: [String]
        /// The slots that are removed.
        public var drop: [String]
        /// Also removes the last slot that opens the vault on another machine.
        public var force: Bool?

        public init(present: [String], drop: [String], force: Bool? = nil) {
            self.present = present
            self.drop = drop
            self.force = force
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.present = try json.read("present")
            self.drop = try json.read("drop")
            self.force = try json.readIfPresent("force")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("present", self.present)
            output.writeMember("drop", self.drop)
            output.writeMember("force", ifPresent: self.force)
        }
    }

    /// A reply to `RotateKeyCall`.
    public struct RotateKeyReply: JSONRecord {
        public var vault: CredentialsAPI.Vault
        /// The part that could not be removed. Absent if everything was removed.
        public var note: String?

        public init(vault: CredentialsAPI.Vault, note: String? = nil) {
            self.vault = vault
            self.note = note
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.vault = try json.read("vault")
            self.note = try json.readIfPresent("note")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("vault", self.vault)
            output.writeMember("note", ifPresent: self.note)
        }
    }

    /// Locks the vault: wipes the keys and closes the sessions that used them.
    public struct LockCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.LockReply

        public static let method = "org.relativityd.Credentials.Lock"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `LockCall`.
    public struct LockReply: JSONRecord {
        public var vault: CredentialsAPI.Vault

        public init(vault: CredentialsAPI.Vault) {
            self.vault = vault
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.vault = try json.read("vault")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("vault", self.vault)
        }
    }

    /// Accepts the vault's file although it is suspected. The vault must be unlocked. generation is that of the file, as in
    /// Anchor.found.
    public struct AcceptCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.AcceptReply

        public static let method = "org.relativityd.Credentials.Accept"

        public var generation: Int64

        public init(generation: Int64) {
            self.generation = generation
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.generation = try json.read("generation")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("generation", self.generation)
        }
    }

    /// A reply to `AcceptCall`.
    public struct AcceptReply: JSONRecord {
        public var vault: CredentialsAPI.Vault

        public init(vault: CredentialsAPI.Vault) {
            self.vault = vault
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.vault = try json.read("vault")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("vault", self.vault)
        }
    }

    /// Converts the file to a format that this daemon writes. Each save uses the lowest format that can store the content of
    /// the vault, so today nothing is changed. A file of a later format is an error.
    public struct UpgradeCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.UpgradeReply

        public static let method = "org.relativityd.Credentials.Upgrade"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `UpgradeCall`.
    public struct UpgradeReply: JSONRecord {
        public var vault: CredentialsAPI.Vault

        public init(vault: CredentialsAPI.Vault) {
            self.vault = vault
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.vault = try json.read("vault")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("vault", self.vault)
        }
    }

    /// Returns all logins, sorted by name. Unless the vault is unlocked, only the configured ones; an error if there are
    /// none.
    public struct ListLoginsCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.ListLoginsReply

        public static let method = "org.relativityd.Credentials.ListLogins"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `ListLoginsCall`.
    public struct ListLoginsReply: JSONRecord {
        public var logins: [CredentialsAPI.Login]
        /// Why the logins of the vault are missing. Absent if they are there, or if there is no vault.
        public var missing: String?

        public init(logins: [CredentialsAPI.Login], missing: String? = nil) {
            self.logins = logins
            self.missing = missing
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.logins = try json.read("logins")
            self.missing = try json.readIfPresent("missing")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("logins", self.logins)
            output.writeMember("missing", ifPresent: self.missing)
        }
    }

    /// Adds a login. Secret: the password.
    public struct AddLoginCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.AddLoginReply

        public static let method = "org.relativityd.Credentials.AddLogin"

        public var endpoint: String
        /// The name. The default is user@endpoint. If another account has that name, it is user@endpoint/domain/schema, without
        /// the absent parts.
        public var name: String?
        /// The user that it logs in.
        public var user: String
        /// The domain, if the server needs one.
        public var domain: String?
        /// The schema, if the server needs one.
        public var schema: String?
        /// The key of the user in the login string: "User Id", the default, or "User".
        public var userKey: String?
        /// Additional keys of the login string.
        public var extras: [CredentialsAPI.Extra]?
        /// The fingerprint that the user has verified, from Registry.GetIdentity with the same trust. The endpoint must still
        /// have it.
        public var pin: String
        /// As in Registry.GetIdentity.
        public var trust: CredentialsAPI.Trust?
        /// Permits sending the password unencrypted, to exactly this address.
        public var allowPlaintext: Bool?
        /// false: the login is not tried before it is saved.
        public var test: Bool?

        public init(
            endpoint: String,
            name: String? = nil,
            user: String,
            domain: String? = nil,
            schema: String? = nil,
            userKey: String? = nil,
            extras: [CredentialsAPI.Extra]? = nil,
            pin: String,
            trust: CredentialsAPI.Trust? = nil,
            allowPlaintext: Bool? = nil,
            test: Bool? = nil
        ) {
            self.endpoint = endpoint
            self.name = name
            self.user = user
            self.domain = domain
            self.schema = schema
            self.userKey = userKey
            self.extras = extras
            self.pin = pin
            self.trust = trust
            self.allowPlaintext = allowPlaintext
            self.test = test
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
            self.name = try json.readIfPresent("name")
            self.user = try json.read("user")
            self.domain = try json.readIfPresent("domain")
            self.schema = try json.readIfPresent("schema")
            self.userKey = try json.readIfPresent("userKey")
            self.extras = try json.readIfPresent("extras")
            self.pin = try json.read("pin")
            self.trust = try json.readIfPresent("trust")
            self.allowPlaintext = try json.readIfPresent("allowPlaintext")
            self.test = try json.readIfPresent("test")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("name", ifPresent: self.name)
            output.writeMember("user", self.user)
            output.writeMember("domain", ifPresent: self.domain)
            output.writeMember("schema", ifPresent: self.schema)
            output.writeMember("userKey", ifPresent: self.userKey)
            output.writeMember("extras", ifPresent: self.extras)
            output.writeMember("pin", self.pin)
            output.writeMember("trust", ifPresent: self.trust)
            output.writeMember("allowPlaintext", ifPresent: self.allowPlaintext)
            output.writeMember("test", ifPresent: self.test)
        }
    }

    /// A reply to `AddLoginCall`.
    public struct AddLoginReply: JSONRecord {
        public var login: CredentialsAPI.Login
        /// Whether the password is that of a documented account of the vendor.
        public var samplePassword: Bool

        public init(login: CredentialsAPI.Login, samplePassword: Bool) {
            self.login = login
            self.samplePassword = samplePassword
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.login = try json.read("login")
            self.samplePassword = try json.read("samplePassword")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("login", self.login)
            output.writeMember("samplePassword", self.samplePassword)
        }
    }

    /// Changes a login and closes its sessions. An absent parameter changes nothing. If only the name changes, the login is
    /// not tried and its sessions stay. Secret, if it is called with "upgrade": the new password.
    public struct EditLoginCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.EditLoginReply

        public static let method = "org.relativityd.Credentials.EditLogin"

        /// The current name.
        public var login: String
        /// The new name.
        public var name: String?
        /// Attaches the login to another endpoint. Refused if its own endpoint is in the list.
        public var endpoint: String?
        /// With endpoint, as in AddLogin.
        public var pin: String?
        /// With endpoint, as in AddLogin.
        public var trust: CredentialsAPI.Trust?
        /// With endpoint, as in AddLogin.
        public var allowPlaintext: Bool?
        /// As in AddLogin.
        public var user: String?
        /// As in AddLogin.
        public var domain: String?
        /// As in AddLogin.
        public var schema: String?
        /// As in AddLogin.
        public var userKey: String?
        /// The keys to set. An empty value removes its key.
        public var extras: [CredentialsAPI.Extra]?
        /// false: the login is not tried before it is saved.
        public var test: Bool?

        public init(
            login: String,
            name: String? = nil,
            endpoint: String? = nil,
            pin: String? = nil,
            trust: CredentialsAPI.Trust? = nil,
            allowPlaintext: Bool? = nil,
            user: String? = nil,
            domain: String? = nil,
            schema: String? = nil,
            userKey: String? = nil,
            extras: [CredentialsAPI.Extra]? = nil,
            test: Bool? = nil
        ) {
            self.login = login
            self.name = name
            self.endpoint = endpoint
            self.pin = pin
            self.trust = trust
            self.allowPlaintext = allowPlaintext
            self.user = user
            self.domain = domain
            self.schema = schema
            self.userKey = userKey
            self.extras = extras
            self.test = test
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.login = try json.read("login")
            self.name = try json.readIfPresent("name")
            self.endpoint = try json.readIfPresent("endpoint")
            self.pin = try json.readIfPresent("pin")
            self.trust = try json.readIfPresent("trust")
            self.allowPlaintext = try json.readIfPresent("allowPlaintext")
            self.user = try json.readIfPresent("user")
            self.domain = try json.readIfPresent("domain")
            self.schema = try json.readIfPresent("schema")
            self.userKey = try json.readIfPresent("userKey")
            self.extras = try json.readIfPresent("extras")
            self.test = try json.readIfPresent("test")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("login", self.login)
            output.writeMember("name", ifPresent: self.name)
            output.writeMember("endpoint", ifPresent: self.endpoint)
            output.writeMember("pin", ifPresent: self.pin)
            output.writeMember("trust", ifPresent: self.trust)
            output.writeMember("allowPlaintext", ifPresent: self.allowPlaintext)
            output.writeMember("user", ifPresent: self.user)
            output.writeMember("domain", ifPresent: self.domain)
            output.writeMember("schema", ifPresent: self.schema)
            output.writeMember("userKey", ifPresent: self.userKey)
            output.writeMember("extras", ifPresent: self.extras)
            output.writeMember("test", ifPresent: self.test)
        }
    }

    /// A reply to `EditLoginCall`.
    public struct EditLoginReply: JSONRecord {
        public var login: CredentialsAPI.Login
        /// Whether the password is that of a documented account of the vendor.
        public var samplePassword: Bool

        public init(login: CredentialsAPI.Login, samplePassword: Bool) {
            self.login = login
            self.samplePassword = samplePassword
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.login = try json.read("login")
            self.samplePassword = try json.read("samplePassword")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("login", self.login)
            output.writeMember("samplePassword", self.samplePassword)
        }
    }

    /// Tests a login: connects, checks the pin, logs in and out. A login that the server refused before may be sent again.
    public struct TestLoginCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.TestLoginReply

        public static let method = "org.relativityd.Credentials.TestLogin"

        /// The name of the login.
        public var login: String

        public init(login: String) {
            self.login = login
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.login = try json.read("login")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("login", self.login)
        }
    }

    /// A reply to `TestLoginCall`.
    public struct TestLoginReply: JSONRecord {
        /// The strength of the pin.
        public var strength: CredentialsAPI.PinStrength
        /// The steps that were tried.
        public var steps: [CredentialsAPI.Step]
        /// Whether the password is that of a documented account of the vendor.
        public var samplePassword: Bool
        /// The name of the error that ended the test. Absent if all steps succeeded.
        public var error: String?

        public init(
            strength: CredentialsAPI.PinStrength,
            steps: [CredentialsAPI.Step],
            samplePassword: Bool,
            error: String? = nil
        ) {
            self.strength = strength
            self.steps = steps
            self.samplePassword = samplePassword
            self.error = error
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.strength = try json.read("strength")
            self.steps = try json.read("steps")
            self.samplePassword = try json.read("samplePassword")
            self.error = try json.readIfPresent("error")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("strength", self.strength)
            output.writeMember("steps", self.steps)
            output.writeMember("samplePassword", self.samplePassword)
            output.writeMember("error", ifPresent: self.error)
        }
    }

    /// Removes a login from the vault, which must be unlocked. login is its name.
    public struct RemoveLoginCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.RemoveLoginReply

        public static let method = "org.relativityd.Credentials.RemoveLogin"

        public var login: String

        public init(login: String) {
            self.login = login
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.login = try json.read("login")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("login", self.login)
        }
    }

    /// A reply to `RemoveLoginCall`.
    public struct RemoveLoginReply: JSONRecord {
        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// Returns all pins, ordered by endpoint. The vault must be unlocked.
    public struct ListPinsCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.ListPinsReply

        public static let method = "org.relativityd.Credentials.ListPins"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `ListPinsCall`.
    public struct ListPinsReply: JSONRecord {
        public var pins: [CredentialsAPI.Pin]

        public init(pins: [CredentialsAPI.Pin]) {
            self.pins = pins
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.pins = try json.read("pins")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("pins", self.pins)
        }
    }

    /// Pins an endpoint without a login. pin, trust and allowPlaintext are as in AddLogin.
    public struct PinEndpointCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.PinEndpointReply

        public static let method = "org.relativityd.Credentials.PinEndpoint"

        public var endpoint: String
        public var pin: String
        public var trust: CredentialsAPI.Trust?
        public var allowPlaintext: Bool?

        public init(endpoint: String, pin: String, trust: CredentialsAPI.Trust? = nil, allowPlaintext: Bool? = nil) {
            self.endpoint = endpoint
            self.pin = pin
            self.trust = trust
            self.allowPlaintext = allowPlaintext
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
            self.pin = try json.read("pin")
            self.trust = try json.readIfPresent("trust")
            self.allowPlaintext = try json.readIfPresent("allowPlaintext")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("pin", self.pin)
            output.writeMember("trust", ifPresent: self.trust)
            output.writeMember("allowPlaintext", ifPresent: self.allowPlaintext)
        }
    }

    /// A reply to `PinEndpointCall`.
    public struct PinEndpointReply: JSONRecord {
        public var pin: CredentialsAPI.Pin

        public init(pin: CredentialsAPI.Pin) {
            self.pin = pin
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.pin = try json.read("pin")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("pin", self.pin)
        }
    }

    /// Binds an endpoint and its logins to its current identity, and closes the sessions of those logins. pin, trust and
    /// allowPlaintext are as in AddLogin.
    public struct RepinEndpointCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.RepinEndpointReply

        public static let method = "org.relativityd.Credentials.RepinEndpoint"

        public var endpoint: String
        public var pin: String
        public var trust: CredentialsAPI.Trust?
        public var allowPlaintext: Bool?

        public init(endpoint: String, pin: String, trust: CredentialsAPI.Trust? = nil, allowPlaintext: Bool? = nil) {
            self.endpoint = endpoint
            self.pin = pin
            self.trust = trust
            self.allowPlaintext = allowPlaintext
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
            self.pin = try json.read("pin")
            self.trust = try json.readIfPresent("trust")
            self.allowPlaintext = try json.readIfPresent("allowPlaintext")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("pin", self.pin)
            output.writeMember("trust", ifPresent: self.trust)
            output.writeMember("allowPlaintext", ifPresent: self.allowPlaintext)
        }
    }

    /// A reply to `RepinEndpointCall`.
    public struct RepinEndpointReply: JSONRecord {
        public var pin: CredentialsAPI.Pin

        public init(pin: CredentialsAPI.Pin) {
            self.pin = pin
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.pin = try json.read("pin")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("pin", self.pin)
        }
    }

    /// Removes the pin of an endpoint.
    public struct ForgetPinCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.ForgetPinReply

        public static let method = "org.relativityd.Credentials.ForgetPin"

        public var endpoint: String
        /// Also removes the logins that are bound to it. If it is not true and there are such logins, the call is refused.
        public var logins: Bool?

        public init(endpoint: String, logins: Bool? = nil) {
            self.endpoint = endpoint
            self.logins = logins
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
            self.logins = try json.readIfPresent("logins")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("logins", ifPresent: self.logins)
        }
    }

    /// A reply to `ForgetPinCall`.
    public struct ForgetPinReply: JSONRecord {
        /// The names of the logins that were removed.
        public var logins: [String]

        public init(logins: [String]) {
            self.logins = logins
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.logins = try json.read("logins")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("logins", self.logins)
        }
    }

    /// Returns the vault's file unchanged, after decrypting it once to check that it is intact.
    public struct BackupCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.BackupReply

        public static let method = "org.relativityd.Credentials.Backup"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `BackupCall`.
    public struct BackupReply: JSONRecord {
        /// Its bytes as base64.
        public var file: String
        /// The SHA-256 of its bytes, in hexadecimal digits.
        public var sha256: String
        /// The generation of the vault.
        public var generation: Int64
        /// The number of logins in it.
        public var logins: Int64

        public init(file: String, sha256: String, generation: Int64, logins: Int64) {
            self.file = file
            self.sha256 = sha256
            self.generation = generation
            self.logins = logins
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.file = try json.read("file")
            self.sha256 = try json.read("sha256")
            self.generation = try json.read("generation")
            self.logins = try json.read("logins")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("file", self.file)
            output.writeMember("sha256", self.sha256)
            output.writeMember("generation", self.generation)
            output.writeMember("logins", self.logins)
        }
    }

    /// Restores a vault from a file and unlocks it. Endpoints that are not in the list are added. Secrets: the passphrase or
    /// the text of the recovery code, if that is the provider; then the file, in chunks of up to 65,536 bytes; then an empty
    /// chunk.
    public struct RestoreCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.RestoreReply

        public static let method = "org.relativityd.Credentials.Restore"

        /// The key provider that opens the file.
        public var provider: String
        /// Replaces the existing vault. If it is not true and there is a vault, the call is refused.
        public var replace: Bool?

        public init(provider: String, replace: Bool? = nil) {
            self.provider = provider
            self.replace = replace
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.provider = try json.read("provider")
            self.replace = try json.readIfPresent("replace")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("provider", self.provider)
            output.writeMember("replace", ifPresent: self.replace)
        }
    }

    /// A reply to `RestoreCall`.
    public struct RestoreReply: JSONRecord {
        public var vault: CredentialsAPI.Vault
        /// The endpoints that could not be added. Absent if all were.
        public var note: String?

        public init(vault: CredentialsAPI.Vault, note: String? = nil) {
            self.vault = vault
            self.note = note
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.vault = try json.read("vault")
            self.note = try json.readIfPresent("note")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("vault", self.vault)
            output.writeMember("note", ifPresent: self.note)
        }
    }

    /// Makes another vault with the same logins, which opens only with one passphrase. Secret: that passphrase.
    public struct ExportCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.ExportReply

        public static let method = "org.relativityd.Credentials.Export"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `ExportCall`.
    public struct ExportReply: JSONRecord {
        /// Its bytes as base64.
        public var file: String
        /// The SHA-256 of its bytes, in hexadecimal digits.
        public var sha256: String
        /// The generation of that vault.
        public var generation: Int64
        /// The number of logins in it.
        public var logins: Int64

        public init(file: String, sha256: String, generation: Int64, logins: Int64) {
            self.file = file
            self.sha256 = sha256
            self.generation = generation
            self.logins = logins
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.file = try json.read("file")
            self.sha256 = try json.read("sha256")
            self.generation = try json.read("generation")
            self.logins = try json.read("logins")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("file", self.file)
            output.writeMember("sha256", self.sha256)
            output.writeMember("generation", self.generation)
            output.writeMember("logins", self.logins)
        }
    }

    /// Adds the logins of another vault. It replaces nothing. Secrets: those of Restore.
    public struct ImportCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.ImportReply

        public static let method = "org.relativityd.Credentials.Import"

        /// The key provider that opens the file.
        public var provider: String
        /// Changes nothing.
        public var dryRun: Bool?

        public init(provider: String, dryRun: Bool? = nil) {
            self.provider = provider
            self.dryRun = dryRun
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.provider = try json.read("provider")
            self.dryRun = try json.readIfPresent("dryRun")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("provider", self.provider)
            output.writeMember("dryRun", ifPresent: self.dryRun)
        }
    }

    /// A reply to `ImportCall`.
    public struct ImportReply: JSONRecord {
        /// Every login of the file.
        public var logins: [CredentialsAPI.ImportedLogin]
        /// The endpoints that could not be added. Absent if all were.
        public var note: String?

        public init(logins: [CredentialsAPI.ImportedLogin], note: String? = nil) {
            self.logins = logins
            self.note = note
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.logins = try json.read("logins")
            self.note = try json.readIfPresent("note")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("logins", self.logins)
            output.writeMember("note", ifPresent: self.note)
        }
    }

    /// There is no vault. path is the location that it would have.
    public struct VaultAbsentError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.VaultAbsent"

        public var message: String
        public var path: String

        public init(message: String, path: String) {
            self.message = message
            self.path = path
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.path = try json.read("path")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("path", self.path)
        }
    }

    /// The vault is locked.
    public struct VaultLockedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.VaultLocked"

        public var message: String

        public init(message: String) {
            self.message = message
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
        }
    }

    /// There is a vault already. path is its location.
    public struct VaultExistsError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.VaultExists"

        public var message: String
        public var path: String

        public init(message: String, path: String) {
            self.message = message
            self.path = path
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.path = try json.read("path")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("path", self.path)
        }
    }

    /// The passphrase or key does not open the vault, or the file that came with the call.
    public struct WrongKeyError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.WrongKey"

        public var message: String

        public init(message: String) {
            self.message = message
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
        }
    }

    /// The vault's file, or the file that came with the call, is damaged or not a vault.
    public struct VaultDamagedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.VaultDamaged"

        public var message: String

        public init(message: String) {
            self.message = message
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
        }
    }

    /// The vault's file, or the file that came with the call, is of a newer format.
    public struct FormatTooNewError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.FormatTooNew"

        public var message: String

        public init(message: String) {
            self.message = message
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
        }
    }

    /// The vault's file is older than the recorded one. It is read-only until it is accepted or replaced by the right file.
    /// found is its generation, and known the recorded one.
    public struct RollbackSuspectedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.RollbackSuspected"

        public var message: String
        public var found: Int64
        public var known: Int64

        public init(message: String, found: Int64, known: Int64) {
            self.message = message
            self.found = found
            self.known = known
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.found = try json.read("found")
            self.known = try json.read("known")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("found", self.found)
            output.writeMember("known", self.known)
        }
    }

    /// The vault's file does not descend from the recorded one. It is read-only until it is accepted or replaced by the right
    /// file. found is its generation.
    public struct ForkSuspectedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.ForkSuspected"

        public var message: String
        public var found: Int64

        public init(message: String, found: Int64) {
            self.message = message
            self.found = found
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.found = try json.read("found")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("found", self.found)
        }
    }

    /// The vault's file has the generation found, not the generation asked that was to be accepted.
    public struct WrongGenerationError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.WrongGeneration"

        public var message: String
        public var asked: Int64
        public var found: Int64

        public init(message: String, asked: Int64, found: Int64) {
            self.message = message
            self.asked = asked
            self.found = found
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.asked = try json.read("asked")
            self.found = try json.read("found")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("asked", self.asked)
            output.writeMember("found", self.found)
        }
    }

    /// A key provider does not work. No other provider is tried. provider is its name.
    public struct ProviderUnavailableError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.ProviderUnavailable"

        public var message: String
        public var provider: String

        public init(message: String, provider: String) {
            self.message = message
            self.provider = provider
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.provider = try json.read("provider")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("provider", self.provider)
        }
    }

    /// Another process has locked the vault's file.
    public struct StoreBusyError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.StoreBusy"

        public var message: String

        public init(message: String) {
            self.message = message
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
        }
    }

    /// Another process changed the vault's file, so this change cannot be made.
    public struct VaultChangedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.VaultChanged"

        public var message: String

        public init(message: String) {
            self.message = message
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
        }
    }

    /// Another call opens the vault, tries the key providers or sends a file. Only one such call runs at a time.
    public struct AttemptInProgressError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.AttemptInProgress"

        public var message: String

        public init(message: String) {
            self.message = message
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
        }
    }

    /// A file or directory is not safe to use. path is its path, and repair a shell command that makes it safe.
    public struct UnsafeStoreError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.UnsafeStore"

        public var message: String
        public var path: String
        public var repair: String

        public init(message: String, path: String, repair: String) {
            self.message = message
            self.path = path
            self.repair = repair
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.path = try json.read("path")
            self.repair = try json.read("repair")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("path", self.path)
            output.writeMember("repair", self.repair)
        }
    }

    /// A file could not be read or written.
    public struct StorageFailedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.StorageFailed"

        public var message: String

        public init(message: String) {
            self.message = message
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
        }
    }

    /// The disk is full. path is the file that could not be written.
    public struct DiskFullError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.DiskFull"

        public var message: String
        public var path: String

        public init(message: String, path: String) {
            self.message = message
            self.path = path
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.path = try json.read("path")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("path", self.path)
        }
    }

    /// The vault has reached a limit.
    public struct VaultFullError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.VaultFull"

        public enum Content: String, JSONWord {
            case logins
            case pins
            case slots
            case settings
            case grants
            case bytes
        }

        public var message: String
        /// The content that has reached its limit.
        public var content: Content
        /// The limit.
        public var limit: Int64

        public init(message: String, content: Content, limit: Int64) {
            self.message = message
            self.content = content
            self.limit = limit
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.content = try json.read("content")
            self.limit = try json.read("limit")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("content", self.content)
            output.writeMember("limit", self.limit)
        }
    }

    /// The passphrase of the file that came with the call has a higher cost than this machine accepts for an imported file.
    public struct CopyTooCostlyError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.CopyTooCostly"

        public var message: String

        public init(message: String) {
            self.message = message
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
        }
    }

    /// No key slot has this ID or label. slot is the ID or label.
    public struct SlotNotFoundError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.SlotNotFound"

        public var message: String
        public var slot: String

        public init(message: String, slot: String) {
            self.message = message
            self.slot = slot
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.slot = try json.read("slot")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("slot", self.slot)
        }
    }

    /// Several key slots have this label. slot is the label, and candidates are their IDs.
    public struct SlotAmbiguousError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.SlotAmbiguous"

        public var message: String
        public var slot: String
        public var candidates: [String]

        public init(message: String, slot: String, candidates: [String]) {
            self.message = message
            self.slot = slot
            self.candidates = candidates
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.slot = try json.read("slot")
            self.candidates = try json.read("candidates")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("slot", self.slot)
            output.writeMember("candidates", self.candidates)
        }
    }

    /// The last slot is never removed, and the last one that opens the vault on another machine only with force.
    public struct SlotNeededError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.SlotNeeded"

        public var message: String
        /// Whether it would be removed with force.
        public var forceable: Bool

        public init(message: String, forceable: Bool) {
            self.message = message
            self.forceable = forceable
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.forceable = try json.read("forceable")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("forceable", self.forceable)
        }
    }

    /// The vault has a slot of this kind already, and a second one is not possible. provider is the kind.
    public struct SlotExistsError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.SlotExists"

        public var message: String
        public var provider: String

        public init(message: String, provider: String) {
            self.message = message
            self.provider = provider
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.provider = try json.read("provider")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("provider", self.provider)
        }
    }

    /// The secret of a slot is missing. For RotateKey, the slot is neither in present nor in drop. slot is its ID.
    public struct SlotNotPresentedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.SlotNotPresented"

        public var message: String
        public var slot: String

        public init(message: String, slot: String) {
            self.message = message
            self.slot = slot
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.slot = try json.read("slot")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("slot", self.slot)
        }
    }

    /// No login has this name. login is the name.
    public struct LoginNotFoundError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.LoginNotFound"

        public var message: String
        public var login: String

        public init(message: String, login: String) {
            self.message = message
            self.login = login
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.login = try json.read("login")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("login", self.login)
        }
    }

    /// Several logins have a name that begins with login. candidates are their names.
    public struct LoginNameAmbiguousError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.LoginNameAmbiguous"

        public var message: String
        public var login: String
        public var candidates: [String]

        public init(message: String, login: String, candidates: [String]) {
            self.message = message
            self.login = login
            self.candidates = candidates
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.login = try json.read("login")
            self.candidates = try json.read("candidates")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("login", self.login)
            output.writeMember("candidates", self.candidates)
        }
    }

    /// A login has this name already. login is the name.
    public struct LoginExistsError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.LoginExists"

        public var message: String
        public var login: String

        public init(message: String, login: String) {
            self.message = message
            self.login = login
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.login = try json.read("login")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("login", self.login)
        }
    }

    /// The administrator configured the login, so it cannot be changed. login is its name.
    public struct LoginReadOnlyError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.LoginReadOnly"

        public var message: String
        public var login: String

        public init(message: String, login: String) {
            self.message = message
            self.login = login
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.login = try json.read("login")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("login", self.login)
        }
    }

    /// The file of a configured login has changed since the daemon started. login is its name.
    public struct LoginFileChangedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.LoginFileChanged"

        public var message: String
        public var login: String

        public init(message: String, login: String) {
            self.message = message
            self.login = login
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.login = try json.read("login")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("login", self.login)
        }
    }

    /// The command for the password of a configured login has not printed one. login is its name. reason: notStarted: it could
    /// not be started. exited: its exit status, which is in status, is not 0. killed: a signal ended it. timeout: it did not
    /// end within 30 seconds. invalid: it printed no password, or more than 4096 bytes.
    public struct PasswordCommandFailedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.PasswordCommandFailed"

        public enum Reason: String, JSONWord {
            case notStarted
            case exited
            case killed
            case timeout
            case invalid
        }

        public var message: String
        public var login: String
        public var reason: Reason
        public var status: Int64?

        public init(message: String, login: String, reason: Reason, status: Int64? = nil) {
            self.message = message
            self.login = login
            self.reason = reason
            self.status = status
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.login = try json.read("login")
            self.reason = try json.read("reason")
            self.status = try json.readIfPresent("status")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("login", self.login)
            output.writeMember("reason", self.reason)
            output.writeMember("status", ifPresent: self.status)
        }
    }

    /// A user, domain, schema, name, label, pin or secret is invalid.
    public struct InvalidLoginError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.InvalidLogin"

        public var message: String

        public init(message: String) {
            self.message = message
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
        }
    }

    /// The endpoint has no pin.
    public struct PinNotFoundError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.PinNotFound"

        public var message: String
        public var endpoint: String

        public init(message: String, endpoint: String) {
            self.message = message
            self.endpoint = endpoint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.endpoint = try json.read("endpoint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("endpoint", self.endpoint)
        }
    }

    /// Logins are bound to the pin. logins are their names.
    public struct LoginsBoundError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.LoginsBound"

        public var message: String
        public var endpoint: String
        public var logins: [String]

        public init(message: String, endpoint: String, logins: [String]) {
            self.message = message
            self.endpoint = endpoint
            self.logins = logins
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.endpoint = try json.read("endpoint")
            self.logins = try json.read("logins")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("logins", self.logins)
        }
    }

    /// The password would be sent unencrypted, which the user has not permitted.
    public struct PlaintextNotAllowedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.PlaintextNotAllowed"

        public var message: String
        public var endpoint: String?
        /// Whether the endpoint has a pin, which then lacks the permission.
        public var pinned: Bool

        public init(message: String, endpoint: String? = nil, pinned: Bool) {
            self.message = message
            self.endpoint = endpoint
            self.pinned = pinned
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.endpoint = try json.readIfPresent("endpoint")
            self.pinned = try json.read("pinned")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("endpoint", ifPresent: self.endpoint)
            output.writeMember("pinned", self.pinned)
        }
    }

    /// The definition of the interface.
    public static let definition = #"""
        # The vault and the logins in it. No call returns a password, and no parameter contains one. The parameter "login", here
        # and in the other interfaces, takes the name of a login, or the beginning of a name that only one login has.
        #
        # A secret follows a method that is called with "upgrade". The daemon sends an empty reply, or an error that ends the
        # call. Then the caller sends the secret: its length (u32, little-endian) and its raw bytes. Then the daemon sends the
        # final reply and closes the connection. If a method takes several secrets, they follow each other.
        interface org.relativityd.Credentials

        # The kind of identity of a server, as in Registry.Trust.
        type Trust (key, ca)

        # The strength of a pin, as in Registry.PinStrength.
        type PinStrength (tlsKey, authority, address, loopback)

        # What a thief who has the disk has to overcome to use a key slot. passphrase: guess the passphrase. recoveryCode: guess
        # 160 random bits. loginKeyring: open the keyring of the desktop. machine: have the machine too, because the key is bound
        # to it. administrator: what the administrator chose. obfuscation: nothing, because the key is on the same disk.
        type SlotStrength (passphrase, recoveryCode, loginKeyring, machine, administrator, obfuscation)

        # A key slot: one way to open the vault.
        type Slot (
          # The ID, which methods take as slot. They also take the label, if only one slot has it.
          id: string,
          # The key provider: passphrase, recovery-code, or one that stores a key outside the vault.
          kind: string,
          # The name that the user gave.
          label: string,
          # What protects the slot at rest.
          strength: SlotStrength,
          # The base-2 logarithm of scrypt's N: the cost of a guess. Absent if the slot has no passphrase.
          scryptLog2N: ?int,
          # When it was made, in seconds since 1970.
          created: int
        )

        # The reason why a key provider does not work: a code, and the values that belong to it. Other values are absent.
        type ProviderFault (
          # error: an error, which is in detail. noProvider: the daemon has no such provider. noSlot: the vault has no key slot for
          # it. keyMissing: the key's file, path, does not exist. keyMalformed: path holds no key. keyDamaged: path is damaged.
          # keyDiffers: what was read back is not what was written. noDirectory: CREDENTIALS_DIRECTORY is not set, and the unit
          # needs LoadCredential= with the name in detail.
          #
          # systemdMissing: nothing listens on the socket path; systemd 256 is needed. systemdUnfit: the service at path does not
          # have io.systemd.Credentials. systemdDenied: polkit does not permit it. systemdError: systemd failed with the errno in
          # number, if it is known. systemdRefused: systemd refused it with the error in detail. systemdNoBlob: it returned no
          # encrypted key. systemdNoKey: it returned no key of number bytes. userUnknown: systemd does not know the user.
          # keyUnreadable: the stored key is damaged, or was made on another machine. keyOfOtherVault, keyOfOtherUser,
          # keyOfOtherTPM: it belongs to another vault, user or TPM. keyNotValidNow: it is not valid at this time.
          # keyNotEncrypted: it is not encrypted. tpmRefused: the TPM does not release it after the way in which the machine
          # started. tpmLocked: the TPM is locked after too many wrong attempts.
          #
          # noBus: there is no session bus. noService: no program on it keeps secrets. serviceSilent: the Secret Service did not
          # answer, within number milliseconds if that is known. serviceVanished: it ended during a call. serviceRefused: it
          # refused, for the reason in detail. servicePlain: it does not encrypt secrets on the bus. keyringLocked: the keyring is
          # locked. keyringDismissed: the user did not give its password. keyringUnanswered: the user did not answer within number
          # milliseconds. keyringNoKey: it has no key for the vault. keyringKeyLength: its key has number bytes, not 32.
          # keyringItemTooLarge: its item is too large. keyringDuplicates: it has several items where the vault has one.
          # keyringNoDefault: there is no default keyring. keyringTemporary: the default keyring is deleted when the session ends.
          # keyringNotKept: the Secret Service did not keep what was stored. helperNotStarted: the daemon's helper, path, could not
          # be started, with the errno in number. helperEnded: the helper ended with the status in number. helperKilled: it was
          # ended by the signal in number. helperOutdated: it is of another version than the daemon. helperUnsafe: it has no safe
          # place for a key.
          code: (
            error,
            noProvider,
            noSlot,
            keyMissing,
            keyMalformed,
            keyDamaged,
            keyDiffers,
            noDirectory,
            systemdMissing,
            systemdUnfit,
            systemdDenied,
            systemdError,
            systemdRefused,
            systemdNoBlob,
            systemdNoKey,
            userUnknown,
            keyUnreadable,
            keyOfOtherVault,
            keyOfOtherUser,
            keyOfOtherTPM,
            keyNotValidNow,
            keyNotEncrypted,
            tpmRefused,
            tpmLocked,
            noBus,
            noService,
            serviceSilent,
            serviceVanished,
            serviceRefused,
            servicePlain,
            keyringLocked,
            keyringDismissed,
            keyringUnanswered,
            keyringNoKey,
            keyringKeyLength,
            keyringItemTooLarge,
            keyringDuplicates,
            keyringNoDefault,
            keyringTemporary,
            keyringNotKept,
            helperNotStarted,
            helperEnded,
            helperKilled,
            helperOutdated,
            helperUnsafe
          ),
          # A file, a socket or a program.
          path: ?string,
          # An errno, a status, a signal, a number of bytes, or a time in milliseconds.
          number: ?int,
          # A text of the system, of a library or of an error. Foreign text in it is escaped.
          detail: ?string
        )

        # A key provider, as it is at this moment.
        type Provider (
          # The name, which Init and AddSlot take as provider.
          kind: string,
          # Whether a vault or a slot could be made with it.
          available: bool,
          # Why it is not available. Absent if it is.
          reason: ?ProviderFault,
          # What would protect the slot at rest.
          strength: SlotStrength,
          # Init should be called with it, unless the user wants another one.
          proposed: bool
        )

        # A place whose anchor was ignored, or to which none could be written: a code, and the values that belong to it. Other
        # values are absent.
        type AnchorNote (
          # malformed: there is something else in place. otherVault: its anchor belongs to another vault. wrongTag: its anchor was
          # not made by this vault. unreadable: its anchor could not be read. notKept: the anchor of the last save could not be
          # written there.
          code: (malformed, otherVault, wrongTag, unreadable, notKept),
          # memory, file, or the name of a key provider.
          place: string,
          # The fault of the key provider, if that is the cause.
          fault: ?ProviderFault,
          # The text of another error. Foreign text in it is escaped.
          detail: ?string
        )

        # The evidence for the vault's file being the last one that was saved.
        type Anchor (
          # current: it is the recorded file. newer: it was saved after the recorded one. unanchored: there was no record when
          # it was opened. rollbackSuspected: it is older than the generation in known. forkSuspected: it does not descend from
          # the recorded file. With one of the last two the vault is read-only, and no login is sent.
          verdict: (unanchored, current, newer, rollbackSuspected, forkSuspected),
          # The generation of a suspected file, which Accept takes. Absent if it is not suspected.
          found: ?int,
          # The newest recorded generation. Absent if there is no record.
          known: ?int,
          # The places that have the newest record: memory, file, or the name of a key provider.
          places: []string,
          # Places that were ignored, then places that could not be written.
          notes: []AnchorNote
        )

        # A protection of secrets in memory that the kernel refused.
        type MemoryRefusal (
          # memfdSecret: memory that neither the swap space nor debuggers of the kernel nor hibernation images hold. mlock: memory
          # that is not swapped out.
          call: (memfdSecret, mlock),
          # The errno of the system call.
          errno: int
        )

        # The state of the vault.
        type Vault (
          # absent: there is no file. sealed: it has not been opened since the daemon started or the machine slept.
          state: (absent, sealed, unlocked, locked),
          # The path of the file.
          path: string,
          # The number of the save, which increases by one with each. Absent if there is no file.
          generation: ?int,
          # The version of the file's format. Absent if there is no file.
          format: ?string,
          # The key slots.
          slots: []Slot,
          # The ID of the slot that is the easiest to open for a thief who has the disk. The vault is only as strong as that
          # slot.
          weakestSlot: ?string,
          # Absent unless it is unlocked.
          anchor: ?Anchor,
          # The protection of secrets in memory against swapping: memfd_secret, mlock, or swappable if there is none. Absent
          # unless it is unlocked.
          memory: ?string,
          # Why memory is not memfd_secret. Empty if it is, and unless the vault is unlocked.
          memoryRefusals: []MemoryRefusal,
          # The number of logins. Absent unless it is unlocked.
          logins: ?int,
          # The time until it locks, in seconds. Absent unless it is unlocked and locks by time.
          locksInSeconds: ?int,
          # Why the file cannot be used. Absent if it can.
          problem: ?string,
          # The name of the error in problem.
          error: ?string
        )

        # A login, without its password.
        type Login (
          # Unique within its origin. If a login of the vault and a configured one have the same name, the configured one is
          # used.
          name: string,
          # vault: the user added it. configured: the administrator configured it. Such a login needs no vault and cannot be
          # changed.
          origin: (vault, configured),
          # The ID of its endpoint.
          endpoint: string,
          # The current name of its endpoint. Untrusted. Absent if the endpoint is no longer in the list.
          endpointName: ?string,
          # The user that it logs in.
          user: string,
          # Absent if it has none.
          domain: ?string,
          # Absent if it has none.
          schema: ?string,
          # The key of the user in its login string: User Id or User.
          userKey: string,
          # The additional keys of its login string. Their values are never returned.
          extraKeys: []string,
          # The strength of its pin.
          strength: PinStrength,
          # The authority of its pin, as in Registry.Identity.
          authority: ?string,
          # The fingerprint that it is bound to.
          pin: string,
          # Whether it may be sent over plain HTTP to the pinned address.
          allowPlaintext: bool,
          # Whether the user has verified the server's identity on this machine. If not, no password is sent there.
          verified: bool,
          # When it was added, in seconds since 1970.
          created: int
        )

        # An additional key of a login string. A login has up to 16 of them.
        type Extra (
          # 1 to 64 letters, digits, inner spaces, "_", "-" and ".".
          key: string,
          # 1 to 1,024 bytes without control characters. It is no secret: it is not sealed separately.
          value: string
        )

        # A step of a login test.
        type Step (
          # pin, login or logout.
          step: string,
          # Whether it succeeded.
          ok: bool,
          # The result, for people.
          detail: string
        )

        # The pin of an endpoint.
        type Pin (
          # The ID of the endpoint.
          endpoint: string,
          # The strength of the pin.
          strength: PinStrength,
          # As in Registry.Identity.
          authority: ?string,
          # As in Registry.Identity.
          fingerprint: string,
          # As in Registry.Identity.
          words: string,
          # Whether passwords may be sent over plain HTTP to this address.
          allowPlaintext: bool,
          # Whether the user has verified the identity on this machine. If not, no password is sent there.
          verified: bool,
          # The names of the logins that are bound to it.
          logins: []string
        )

        # A login of an imported vault.
        type ImportedLogin (
          # Its name.
          login: string,
          # The ID that its endpoint has on this machine.
          endpoint: string,
          # The name of the endpoint. Absent if it is not known.
          name: ?string,
          # The URL of the endpoint. Absent if it is not known.
          url: ?string,
          # added: it is new here, and was added unless this is a dry run. unchanged: the vault has the same login. conflict:
          # the vault has a different login, which stays unchanged.
          verdict: (added, unchanged, conflict),
          # The reason of a conflict. otherIdentity: the endpoint has another pin here. otherEndpoint: the login of this name is
          # for another endpoint. otherUser: its user, domain or schema is different. otherKeys: its userKey or its further keys
          # are different. otherPassword: its password is different. vaultChanged: the vault was changed during the import. Absent
          # without a conflict.
          reason: ?(otherIdentity, otherEndpoint, otherUser, otherKeys, otherPassword, vaultChanged),
          # The user has not agreed to the server's identity on this machine. Until then no password is sent there.
          needsAgreement: bool
        )

        # Returns the state of the vault. Changes nothing.
        method GetStatus() -> (vault: Vault)

        # Tries every key provider. Takes as long as the slowest of them.
        method ListProviders() -> (providers: []Provider)

        # Makes a vault. Secrets: the passphrase, if that is the provider; then the text of the recovery code, which the caller
        # has made, if recoveryCode is true. Without any secret it is a plain call.
        method Init(
          # The key provider of the first slot.
          provider: string,
          # The name of the first slot.
          label: ?string,
          # Adds a second slot, for a recovery code.
          recoveryCode: ?bool,
          # Must be true for the provider key-file, because a thief who has the disk also has the key.
          insecureKeyFile: ?bool
        ) -> (vault: Vault)

        # Unlocks the vault. If it is already unlocked, checks whether the secret still opens it. Secret: the passphrase or the
        # text of the recovery code. A plain call uses a provider that stores a key outside: provider, otherwise the first that
        # has a slot. Without provider the secret is a passphrase.
        method Unlock(provider: ?string) -> (vault: Vault)

        # Adds a key slot to the open vault. provider, label, insecureKeyFile and the secret are those of Init. For
        # recovery-code the secret is the text of a code that the caller has made.
        method AddSlot(provider: string, label: ?string, insecureKeyFile: ?bool) -> (vault: Vault)

        # Removes a key slot, together with the previous version of the file and the key that its provider stores. Other copies
        # of the file still open with it.
        method RemoveSlot(
          # The ID or the label of a slot.
          slot: string,
          # Also removes the last slot that opens the vault on another machine.
          force: ?bool
        ) -> (
          vault: Vault,
          # The part that could not be removed. Absent if everything was removed.
          note: ?string
        )

        # Wraps the vault's key again for the same secret, with the current scrypt cost. slot is the ID or the label of a slot.
        # Secret: the passphrase or recovery code of that slot; a plain call for other slots.
        method RewrapSlot(slot: string) -> (vault: Vault)

        # Renames a slot. slot is its ID or its current label, label is the new one.
        method LabelSlot(slot: string, label: string) -> (vault: Vault)

        # Changes a passphrase; the slot stays. Secrets: the old passphrase, then the new one.
        method ChangePassphrase() -> (vault: Vault)

        # Replaces the vault's data key and seals all secrets again. Every slot with a passphrase or a recovery code must be in
        # present or in drop. A plain call if present is empty.
        method RotateKey(
          # The slots whose secrets follow, in this order.
          present: []string,
          # The slots that are removed.
          drop: []string,
          # Also removes the last slot that opens the vault on another machine.
          force: ?bool
        ) -> (
          vault: Vault,
          # The part that could not be removed. Absent if everything was removed.
          note: ?string
        )

        # Locks the vault: wipes the keys and closes the sessions that used them.
        method Lock() -> (vault: Vault)

        # Accepts the vault's file although it is suspected. The vault must be unlocked. generation is that of the file, as in
        # Anchor.found.
        method Accept(generation: int) -> (vault: Vault)

        # Converts the file to a format that this daemon writes. Each save uses the lowest format that can store the content of
        # the vault, so today nothing is changed. A file of a later format is an error.
        method Upgrade() -> (vault: Vault)

        # Returns all logins, sorted by name. Unless the vault is unlocked, only the configured ones; an error if there are
        # none.
        method ListLogins() -> (
          logins: []Login,
          # Why the logins of the vault are missing. Absent if they are there, or if there is no vault.
          missing: ?string
        )

        # Adds a login. Secret: the password.
        method AddLogin(
          endpoint: string,
          # The name. The default is user@endpoint. If another account has that name, it is user@endpoint/domain/schema, without
          # the absent parts.
          name: ?string,
          # The user that it logs in.
          user: string,
          # The domain, if the server needs one.
          domain: ?string,
          # The schema, if the server needs one.
          schema: ?string,
          # The key of the user in the login string: "User Id", the default, or "User".
          userKey: ?string,
          # Additional keys of the login string.
          extras: ?[]Extra,
          # The fingerprint that the user has verified, from Registry.GetIdentity with the same trust. The endpoint must still
          # have it.
          pin: string,
          # As in Registry.GetIdentity.
          trust: ?Trust,
          # Permits sending the password unencrypted, to exactly this address.
          allowPlaintext: ?bool,
          # false: the login is not tried before it is saved.
          test: ?bool
        ) -> (
          login: Login,
          # Whether the password is that of a documented account of the vendor.
          samplePassword: bool
        )

        # Changes a login and closes its sessions. An absent parameter changes nothing. If only the name changes, the login is
        # not tried and its sessions stay. Secret, if it is called with "upgrade": the new password.
        method EditLogin(
          # The current name.
          login: string,
          # The new name.
          name: ?string,
          # Attaches the login to another endpoint. Refused if its own endpoint is in the list.
          endpoint: ?string,
          # With endpoint, as in AddLogin.
          pin: ?string,
          # With endpoint, as in AddLogin.
          trust: ?Trust,
          # With endpoint, as in AddLogin.
          allowPlaintext: ?bool,
          # As in AddLogin.
          user: ?string,
          # As in AddLogin.
          domain: ?string,
          # As in AddLogin.
          schema: ?string,
          # As in AddLogin.
          userKey: ?string,
          # The keys to set. An empty value removes its key.
          extras: ?[]Extra,
          # false: the login is not tried before it is saved.
          test: ?bool
        ) -> (
          login: Login,
          # Whether the password is that of a documented account of the vendor.
          samplePassword: bool
        )

        # Tests a login: connects, checks the pin, logs in and out. A login that the server refused before may be sent again.
        method TestLogin(
          # The name of the login.
          login: string
        ) -> (
          # The strength of the pin.
          strength: PinStrength,
          # The steps that were tried.
          steps: []Step,
          # Whether the password is that of a documented account of the vendor.
          samplePassword: bool,
          # The name of the error that ended the test. Absent if all steps succeeded.
          error: ?string
        )

        # Removes a login from the vault, which must be unlocked. login is its name.
        method RemoveLogin(login: string) -> ()

        # Returns all pins, ordered by endpoint. The vault must be unlocked.
        method ListPins() -> (pins: []Pin)

        # Pins an endpoint without a login. pin, trust and allowPlaintext are as in AddLogin.
        method PinEndpoint(endpoint: string, pin: string, trust: ?Trust, allowPlaintext: ?bool) -> (pin: Pin)

        # Binds an endpoint and its logins to its current identity, and closes the sessions of those logins. pin, trust and
        # allowPlaintext are as in AddLogin.
        method RepinEndpoint(endpoint: string, pin: string, trust: ?Trust, allowPlaintext: ?bool) -> (pin: Pin)

        # Removes the pin of an endpoint.
        method ForgetPin(
          endpoint: string,
          # Also removes the logins that are bound to it. If it is not true and there are such logins, the call is refused.
          logins: ?bool
        ) -> (
          # The names of the logins that were removed.
          logins: []string
        )

        # Returns the vault's file unchanged, after decrypting it once to check that it is intact.
        method Backup() -> (
          # Its bytes as base64.
          file: string,
          # The SHA-256 of its bytes, in hexadecimal digits.
          sha256: string,
          # The generation of the vault.
          generation: int,
          # The number of logins in it.
          logins: int
        )

        # Restores a vault from a file and unlocks it. Endpoints that are not in the list are added. Secrets: the passphrase or
        # the text of the recovery code, if that is the provider; then the file, in chunks of up to 65,536 bytes; then an empty
        # chunk.
        method Restore(
          # The key provider that opens the file.
          provider: string,
          # Replaces the existing vault. If it is not true and there is a vault, the call is refused.
          replace: ?bool
        ) -> (
          vault: Vault,
          # The endpoints that could not be added. Absent if all were.
          note: ?string
        )

        # Makes another vault with the same logins, which opens only with one passphrase. Secret: that passphrase.
        method Export() -> (
          # Its bytes as base64.
          file: string,
          # The SHA-256 of its bytes, in hexadecimal digits.
          sha256: string,
          # The generation of that vault.
          generation: int,
          # The number of logins in it.
          logins: int
        )

        # Adds the logins of another vault. It replaces nothing. Secrets: those of Restore.
        method Import(
          # The key provider that opens the file.
          provider: string,
          # Changes nothing.
          dryRun: ?bool
        ) -> (
          # Every login of the file.
          logins: []ImportedLogin,
          # The endpoints that could not be added. Absent if all were.
          note: ?string
        )

        # There is no vault. path is the location that it would have.
        error VaultAbsent (message: string, path: string)

        # The vault is locked.
        error VaultLocked (message: string)

        # There is a vault already. path is its location.
        error VaultExists (message: string, path: string)

        # The passphrase or key does not open the vault, or the file that came with the call.
        error WrongKey (message: string)

        # The vault's file, or the file that came with the call, is damaged or not a vault.
        error VaultDamaged (message: string)

        # The vault's file, or the file that came with the call, is of a newer format.
        error FormatTooNew (message: string)

        # The vault's file is older than the recorded one. It is read-only until it is accepted or replaced by the right file.
        # found is its generation, and known the recorded one.
        error RollbackSuspected (message: string, found: int, known: int)

        # The vault's file does not descend from the recorded one. It is read-only until it is accepted or replaced by the right
        # file. found is its generation.
        error ForkSuspected (message: string, found: int)

        # The vault's file has the generation found, not the generation asked that was to be accepted.
        error WrongGeneration (message: string, asked: int, found: int)

        # A key provider does not work. No other provider is tried. provider is its name.
        error ProviderUnavailable (message: string, provider: string)

        # Another process has locked the vault's file.
        error StoreBusy (message: string)

        # Another process changed the vault's file, so this change cannot be made.
        error VaultChanged (message: string)

        # Another call opens the vault, tries the key providers or sends a file. Only one such call runs at a time.
        error AttemptInProgress (message: string)

        # A file or directory is not safe to use. path is its path, and repair a shell command that makes it safe.
        error UnsafeStore (message: string, path: string, repair: string)

        # A file could not be read or written.
        error StorageFailed (message: string)

        # The disk is full. path is the file that could not be written.
        error DiskFull (message: string, path: string)

        # The vault has reached a limit.
        error VaultFull (
          message: string,
          # The content that has reached its limit.
          content: (logins, pins, slots, settings, grants, bytes),
          # The limit.
          limit: int
        )

        # The passphrase of the file that came with the call has a higher cost than this machine accepts for an imported file.
        error CopyTooCostly (message: string)

        # No key slot has this ID or label. slot is the ID or label.
        error SlotNotFound (message: string, slot: string)

        # Several key slots have this label. slot is the label, and candidates are their IDs.
        error SlotAmbiguous (message: string, slot: string, candidates: []string)

        # The last slot is never removed, and the last one that opens the vault on another machine only with force.
        error SlotNeeded (
          message: string,
          # Whether it would be removed with force.
          forceable: bool
        )

        # The vault has a slot of this kind already, and a second one is not possible. provider is the kind.
        error SlotExists (message: string, provider: string)

        # The secret of a slot is missing. For RotateKey, the slot is neither in present nor in drop. slot is its ID.
        error SlotNotPresented (message: string, slot: string)

        # No login has this name. login is the name.
        error LoginNotFound (message: string, login: string)

        # Several logins have a name that begins with login. candidates are their names.
        error LoginNameAmbiguous (message: string, login: string, candidates: []string)

        # A login has this name already. login is the name.
        error LoginExists (message: string, login: string)

        # The administrator configured the login, so it cannot be changed. login is its name.
        error LoginReadOnly (message: string, login: string)

        # The file of a configured login has changed since the daemon started. login is its name.
        error LoginFileChanged (message: string, login: string)

        # The command for the password of a configured login has not printed one. login is its name. reason: notStarted: it could
        # not be started. exited: its exit status, which is in status, is not 0. killed: a signal ended it. timeout: it did not
        # end within 30 seconds. invalid: it printed no password, or more than 4096 bytes.
        error PasswordCommandFailed (
          message: string,
          login: string,
          reason: (notStarted, exited, killed, timeout, invalid),
          status: ?int
        )

        # A user, domain, schema, name, label, pin or secret is invalid.
        error InvalidLogin (message: string)

        # The endpoint has no pin.
        error PinNotFound (message: string, endpoint: string)

        # Logins are bound to the pin. logins are their names.
        error LoginsBound (message: string, endpoint: string, logins: []string)

        # The password would be sent unencrypted, which the user has not permitted.
        error PlaintextNotAllowed (
          message: string,
          endpoint: ?string,
          # Whether the endpoint has a pin, which then lacks the permission.
          pinned: bool
        )

        """#
}
