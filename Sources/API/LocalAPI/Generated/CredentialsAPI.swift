// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Credentials.varlink. Change that file, then run `make generate`.

public import Endpoints
public import JSON
public import Varlink

/// The types of `org.relativityd.Credentials`. Its definition describes them.
public enum CredentialsAPI {
    public static let name = "org.relativityd.Credentials"

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
        case listAddresses = "org.relativityd.Credentials.ListAddresses"
        case addAlternate = "org.relativityd.Credentials.AddAlternate"
        case removeAlternate = "org.relativityd.Credentials.RemoveAlternate"
        case backup = "org.relativityd.Credentials.Backup"
        case restore = "org.relativityd.Credentials.Restore"
        case export = "org.relativityd.Credentials.Export"
        case `import` = "org.relativityd.Credentials.Import"
    }

    public typealias Trust = Endpoints.ServerTrust

    public typealias PinStrength = Endpoints.PinStrength

    public typealias SlotStrength = Endpoints.SlotStrength

    public typealias Slot = Endpoints.VaultSlot

    public typealias ProviderFault = Endpoints.ProviderFault

    public struct Provider: JSONRecord {
        public var kind: String
        public var available: Bool
        public var reason: ProviderFault?
        public var strength: SlotStrength
        public var proposed: Bool

        public init(
            kind: String,
            available: Bool,
            reason: ProviderFault? = nil,
            strength: SlotStrength,
            proposed: Bool
        ) {
            self.kind = kind
            self.available = available
            self.reason = reason
            self.strength = strength
            self.proposed = proposed
        }

        public static let members: [JSONMember<Self>] = [
            .init("kind", \.kind), .init("available", \.available), .init("reason", \.reason),
            .init("strength", \.strength), .init("proposed", \.proposed),
        ]
    }

    public typealias AnchorNote = Endpoints.AnchorNote

    public typealias Anchor = Endpoints.AnchorStatus

    public struct MemoryRefusal: JSONRecord {
        public enum Call: String, JSONWord {
            case memfdSecret, mlock
        }

        public var call: Call
        public var errno: Int64

        public init(call: Call, errno: Int64) {
            self.call = call
            self.errno = errno
        }

        public static let members: [JSONMember<Self>] = [.init("call", \.call), .init("errno", \.errno)]
    }

    public typealias VaultState = Endpoints.VaultState

    public struct Vault: JSONRecord {
        public var state: VaultState
        public var path: String
        public var generation: Int64?
        public var format: String?
        public var slots: [VaultSlot]
        public var weakestSlot: String?
        public var anchor: AnchorStatus?
        public var memory: String?
        public var memoryRefusals: [CredentialsAPI.MemoryRefusal]
        public var logins: Int64?
        public var locksInSeconds: Int64?
        public var problem: String?
        public var error: String?

        public init(
            state: VaultState,
            path: String,
            generation: Int64? = nil,
            format: String? = nil,
            slots: [VaultSlot],
            weakestSlot: String? = nil,
            anchor: AnchorStatus? = nil,
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

        public static let members: [JSONMember<Self>] = [
            .init("state", \.state), .init("path", \.path), .init("generation", \.generation),
            .init("format", \.format), .init("slots", \.slots), .init("weakestSlot", \.weakestSlot),
            .init("anchor", \.anchor), .init("memory", \.memory), .init("memoryRefusals", \.memoryRefusals),
            .init("logins", \.logins), .init("locksInSeconds", \.locksInSeconds), .init("problem", \.problem),
            .init("error", \.error),
        ]
    }

    public struct Login: JSONRecord {
        public enum Origin: String, JSONWord {
            case vault, configured
        }

        public var name: String
        public var origin: Origin
        public var endpoint: String
        public var endpointName: String?
        public var user: String
        public var domain: String?
        public var schema: String?
        public var userKey: String
        public var extraKeys: [String]
        public var passwordCommand: [String]?
        public var commandAgreed: Bool?
        public var strength: PinStrength
        public var authority: String?
        public var pin: String
        public var allowPlaintext: Bool
        public var verified: Bool
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
            passwordCommand: [String]? = nil,
            commandAgreed: Bool? = nil,
            strength: PinStrength,
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
            self.passwordCommand = passwordCommand
            self.commandAgreed = commandAgreed
            self.strength = strength
            self.authority = authority
            self.pin = pin
            self.allowPlaintext = allowPlaintext
            self.verified = verified
            self.created = created
        }

        public static let members: [JSONMember<Self>] = [
            .init("name", \.name), .init("origin", \.origin), .init("endpoint", \.endpoint),
            .init("endpointName", \.endpointName), .init("user", \.user), .init("domain", \.domain),
            .init("schema", \.schema), .init("userKey", \.userKey), .init("extraKeys", \.extraKeys),
            .init("passwordCommand", \.passwordCommand), .init("commandAgreed", \.commandAgreed),
            .init("strength", \.strength), .init("authority", \.authority), .init("pin", \.pin),
            .init("allowPlaintext", \.allowPlaintext), .init("verified", \.verified), .init("created", \.created),
        ]
    }

    public struct Extra: JSONRecord {
        public var key: String
        public var value: String

        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }

        public static let members: [JSONMember<Self>] = [.init("key", \.key), .init("value", \.value)]
    }

    public struct Step: JSONRecord {
        public var step: String
        public var ok: Bool
        public var detail: String

        public init(step: String, ok: Bool, detail: String) {
            self.step = step
            self.ok = ok
            self.detail = detail
        }

        public static let members: [JSONMember<Self>] = [
            .init("step", \.step), .init("ok", \.ok), .init("detail", \.detail),
        ]
    }

    public struct Pin: JSONRecord {
        public var endpoint: String
        public var strength: PinStrength
        public var authority: String?
        public var fingerprint: String
        public var words: String
        public var allowPlaintext: Bool
        public var verified: Bool
        public var logins: [String]

        public init(
            endpoint: String,
            strength: PinStrength,
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

        public static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("strength", \.strength), .init("authority", \.authority),
            .init("fingerprint", \.fingerprint), .init("words", \.words), .init("allowPlaintext", \.allowPlaintext),
            .init("verified", \.verified), .init("logins", \.logins),
        ]
    }

    public struct Address: JSONRecord {
        public var url: String
        public var alternate: Bool
        public var strength: PinStrength
        public var authority: String?
        public var fingerprint: String
        public var words: String
        public var allowPlaintext: Bool
        public var sameDatabase: Bool
        public var inUse: Bool

        public init(
            url: String,
            alternate: Bool,
            strength: PinStrength,
            authority: String? = nil,
            fingerprint: String,
            words: String,
            allowPlaintext: Bool,
            sameDatabase: Bool,
            inUse: Bool
        ) {
            self.url = url
            self.alternate = alternate
            self.strength = strength
            self.authority = authority
            self.fingerprint = fingerprint
            self.words = words
            self.allowPlaintext = allowPlaintext
            self.sameDatabase = sameDatabase
            self.inUse = inUse
        }

        public static let members: [JSONMember<Self>] = [
            .init("url", \.url), .init("alternate", \.alternate), .init("strength", \.strength),
            .init("authority", \.authority), .init("fingerprint", \.fingerprint), .init("words", \.words),
            .init("allowPlaintext", \.allowPlaintext), .init("sameDatabase", \.sameDatabase), .init("inUse", \.inUse),
        ]
    }

    public typealias ImportConflict = Endpoints.ImportConflict

    public struct ImportedLogin: JSONRecord {
        public enum Verdict: String, JSONWord {
            case added, unchanged, conflict
        }

        public var login: String
        public var endpoint: String
        public var name: String?
        public var url: String?
        public var verdict: Verdict
        public var reason: ImportConflict?
        public var passwordCommand: [String]?
        public var needsAgreement: Bool

        public init(
            login: String,
            endpoint: String,
            name: String? = nil,
            url: String? = nil,
            verdict: Verdict,
            reason: ImportConflict? = nil,
            passwordCommand: [String]? = nil,
            needsAgreement: Bool
        ) {
            self.login = login
            self.endpoint = endpoint
            self.name = name
            self.url = url
            self.verdict = verdict
            self.reason = reason
            self.passwordCommand = passwordCommand
            self.needsAgreement = needsAgreement
        }

        public static let members: [JSONMember<Self>] = [
            .init("login", \.login), .init("endpoint", \.endpoint), .init("name", \.name), .init("url", \.url),
            .init("verdict", \.verdict), .init("reason", \.reason), .init("passwordCommand", \.passwordCommand),
            .init("needsAgreement", \.needsAgreement),
        ]
    }

    public struct GetStatusCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.GetStatusReply

        public static let method = "org.relativityd.Credentials.GetStatus"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct GetStatusReply: JSONRecord {
        public var vault: CredentialsAPI.Vault

        public init(vault: CredentialsAPI.Vault) {
            self.vault = vault
        }

        public static let members: [JSONMember<Self>] = [.init("vault", \.vault)]
    }

    public struct ListProvidersCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.ListProvidersReply

        public static let method = "org.relativityd.Credentials.ListProviders"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct ListProvidersReply: JSONRecord {
        public var providers: [CredentialsAPI.Provider]

        public init(providers: [CredentialsAPI.Provider]) {
            self.providers = providers
        }

        public static let members: [JSONMember<Self>] = [.init("providers", \.providers)]
    }

    public struct InitCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.InitReply

        public static let method = "org.relativityd.Credentials.Init"

        public var provider: String
        public var label: String?
        public var recoveryCode: Bool?
        public var insecureKeyFile: Bool?

        public init(provider: String, label: String? = nil, recoveryCode: Bool? = nil, insecureKeyFile: Bool? = nil) {
            self.provider = provider
            self.label = label
            self.recoveryCode = recoveryCode
            self.insecureKeyFile = insecureKeyFile
        }

        public static let members: [JSONMember<Self>] = [
            .init("provider", \.provider), .init("label", \.label), .init("recoveryCode", \.recoveryCode),
            .init("insecureKeyFile", \.insecureKeyFile),
        ]
    }

    public typealias InitReply = GetStatusReply

    public struct UnlockCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.UnlockReply

        public static let method = "org.relativityd.Credentials.Unlock"

        public var provider: String?

        public init(provider: String? = nil) {
            self.provider = provider
        }

        public static let members: [JSONMember<Self>] = [.init("provider", \.provider)]
    }

    public typealias UnlockReply = GetStatusReply

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

        public static let members: [JSONMember<Self>] = [
            .init("provider", \.provider), .init("label", \.label), .init("insecureKeyFile", \.insecureKeyFile),
        ]
    }

    public typealias AddSlotReply = GetStatusReply

    public struct RemoveSlotCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.RemoveSlotReply

        public static let method = "org.relativityd.Credentials.RemoveSlot"

        public var slot: String
        public var force: Bool?

        public init(slot: String, force: Bool? = nil) {
            self.slot = slot
            self.force = force
        }

        public static let members: [JSONMember<Self>] = [.init("slot", \.slot), .init("force", \.force)]
    }

    public struct RemoveSlotReply: JSONRecord {
        public var vault: CredentialsAPI.Vault
        public var note: String?

        public init(vault: CredentialsAPI.Vault, note: String? = nil) {
            self.vault = vault
            self.note = note
        }

        public static let members: [JSONMember<Self>] = [.init("vault", \.vault), .init("note", \.note)]
    }

    public struct RewrapSlotCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.RewrapSlotReply

        public static let method = "org.relativityd.Credentials.RewrapSlot"

        public var slot: String

        public init(slot: String) {
            self.slot = slot
        }

        public static let members: [JSONMember<Self>] = [.init("slot", \.slot)]
    }

    public typealias RewrapSlotReply = GetStatusReply

    public struct LabelSlotCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.LabelSlotReply

        public static let method = "org.relativityd.Credentials.LabelSlot"

        public var slot: String
        public var label: String

        public init(slot: String, label: String) {
            self.slot = slot
            self.label = label
        }

        public static let members: [JSONMember<Self>] = [.init("slot", \.slot), .init("label", \.label)]
    }

    public typealias LabelSlotReply = GetStatusReply

    public struct ChangePassphraseCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.ChangePassphraseReply

        public static let method = "org.relativityd.Credentials.ChangePassphrase"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public typealias ChangePassphraseReply = GetStatusReply

    public struct RotateKeyCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.RotateKeyReply

        public static let method = "org.relativityd.Credentials.RotateKey"

        public var present: [String]
        public var drop: [String]
        public var force: Bool?

        public init(present: [String], drop: [String], force: Bool? = nil) {
            self.present = present
            self.drop = drop
            self.force = force
        }

        public static let members: [JSONMember<Self>] = [
            .init("present", \.present), .init("drop", \.drop), .init("force", \.force),
        ]
    }

    public typealias RotateKeyReply = RemoveSlotReply

    public struct LockCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.LockReply

        public static let method = "org.relativityd.Credentials.Lock"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public typealias LockReply = GetStatusReply

    public struct AcceptCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.AcceptReply

        public static let method = "org.relativityd.Credentials.Accept"

        public var generation: Int64

        public init(generation: Int64) {
            self.generation = generation
        }

        public static let members: [JSONMember<Self>] = [.init("generation", \.generation)]
    }

    public typealias AcceptReply = GetStatusReply

    public struct UpgradeCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.UpgradeReply

        public static let method = "org.relativityd.Credentials.Upgrade"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public typealias UpgradeReply = GetStatusReply

    public struct ListLoginsCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.ListLoginsReply

        public static let method = "org.relativityd.Credentials.ListLogins"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct ListLoginsReply: JSONRecord {
        public var logins: [CredentialsAPI.Login]
        public var missing: String?

        public init(logins: [CredentialsAPI.Login], missing: String? = nil) {
            self.logins = logins
            self.missing = missing
        }

        public static let members: [JSONMember<Self>] = [.init("logins", \.logins), .init("missing", \.missing)]
    }

    public struct AddLoginCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.AddLoginReply

        public static let method = "org.relativityd.Credentials.AddLogin"

        public var endpoint: String
        public var name: String?
        public var user: String
        public var domain: String?
        public var schema: String?
        public var userKey: String?
        public var extras: [CredentialsAPI.Extra]?
        public var pin: String
        public var trust: ServerTrust?
        public var allowPlaintext: Bool?
        public var passwordCommand: [String]?
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
            trust: ServerTrust? = nil,
            allowPlaintext: Bool? = nil,
            passwordCommand: [String]? = nil,
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
            self.passwordCommand = passwordCommand
            self.test = test
        }

        public static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("name", \.name), .init("user", \.user), .init("domain", \.domain),
            .init("schema", \.schema), .init("userKey", \.userKey), .init("extras", \.extras), .init("pin", \.pin),
            .init("trust", \.trust), .init("allowPlaintext", \.allowPlaintext),
            .init("passwordCommand", \.passwordCommand), .init("test", \.test),
        ]
    }

    public struct AddLoginReply: JSONRecord {
        public var login: CredentialsAPI.Login
        public var samplePassword: Bool

        public init(login: CredentialsAPI.Login, samplePassword: Bool) {
            self.login = login
            self.samplePassword = samplePassword
        }

        public static let members: [JSONMember<Self>] = [
            .init("login", \.login), .init("samplePassword", \.samplePassword),
        ]
    }

    public struct EditLoginCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.EditLoginReply

        public static let method = "org.relativityd.Credentials.EditLogin"

        public var login: String
        public var name: String?
        public var endpoint: String?
        public var pin: String?
        public var trust: ServerTrust?
        public var allowPlaintext: Bool?
        public var user: String?
        public var domain: String?
        public var schema: String?
        public var userKey: String?
        public var extras: [CredentialsAPI.Extra]?
        public var passwordCommand: [String]?
        public var test: Bool?

        public init(
            login: String,
            name: String? = nil,
            endpoint: String? = nil,
            pin: String? = nil,
            trust: ServerTrust? = nil,
            allowPlaintext: Bool? = nil,
            user: String? = nil,
            domain: String? = nil,
            schema: String? = nil,
            userKey: String? = nil,
            extras: [CredentialsAPI.Extra]? = nil,
            passwordCommand: [String]? = nil,
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
            self.passwordCommand = passwordCommand
            self.test = test
        }

        public static let members: [JSONMember<Self>] = [
            .init("login", \.login), .init("name", \.name), .init("endpoint", \.endpoint), .init("pin", \.pin),
            .init("trust", \.trust), .init("allowPlaintext", \.allowPlaintext), .init("user", \.user),
            .init("domain", \.domain), .init("schema", \.schema), .init("userKey", \.userKey),
            .init("extras", \.extras), .init("passwordCommand", \.passwordCommand), .init("test", \.test),
        ]
    }

    public typealias EditLoginReply = AddLoginReply

    public struct TestLoginCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.TestLoginReply

        public static let method = "org.relativityd.Credentials.TestLogin"

        public var login: String

        public init(login: String) {
            self.login = login
        }

        public static let members: [JSONMember<Self>] = [.init("login", \.login)]
    }

    public struct TestLoginReply: JSONRecord {
        public var strength: PinStrength
        public var steps: [CredentialsAPI.Step]
        public var samplePassword: Bool
        public var error: String?

        public init(strength: PinStrength, steps: [CredentialsAPI.Step], samplePassword: Bool, error: String? = nil) {
            self.strength = strength
            self.steps = steps
            self.samplePassword = samplePassword
            self.error = error
        }

        public static let members: [JSONMember<Self>] = [
            .init("strength", \.strength), .init("steps", \.steps), .init("samplePassword", \.samplePassword),
            .init("error", \.error),
        ]
    }

    public struct RemoveLoginCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.RemoveLoginReply

        public static let method = "org.relativityd.Credentials.RemoveLogin"

        public var login: String

        public init(login: String) {
            self.login = login
        }

        public static let members: [JSONMember<Self>] = [.init("login", \.login)]
    }

    public struct RemoveLoginReply: JSONRecord {
        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct ListPinsCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.ListPinsReply

        public static let method = "org.relativityd.Credentials.ListPins"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct ListPinsReply: JSONRecord {
        public var pins: [CredentialsAPI.Pin]

        public init(pins: [CredentialsAPI.Pin]) {
            self.pins = pins
        }

        public static let members: [JSONMember<Self>] = [.init("pins", \.pins)]
    }

    public struct PinEndpointCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.PinEndpointReply

        public static let method = "org.relativityd.Credentials.PinEndpoint"

        public var endpoint: String
        public var pin: String
        public var trust: ServerTrust?
        public var allowPlaintext: Bool?

        public init(endpoint: String, pin: String, trust: ServerTrust? = nil, allowPlaintext: Bool? = nil) {
            self.endpoint = endpoint
            self.pin = pin
            self.trust = trust
            self.allowPlaintext = allowPlaintext
        }

        public static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("pin", \.pin), .init("trust", \.trust),
            .init("allowPlaintext", \.allowPlaintext),
        ]
    }

    public struct PinEndpointReply: JSONRecord {
        public var pin: CredentialsAPI.Pin

        public init(pin: CredentialsAPI.Pin) {
            self.pin = pin
        }

        public static let members: [JSONMember<Self>] = [.init("pin", \.pin)]
    }

    public struct RepinEndpointCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.RepinEndpointReply

        public static let method = "org.relativityd.Credentials.RepinEndpoint"

        public var endpoint: String
        public var pin: String
        public var trust: ServerTrust?
        public var allowPlaintext: Bool?

        public init(endpoint: String, pin: String, trust: ServerTrust? = nil, allowPlaintext: Bool? = nil) {
            self.endpoint = endpoint
            self.pin = pin
            self.trust = trust
            self.allowPlaintext = allowPlaintext
        }

        public static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("pin", \.pin), .init("trust", \.trust),
            .init("allowPlaintext", \.allowPlaintext),
        ]
    }

    public typealias RepinEndpointReply = PinEndpointReply

    public struct ForgetPinCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.ForgetPinReply

        public static let method = "org.relativityd.Credentials.ForgetPin"

        public var endpoint: String
        public var logins: Bool?

        public init(endpoint: String, logins: Bool? = nil) {
            self.endpoint = endpoint
            self.logins = logins
        }

        public static let members: [JSONMember<Self>] = [.init("endpoint", \.endpoint), .init("logins", \.logins)]
    }

    public struct ForgetPinReply: JSONRecord {
        public var logins: [String]

        public init(logins: [String]) {
            self.logins = logins
        }

        public static let members: [JSONMember<Self>] = [.init("logins", \.logins)]
    }

    public struct ListAddressesCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.ListAddressesReply

        public static let method = "org.relativityd.Credentials.ListAddresses"

        public var endpoint: String

        public init(endpoint: String) {
            self.endpoint = endpoint
        }

        public static let members: [JSONMember<Self>] = [.init("endpoint", \.endpoint)]
    }

    public struct ListAddressesReply: JSONRecord {
        public var addresses: [CredentialsAPI.Address]

        public init(addresses: [CredentialsAPI.Address]) {
            self.addresses = addresses
        }

        public static let members: [JSONMember<Self>] = [.init("addresses", \.addresses)]
    }

    public struct AddAlternateCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.AddAlternateReply

        public static let method = "org.relativityd.Credentials.AddAlternate"

        public var endpoint: String
        public var url: String
        public var pin: String
        public var trust: ServerTrust?
        public var allowPlaintext: Bool?
        public var sameDatabase: Bool?

        public init(
            endpoint: String,
            url: String,
            pin: String,
            trust: ServerTrust? = nil,
            allowPlaintext: Bool? = nil,
            sameDatabase: Bool? = nil
        ) {
            self.endpoint = endpoint
            self.url = url
            self.pin = pin
            self.trust = trust
            self.allowPlaintext = allowPlaintext
            self.sameDatabase = sameDatabase
        }

        public static let members: [JSONMember<Self>] = [
            .init("endpoint", \.endpoint), .init("url", \.url), .init("pin", \.pin), .init("trust", \.trust),
            .init("allowPlaintext", \.allowPlaintext), .init("sameDatabase", \.sameDatabase),
        ]
    }

    public typealias AddAlternateReply = ListAddressesReply

    public struct RemoveAlternateCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.RemoveAlternateReply

        public static let method = "org.relativityd.Credentials.RemoveAlternate"

        public var endpoint: String
        public var url: String

        public init(endpoint: String, url: String) {
            self.endpoint = endpoint
            self.url = url
        }

        public static let members: [JSONMember<Self>] = [.init("endpoint", \.endpoint), .init("url", \.url)]
    }

    public typealias RemoveAlternateReply = ListAddressesReply

    public struct BackupCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.BackupReply

        public static let method = "org.relativityd.Credentials.Backup"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public struct BackupReply: JSONRecord {
        public var file: String
        public var sha256: String
        public var generation: Int64
        public var logins: Int64

        public init(file: String, sha256: String, generation: Int64, logins: Int64) {
            self.file = file
            self.sha256 = sha256
            self.generation = generation
            self.logins = logins
        }

        public static let members: [JSONMember<Self>] = [
            .init("file", \.file), .init("sha256", \.sha256), .init("generation", \.generation),
            .init("logins", \.logins),
        ]
    }

    public struct RestoreCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.RestoreReply

        public static let method = "org.relativityd.Credentials.Restore"

        public var provider: String
        public var replace: Bool?

        public init(provider: String, replace: Bool? = nil) {
            self.provider = provider
            self.replace = replace
        }

        public static let members: [JSONMember<Self>] = [.init("provider", \.provider), .init("replace", \.replace)]
    }

    public struct RestoreReply: JSONRecord {
        public var vault: CredentialsAPI.Vault
        public var note: String?
        public var commandsToAgree: [String]

        public init(vault: CredentialsAPI.Vault, note: String? = nil, commandsToAgree: [String]) {
            self.vault = vault
            self.note = note
            self.commandsToAgree = commandsToAgree
        }

        public static let members: [JSONMember<Self>] = [
            .init("vault", \.vault), .init("note", \.note), .init("commandsToAgree", \.commandsToAgree),
        ]
    }

    public struct ExportCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.ExportReply

        public static let method = "org.relativityd.Credentials.Export"

        public init() {}

        public static let members: [JSONMember<Self>] = []
    }

    public typealias ExportReply = BackupReply

    public struct ImportCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.ImportReply

        public static let method = "org.relativityd.Credentials.Import"

        public var provider: String
        public var dryRun: Bool?

        public init(provider: String, dryRun: Bool? = nil) {
            self.provider = provider
            self.dryRun = dryRun
        }

        public static let members: [JSONMember<Self>] = [.init("provider", \.provider), .init("dryRun", \.dryRun)]
    }

    public struct ImportReply: JSONRecord {
        public var logins: [CredentialsAPI.ImportedLogin]
        public var note: String?

        public init(logins: [CredentialsAPI.ImportedLogin], note: String? = nil) {
            self.logins = logins
            self.note = note
        }

        public static let members: [JSONMember<Self>] = [.init("logins", \.logins), .init("note", \.note)]
    }
}
