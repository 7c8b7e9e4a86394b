// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Credentials.varlink. Change that file, then run `make generate`.

public import JSON
public import Varlink

/// The vault and the logins in it. No call returns a password, and no parameter carries one: methods marked "secret"
/// are called with "upgrade". The daemon answers with an empty reply (or an error, and the call is over); then the caller
/// sends the secret as its length (u32, little-endian) and its raw bytes; then comes the reply proper and the connection
/// is closed.
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

    /// The errors.
    public enum ErrorName: String, Sendable, CaseIterable {
        case vaultAbsent = "org.relativityd.Credentials.VaultAbsent"
        case vaultLocked = "org.relativityd.Credentials.VaultLocked"
        case vaultExists = "org.relativityd.Credentials.VaultExists"
        case wrongKey = "org.relativityd.Credentials.WrongKey"
        case vaultDamaged = "org.relativityd.Credentials.VaultDamaged"
        case formatTooNew = "org.relativityd.Credentials.FormatTooNew"
        case rollbackSuspected = "org.relativityd.Credentials.RollbackSuspected"
        case forkSuspected = "org.relativityd.Credentials.ForkSuspected"
        case wrongGeneration = "org.relativityd.Credentials.WrongGeneration"
        case providerUnavailable = "org.relativityd.Credentials.ProviderUnavailable"
        case storeBusy = "org.relativityd.Credentials.StoreBusy"
        case unsafeStore = "org.relativityd.Credentials.UnsafeStore"
        case slotNotFound = "org.relativityd.Credentials.SlotNotFound"
        case slotAmbiguous = "org.relativityd.Credentials.SlotAmbiguous"
        case slotNeeded = "org.relativityd.Credentials.SlotNeeded"
        case slotExists = "org.relativityd.Credentials.SlotExists"
        case slotNotPresented = "org.relativityd.Credentials.SlotNotPresented"
        case loginNotFound = "org.relativityd.Credentials.LoginNotFound"
        case loginExists = "org.relativityd.Credentials.LoginExists"
        case loginReadOnly = "org.relativityd.Credentials.LoginReadOnly"
        case invalidLogin = "org.relativityd.Credentials.InvalidLogin"
        case pinNotFound = "org.relativityd.Credentials.PinNotFound"
        case loginsBound = "org.relativityd.Credentials.LoginsBound"
        case plaintextNotAllowed = "org.relativityd.Credentials.PlaintextNotAllowed"
    }

    /// One way to open the vault. id is what methods take as the slot's name, as they do its label where only one slot has
    /// it. kind is the key provider; strength says in words what protects the slot at rest, scryptLog2N what a guess at a
    /// passphrase costs. created is in seconds since 1970.
    public struct Slot: JSONRecord {
        public var id: String
        public var kind: String
        public var label: String
        public var strength: String
        public var scryptLog2N: Int64?
        public var created: Int64

        public init(
            id: String,
            kind: String,
            label: String,
            strength: String,
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

    /// A key provider, tried just now. available tells whether a vault or a slot could be made with it; if not, reason says
    /// why. proposed marks the one that Init should be called with unless the user wants another. kind is what Init and
    /// AddSlot take, strength as in Slot.
    public struct Provider: JSONRecord {
        public var kind: String
        public var available: Bool
        public var reason: String?
        public var strength: String
        public var proposed: Bool

        public init(kind: String, available: Bool, reason: String? = nil, strength: String, proposed: Bool) {
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

    /// What speaks for or against the file being the last one that was saved. current: it is the one that is remembered.
    /// newer: it was saved since. unanchored: nothing was remembered when it was opened, so it was held against nothing.
    /// rollbackSuspected: it is older than generation "known"; forkSuspected: it does not descend from what is remembered. With
    /// either the vault is read-only, and no login goes out. places says where the newest save is remembered now: memory,
    /// file, or a key provider's name. found is the generation of a suspected file, which Accept must name. notes says what
    /// was ignored there, and where it could not be written. The verdict is one of these five words.
    public struct Anchor: JSONRecord {
        public enum Verdict: String, JSONWord {
            case unanchored
            case current
            case newer
            case rollbackSuspected
            case forkSuspected
        }

        public var verdict: Verdict
        public var found: Int64?
        public var known: Int64?
        public var places: [String]
        public var notes: [String]

        public init(verdict: Verdict, found: Int64? = nil, known: Int64? = nil, places: [String], notes: [String]) {
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

    /// weakestSlot is the id of the slot that costs a thief with the disk the least: the vault is as weak as that. format is
    /// the version of the file's format. anchor is set while the vault is unlocked; so is memory, which tells how secrets are
    /// kept from being swapped out: memfd_secret, mlock or swappable; memoryNote says why not better. locksInSeconds is set
    /// while the vault is unlocked and will lock by time. problem says why the file cannot be used, where that is so, and
    /// error is the name of that error. state is absent where there is no file, sealed where it has not been opened since the
    /// daemon started or the machine slept. path is that of the file; its generation grows by one with each save; slots are
    /// the ways to open it, and logins counts those in it while it is unlocked.
    public struct Vault: JSONRecord {
        public enum State: String, JSONWord {
            case absent
            case sealed
            case unlocked
            case locked
        }

        public var state: State
        public var path: String
        public var generation: Int64?
        public var format: String?
        public var slots: [CredentialsAPI.Slot]
        public var weakestSlot: String?
        public var anchor: CredentialsAPI.Anchor?
        public var memory: String?
        public var memoryNote: String?
        public var logins: Int64?
        public var locksInSeconds: Int64?
        public var problem: String?
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
            memoryNote: String? = nil,
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
            self.memoryNote = memoryNote
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
            self.memoryNote = try json.readIfPresent("memoryNote")
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
            output.writeMember("memoryNote", ifPresent: self.memoryNote)
            output.writeMember("logins", ifPresent: self.logins)
            output.writeMember("locksInSeconds", ifPresent: self.locksInSeconds)
            output.writeMember("problem", ifPresent: self.problem)
            output.writeMember("error", ifPresent: self.error)
        }
    }

    /// origin tells who keeps it: the user in the vault, or the administrator, who laid it down as configured: such a login
    /// needs no vault and cannot be changed. A name is unique within one origin; where both have it, the configured login is
    /// meant. endpoint is the id it belongs to, pin the fingerprint it is bound to, created seconds since 1970. domain and
    /// schema are there where the login has one; tier and allowPlaintext are those of its pin, authority is as in
    /// Registry.Identity; verified: a person has agreed to the server's identity on this machine, and until then no password
    /// goes there. userKey is how its login string calls the user, extraKeys what else it says; values of these keys are never
    /// told.
    public struct Login: JSONRecord {
        public enum Origin: String, JSONWord {
            case vault
            case configured
        }

        public var name: String
        public var origin: Origin
        public var endpoint: String
        public var user: String
        public var domain: String?
        public var schema: String?
        public var userKey: String
        public var extraKeys: [String]
        public var tier: Int64
        public var authority: String?
        public var pin: String
        public var allowPlaintext: Bool
        public var verified: Bool
        public var created: Int64

        public init(
            name: String,
            origin: Origin,
            endpoint: String,
            user: String,
            domain: String? = nil,
            schema: String? = nil,
            userKey: String,
            extraKeys: [String],
            tier: Int64,
            authority: String? = nil,
            pin: String,
            allowPlaintext: Bool,
            verified: Bool,
            created: Int64
        ) {
            self.name = name
            self.origin = origin
            self.endpoint = endpoint
            self.user = user
            self.domain = domain
            self.schema = schema
            self.userKey = userKey
            self.extraKeys = extraKeys
            self.tier = tier
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
            self.user = try json.read("user")
            self.domain = try json.readIfPresent("domain")
            self.schema = try json.readIfPresent("schema")
            self.userKey = try json.read("userKey")
            self.extraKeys = try json.read("extraKeys")
            self.tier = try json.read("tier")
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
            output.writeMember("user", self.user)
            output.writeMember("domain", ifPresent: self.domain)
            output.writeMember("schema", ifPresent: self.schema)
            output.writeMember("userKey", self.userKey)
            output.writeMember("extraKeys", self.extraKeys)
            output.writeMember("tier", self.tier)
            output.writeMember("authority", ifPresent: self.authority)
            output.writeMember("pin", self.pin)
            output.writeMember("allowPlaintext", self.allowPlaintext)
            output.writeMember("verified", self.verified)
            output.writeMember("created", self.created)
        }
    }

    /// One more key of a login string. The value is no secret: nothing seals it by itself. It has 1 to 1,024 bytes without
    /// control characters, the key 1 to 64 letters, digits, inner spaces, "_", "-" and "."; a login has up to 16 of them.
    public struct Extra: JSONRecord {
        public var key: String
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

    /// One step of a login test: what was tried, and what came of it. step is "pin", "login" or "logout", ok whether it
    /// succeeded, detail a sentence about it.
    public struct Step: JSONRecord {
        public var step: String
        public var ok: Bool
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

    /// What an endpoint is pinned to, and the names of the logins that are bound to it. verified: a person has agreed to the
    /// identity on this machine; until then no password goes there. tier, fingerprint, words and authority are those of
    /// Registry.Identity; allowPlaintext permits passwords over plain HTTP.
    public struct Pin: JSONRecord {
        public var endpoint: String
        public var tier: Int64
        public var authority: String?
        public var fingerprint: String
        public var words: String
        public var allowPlaintext: Bool
        public var verified: Bool
        public var logins: [String]

        public init(
            endpoint: String,
            tier: Int64,
            authority: String? = nil,
            fingerprint: String,
            words: String,
            allowPlaintext: Bool,
            verified: Bool,
            logins: [String]
        ) {
            self.endpoint = endpoint
            self.tier = tier
            self.authority = authority
            self.fingerprint = fingerprint
            self.words = words
            self.allowPlaintext = allowPlaintext
            self.verified = verified
            self.logins = logins
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.endpoint = try json.read("endpoint")
            self.tier = try json.read("tier")
            self.authority = try json.readIfPresent("authority")
            self.fingerprint = try json.read("fingerprint")
            self.words = try json.read("words")
            self.allowPlaintext = try json.read("allowPlaintext")
            self.verified = try json.read("verified")
            self.logins = try json.read("logins")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("endpoint", self.endpoint)
            output.writeMember("tier", self.tier)
            output.writeMember("authority", ifPresent: self.authority)
            output.writeMember("fingerprint", self.fingerprint)
            output.writeMember("words", self.words)
            output.writeMember("allowPlaintext", self.allowPlaintext)
            output.writeMember("verified", self.verified)
            output.writeMember("logins", self.logins)
        }
    }

    /// What an import did, or would do, with one login of the file. endpoint is the id that its server has here, name and url
    /// say where the file has it. A conflict leaves what is here as it is; reason says why. needsAgreement: nobody has agreed
    /// to the server's identity here yet, and until then no password goes there. verdict: it is new here, it is here already
    /// as it is, or something else is.
    public struct ImportedLogin: JSONRecord {
        public enum Verdict: String, JSONWord {
            case added
            case unchanged
            case conflict
        }

        public var login: String
        public var endpoint: String
        public var name: String?
        public var url: String?
        public var verdict: Verdict
        public var reason: String?
        public var needsAgreement: Bool

        public init(
            login: String,
            endpoint: String,
            name: String? = nil,
            url: String? = nil,
            verdict: Verdict,
            reason: String? = nil,
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

    /// The vault as it is; reads it and changes nothing.
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

    /// Tries every key provider, which takes as long as the slowest of them, and says what to propose.
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

    /// Makes a vault. provider is what opens it: passphrase (secret: the passphrase), or one that keeps a key outside, of
    /// which key-file also needs insecureKeyFile. With recoveryCode the vault gets a second slot, and the last secret is the
    /// text of the code, which the caller has made. Without either secret it is a plain call. label names the first slot.
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

    /// Unlocks the vault, or sees whether a secret still opens it while it is unlocked. provider is passphrase, which is
    /// meant where it is left out, or recovery-code. Secret: the passphrase or the text of the code. A plain call asks a
    /// provider that keeps a key outside: the one that is named, else the first of which the vault has a slot.
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

    /// Gives the open vault one more key slot. provider, the secret, label and insecureKeyFile are those of Init; for
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

    /// Removes a key slot, the copy of the file before it, and what its provider keeps. Other copies of the file still open
    /// with it. force also removes the last slot that opens the vault on another machine. note says what could not be done.
    public struct RemoveSlotCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.RemoveSlotReply

        public static let method = "org.relativityd.Credentials.RemoveSlot"

        public var slot: String
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

    /// Wraps the vault's key anew for the secret that a slot has, at the scrypt cost of today. Secret: that passphrase, or
    /// the text of that recovery code; a plain call for all other slots.
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

    /// Names a slot. slot is its id, or the label that it had; label is the new one.
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

    /// Secrets: the old passphrase, then the new one, which takes the old one's slot.
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

    /// Gives the vault a new data key and seals all secrets anew. present names the slots whose secrets come, in this order;
    /// drop names those that go. Every slot with a passphrase or a recovery code is in one of them. A plain call if present
    /// is empty. force and note are those of RemoveSlot.
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

    /// Wipes the keys and ends the sessions that used them.
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

    /// Takes the vault's file as it is, although it is older than what is remembered or does not descend from it. generation
    /// is that of the file, which GetStatus tells in "found". Needs an unlocked vault.
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

    /// Brings the file to a format that this daemon writes. Each save takes the lowest that holds what is in the vault, so
    /// nothing is changed, and a file of a later format is an error.
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

    /// All logins, by name. Without an unlocked vault only the configured ones, where there are any, and why those of the
    /// vault are missing.
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

    /// Secret: the password. pin is the fingerprint that the user was shown (Registry.GetIdentity, with the same trust) and
    /// accepted; it must still be the endpoint's. userKey is "User Id", the default, or "User". allowPlaintext permits the password to cross the network unencrypted to exactly that
    /// address. Unless test is false, the login is tried before it is saved. samplePassword warns that the password is the one
    /// of the vendor's documented accounts. Without name it is user@endpoint/domain/schema, without what is left out; domain
    /// and schema are what the server wants beside the user, if it does.
    public struct AddLoginCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.AddLoginReply

        public static let method = "org.relativityd.Credentials.AddLogin"

        public enum Trust: String, JSONWord {
            case key
            case ca
        }

        public var endpoint: String
        public var name: String?
        public var user: String
        public var domain: String?
        public var schema: String?
        public var userKey: String?
        public var extras: [CredentialsAPI.Extra]?
        public var pin: String
        public var trust: Trust?
        public var allowPlaintext: Bool?
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
            trust: Trust? = nil,
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

    /// Changes a login; absent members stay as they are. Of extras those that are given are set, and an empty value takes one
    /// away. Secret, when called with "upgrade": the new password. Unless test is false or only the name changes, the login is
    /// tried before it is saved. Sessions of the login end, unless only the name changes. userKey, user, domain, schema and samplePassword are those of AddLogin.
    public struct EditLoginCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.EditLoginReply

        public static let method = "org.relativityd.Credentials.EditLogin"

        public var login: String
        public var name: String?
        public var user: String?
        public var domain: String?
        public var schema: String?
        public var userKey: String?
        public var extras: [CredentialsAPI.Extra]?
        public var test: Bool?

        public init(
            login: String,
            name: String? = nil,
            user: String? = nil,
            domain: String? = nil,
            schema: String? = nil,
            userKey: String? = nil,
            extras: [CredentialsAPI.Extra]? = nil,
            test: Bool? = nil
        ) {
            self.login = login
            self.name = name
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

    /// Connects, proves the pin, logs in and out. Also permits a login again that the server refused before. error is the
    /// name of the error that ended it, where a step failed; tier is that of the pin. steps are those that were tried;
    /// samplePassword is that of AddLogin.
    public struct TestLoginCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.TestLoginReply

        public static let method = "org.relativityd.Credentials.TestLogin"

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
        public var tier: Int64
        public var steps: [CredentialsAPI.Step]
        public var samplePassword: Bool
        public var error: String?

        public init(tier: Int64, steps: [CredentialsAPI.Step], samplePassword: Bool, error: String? = nil) {
            self.tier = tier
            self.steps = steps
            self.samplePassword = samplePassword
            self.error = error
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.tier = try json.read("tier")
            self.steps = try json.read("steps")
            self.samplePassword = try json.read("samplePassword")
            self.error = try json.readIfPresent("error")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("tier", self.tier)
            output.writeMember("steps", self.steps)
            output.writeMember("samplePassword", self.samplePassword)
            output.writeMember("error", ifPresent: self.error)
        }
    }

    /// Forgets a login of the vault by its name. Needs an unlocked vault.
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

    /// All pins, by endpoint. Needs an unlocked vault.
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

        public enum Trust: String, JSONWord {
            case key
            case ca
        }

        public var endpoint: String
        public var pin: String
        public var trust: Trust?
        public var allowPlaintext: Bool?

        public init(endpoint: String, pin: String, trust: Trust? = nil, allowPlaintext: Bool? = nil) {
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

    /// Binds an endpoint and its logins to the identity that it shows now, which the user was shown and accepted. Sessions of
    /// the logins end. pin, trust and allowPlaintext are as in AddLogin.
    public struct RepinEndpointCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.RepinEndpointReply

        public static let method = "org.relativityd.Credentials.RepinEndpoint"

        public enum Trust: String, JSONWord {
            case key
            case ca
        }

        public var endpoint: String
        public var pin: String
        public var trust: Trust?
        public var allowPlaintext: Bool?

        public init(endpoint: String, pin: String, trust: Trust? = nil, allowPlaintext: Bool? = nil) {
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

    /// Forgets what an endpoint is pinned to. While logins are bound to it this is refused, unless logins is true: then they
    /// are removed too. The reply names the logins that were removed.
    public struct ForgetPinCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.ForgetPinReply

        public static let method = "org.relativityd.Credentials.ForgetPin"

        public var endpoint: String
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

    /// The vault's file as it is, decrypted once to prove that it is whole. file is base64. sha256 is that of its bytes, in
    /// hexadecimal digits; generation and logins are those of the vault.
    public struct BackupCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.BackupReply

        public static let method = "org.relativityd.Credentials.Backup"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `BackupCall`.
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

    /// Puts a vault where there is none, or with replace in the place of the one that is here, and unlocks it; makes the
    /// entries of its endpoints again where they are not known; note says where that failed. provider is what opens it:
    /// passphrase or recovery-code (secret), or one that keeps a key outside. The file follows, after the secret, in pieces
    /// of up to 65,536 bytes, each behind its length like a secret; an empty piece ends it.
    public struct RestoreCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.RestoreReply

        public static let method = "org.relativityd.Credentials.Restore"

        public var provider: String
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

    /// Another vault with the same logins, which opens with one passphrase and nothing else. Secret: that passphrase. file,
    /// sha256, generation and logins are those of Backup.
    public struct ExportCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.ExportReply

        public static let method = "org.relativityd.Credentials.Export"

        public init() {}

        public init(json: JSONObject) throws(JSONShapeError) {}

        public func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `ExportCall`.
    public struct ExportReply: JSONRecord {
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

    /// Takes in the logins of a vault from elsewhere; replaces nothing. provider, secret and file are as with Restore. dryRun
    /// tells what would become of each login, and changes nothing. note is that of Restore.
    public struct ImportCall: VarlinkMethodCall {
        public typealias Reply = CredentialsAPI.ImportReply

        public static let method = "org.relativityd.Credentials.Import"

        public var provider: String
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
        public var logins: [CredentialsAPI.ImportedLogin]
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

    /// There is no vault yet.
    public struct VaultAbsentError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.VaultAbsent"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// The vault must be unlocked first.
    public struct VaultLockedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.VaultLocked"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// There is a vault already.
    public struct VaultExistsError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.VaultExists"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// The passphrase or key does not open the vault.
    public struct WrongKeyError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.WrongKey"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// The vault's file is damaged.
    public struct VaultDamagedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.VaultDamaged"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// The vault's file is of a newer format.
    public struct FormatTooNewError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.FormatTooNew"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// The vault's file is older than what is remembered: it is read-only until it is accepted or the right file is back.
    public struct RollbackSuspectedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.RollbackSuspected"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// The vault's file does not descend from what is remembered; the same follows.
    public struct ForkSuspectedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.ForkSuspected"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// The vault's file has another generation than the one to be accepted.
    public struct WrongGenerationError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.WrongGeneration"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// A key provider does not work; the message names it with the reason. There is no fallback.
    public struct ProviderUnavailableError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.ProviderUnavailable"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// Another process holds the vault's file, or changed it in between.
    public struct StoreBusyError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.StoreBusy"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// The vault's file or directory is not safe to use, or could not be written.
    public struct UnsafeStoreError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.UnsafeStore"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// No key slot has this id or label.
    public struct SlotNotFoundError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.SlotNotFound"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// Several key slots are called so; candidates are their ids.
    public struct SlotAmbiguousError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.SlotAmbiguous"

        public var message: String
        public var hint: String?
        public var candidates: [String]

        public init(message: String, hint: String? = nil, candidates: [String]) {
            self.message = message
            self.hint = hint
            self.candidates = candidates
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
            self.candidates = try json.read("candidates")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
            output.writeMember("candidates", self.candidates)
        }
    }

    /// The last slot, and the last one that opens the vault on another machine, are not removed.
    public struct SlotNeededError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.SlotNeeded"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// The vault has a slot of this kind already, and takes no second one.
    public struct SlotExistsError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.SlotExists"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// The secret of a slot is needed, or its name in drop.
    public struct SlotNotPresentedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.SlotNotPresented"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// No login has this name.
    public struct LoginNotFoundError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.LoginNotFound"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// A login has this name already.
    public struct LoginExistsError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.LoginExists"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// The administrator laid the login down; it cannot be changed from here.
    public struct LoginReadOnlyError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.LoginReadOnly"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// A user, domain, schema, name, label or secret makes no sense.
    public struct InvalidLoginError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.InvalidLogin"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// The endpoint is not pinned.
    public struct PinNotFoundError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.PinNotFound"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// Logins need the endpoint's pin; the message has their names.
    public struct LoginsBoundError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.LoginsBound"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// A plain HTTP login needs the user's explicit permission.
    public struct PlaintextNotAllowedError: VarlinkErrorRecord {
        /// The interface's name.
        public static let name = "org.relativityd.Credentials.PlaintextNotAllowed"

        public var message: String
        public var hint: String?

        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }

        public init(json: JSONObject) throws(JSONShapeError) {
            self.message = try json.read("message")
            self.hint = try json.readIfPresent("hint")
        }

        public func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("message", self.message)
            output.writeMember("hint", ifPresent: self.hint)
        }
    }

    /// The definition of the interface.
    public static let definition = #"""
        # The vault and the logins in it. No call returns a password, and no parameter carries one: methods marked "secret"
        # are called with "upgrade". The daemon answers with an empty reply (or an error, and the call is over); then the caller
        # sends the secret as its length (u32, little-endian) and its raw bytes; then comes the reply proper and the connection
        # is closed.
        interface org.relativityd.Credentials

        # One way to open the vault. id is what methods take as the slot's name, as they do its label where only one slot has
        # it. kind is the key provider; strength says in words what protects the slot at rest, scryptLog2N what a guess at a
        # passphrase costs. created is in seconds since 1970.
        type Slot (
          id: string,
          kind: string,
          label: string,
          strength: string,
          scryptLog2N: ?int,
          created: int
        )

        # A key provider, tried just now. available tells whether a vault or a slot could be made with it; if not, reason says
        # why. proposed marks the one that Init should be called with unless the user wants another. kind is what Init and
        # AddSlot take, strength as in Slot.
        type Provider (
          kind: string,
          available: bool,
          reason: ?string,
          strength: string,
          proposed: bool
        )

        # What speaks for or against the file being the last one that was saved. current: it is the one that is remembered.
        # newer: it was saved since. unanchored: nothing was remembered when it was opened, so it was held against nothing.
        # rollbackSuspected: it is older than generation "known"; forkSuspected: it does not descend from what is remembered. With
        # either the vault is read-only, and no login goes out. places says where the newest save is remembered now: memory,
        # file, or a key provider's name. found is the generation of a suspected file, which Accept must name. notes says what
        # was ignored there, and where it could not be written. The verdict is one of these five words.
        type Anchor (
          verdict: (unanchored, current, newer, rollbackSuspected, forkSuspected),
          found: ?int,
          known: ?int,
          places: []string,
          notes: []string
        )

        # weakestSlot is the id of the slot that costs a thief with the disk the least: the vault is as weak as that. format is
        # the version of the file's format. anchor is set while the vault is unlocked; so is memory, which tells how secrets are
        # kept from being swapped out: memfd_secret, mlock or swappable; memoryNote says why not better. locksInSeconds is set
        # while the vault is unlocked and will lock by time. problem says why the file cannot be used, where that is so, and
        # error is the name of that error. state is absent where there is no file, sealed where it has not been opened since the
        # daemon started or the machine slept. path is that of the file; its generation grows by one with each save; slots are
        # the ways to open it, and logins counts those in it while it is unlocked.
        type Vault (
          state: (absent, sealed, unlocked, locked),
          path: string,
          generation: ?int,
          format: ?string,
          slots: []Slot,
          weakestSlot: ?string,
          anchor: ?Anchor,
          memory: ?string,
          memoryNote: ?string,
          logins: ?int,
          locksInSeconds: ?int,
          problem: ?string,
          error: ?string
        )

        # origin tells who keeps it: the user in the vault, or the administrator, who laid it down as configured: such a login
        # needs no vault and cannot be changed. A name is unique within one origin; where both have it, the configured login is
        # meant. endpoint is the id it belongs to, pin the fingerprint it is bound to, created seconds since 1970. domain and
        # schema are there where the login has one; tier and allowPlaintext are those of its pin, authority is as in
        # Registry.Identity; verified: a person has agreed to the server's identity on this machine, and until then no password
        # goes there. userKey is how its login string calls the user, extraKeys what else it says; values of these keys are never
        # told.
        type Login (
          name: string,
          origin: (vault, configured),
          endpoint: string,
          user: string,
          domain: ?string,
          schema: ?string,
          userKey: string,
          extraKeys: []string,
          tier: int,
          authority: ?string,
          pin: string,
          allowPlaintext: bool,
          verified: bool,
          created: int
        )

        # One more key of a login string. The value is no secret: nothing seals it by itself. It has 1 to 1,024 bytes without
        # control characters, the key 1 to 64 letters, digits, inner spaces, "_", "-" and "."; a login has up to 16 of them.
        type Extra (
          key: string,
          value: string
        )

        # One step of a login test: what was tried, and what came of it. step is "pin", "login" or "logout", ok whether it
        # succeeded, detail a sentence about it.
        type Step (
          step: string,
          ok: bool,
          detail: string
        )

        # What an endpoint is pinned to, and the names of the logins that are bound to it. verified: a person has agreed to the
        # identity on this machine; until then no password goes there. tier, fingerprint, words and authority are those of
        # Registry.Identity; allowPlaintext permits passwords over plain HTTP.
        type Pin (
          endpoint: string,
          tier: int,
          authority: ?string,
          fingerprint: string,
          words: string,
          allowPlaintext: bool,
          verified: bool,
          logins: []string
        )

        # What an import did, or would do, with one login of the file. endpoint is the id that its server has here, name and url
        # say where the file has it. A conflict leaves what is here as it is; reason says why. needsAgreement: nobody has agreed
        # to the server's identity here yet, and until then no password goes there. verdict: it is new here, it is here already
        # as it is, or something else is.
        type ImportedLogin (
          login: string,
          endpoint: string,
          name: ?string,
          url: ?string,
          verdict: (added, unchanged, conflict),
          reason: ?string,
          needsAgreement: bool
        )

        # The vault as it is; reads it and changes nothing.
        method GetStatus() -> (vault: Vault)

        # Tries every key provider, which takes as long as the slowest of them, and says what to propose.
        method ListProviders() -> (providers: []Provider)

        # Makes a vault. provider is what opens it: passphrase (secret: the passphrase), or one that keeps a key outside, of
        # which key-file also needs insecureKeyFile. With recoveryCode the vault gets a second slot, and the last secret is the
        # text of the code, which the caller has made. Without either secret it is a plain call. label names the first slot.
        method Init(provider: string, label: ?string, recoveryCode: ?bool, insecureKeyFile: ?bool) -> (vault: Vault)

        # Unlocks the vault, or sees whether a secret still opens it while it is unlocked. provider is passphrase, which is
        # meant where it is left out, or recovery-code. Secret: the passphrase or the text of the code. A plain call asks a
        # provider that keeps a key outside: the one that is named, else the first of which the vault has a slot.
        method Unlock(provider: ?string) -> (vault: Vault)

        # Gives the open vault one more key slot. provider, the secret, label and insecureKeyFile are those of Init; for
        # recovery-code the secret is the text of a code that the caller has made.
        method AddSlot(provider: string, label: ?string, insecureKeyFile: ?bool) -> (vault: Vault)

        # Removes a key slot, the copy of the file before it, and what its provider keeps. Other copies of the file still open
        # with it. force also removes the last slot that opens the vault on another machine. note says what could not be done.
        method RemoveSlot(slot: string, force: ?bool) -> (vault: Vault, note: ?string)

        # Wraps the vault's key anew for the secret that a slot has, at the scrypt cost of today. Secret: that passphrase, or
        # the text of that recovery code; a plain call for all other slots.
        method RewrapSlot(slot: string) -> (vault: Vault)

        # Names a slot. slot is its id, or the label that it had; label is the new one.
        method LabelSlot(slot: string, label: string) -> (vault: Vault)

        # Secrets: the old passphrase, then the new one, which takes the old one's slot.
        method ChangePassphrase() -> (vault: Vault)

        # Gives the vault a new data key and seals all secrets anew. present names the slots whose secrets come, in this order;
        # drop names those that go. Every slot with a passphrase or a recovery code is in one of them. A plain call if present
        # is empty. force and note are those of RemoveSlot.
        method RotateKey(present: []string, drop: []string, force: ?bool) -> (vault: Vault, note: ?string)

        # Wipes the keys and ends the sessions that used them.
        method Lock() -> (vault: Vault)

        # Takes the vault's file as it is, although it is older than what is remembered or does not descend from it. generation
        # is that of the file, which GetStatus tells in "found". Needs an unlocked vault.
        method Accept(generation: int) -> (vault: Vault)

        # Brings the file to a format that this daemon writes. Each save takes the lowest that holds what is in the vault, so
        # nothing is changed, and a file of a later format is an error.
        method Upgrade() -> (vault: Vault)

        # All logins, by name. Without an unlocked vault only the configured ones, where there are any, and why those of the
        # vault are missing.
        method ListLogins() -> (logins: []Login, missing: ?string)

        # Secret: the password. pin is the fingerprint that the user was shown (Registry.GetIdentity, with the same trust) and
        # accepted; it must still be the endpoint's. userKey is "User Id", the default, or "User". allowPlaintext permits the password to cross the network unencrypted to exactly that
        # address. Unless test is false, the login is tried before it is saved. samplePassword warns that the password is the one
        # of the vendor's documented accounts. Without name it is user@endpoint/domain/schema, without what is left out; domain
        # and schema are what the server wants beside the user, if it does.
        method AddLogin(
          endpoint: string,
          name: ?string,
          user: string,
          domain: ?string,
          schema: ?string,
          userKey: ?string,
          extras: ?[]Extra,
          pin: string,
          trust: ?(key, ca),
          allowPlaintext: ?bool,
          test: ?bool
        ) -> (login: Login, samplePassword: bool)

        # Changes a login; absent members stay as they are. Of extras those that are given are set, and an empty value takes one
        # away. Secret, when called with "upgrade": the new password. Unless test is false or only the name changes, the login is
        # tried before it is saved. Sessions of the login end, unless only the name changes. userKey, user, domain, schema and samplePassword are those of AddLogin.
        method EditLogin(
          login: string,
          name: ?string,
          user: ?string,
          domain: ?string,
          schema: ?string,
          userKey: ?string,
          extras: ?[]Extra,
          test: ?bool
        ) -> (login: Login, samplePassword: bool)

        # Connects, proves the pin, logs in and out. Also permits a login again that the server refused before. error is the
        # name of the error that ended it, where a step failed; tier is that of the pin. steps are those that were tried;
        # samplePassword is that of AddLogin.
        method TestLogin(login: string) -> (tier: int, steps: []Step, samplePassword: bool, error: ?string)

        # Forgets a login of the vault by its name. Needs an unlocked vault.
        method RemoveLogin(login: string) -> ()

        # All pins, by endpoint. Needs an unlocked vault.
        method ListPins() -> (pins: []Pin)

        # Pins an endpoint without a login. pin, trust and allowPlaintext are as in AddLogin.
        method PinEndpoint(endpoint: string, pin: string, trust: ?(key, ca), allowPlaintext: ?bool) -> (pin: Pin)

        # Binds an endpoint and its logins to the identity that it shows now, which the user was shown and accepted. Sessions of
        # the logins end. pin, trust and allowPlaintext are as in AddLogin.
        method RepinEndpoint(endpoint: string, pin: string, trust: ?(key, ca), allowPlaintext: ?bool) -> (pin: Pin)

        # Forgets what an endpoint is pinned to. While logins are bound to it this is refused, unless logins is true: then they
        # are removed too. The reply names the logins that were removed.
        method ForgetPin(endpoint: string, logins: ?bool) -> (logins: []string)

        # The vault's file as it is, decrypted once to prove that it is whole. file is base64. sha256 is that of its bytes, in
        # hexadecimal digits; generation and logins are those of the vault.
        method Backup() -> (file: string, sha256: string, generation: int, logins: int)

        # Puts a vault where there is none, or with replace in the place of the one that is here, and unlocks it; makes the
        # entries of its endpoints again where they are not known; note says where that failed. provider is what opens it:
        # passphrase or recovery-code (secret), or one that keeps a key outside. The file follows, after the secret, in pieces
        # of up to 65,536 bytes, each behind its length like a secret; an empty piece ends it.
        method Restore(provider: string, replace: ?bool) -> (vault: Vault, note: ?string)

        # Another vault with the same logins, which opens with one passphrase and nothing else. Secret: that passphrase. file,
        # sha256, generation and logins are those of Backup.
        method Export() -> (file: string, sha256: string, generation: int, logins: int)

        # Takes in the logins of a vault from elsewhere; replaces nothing. provider, secret and file are as with Restore. dryRun
        # tells what would become of each login, and changes nothing. note is that of Restore.
        method Import(provider: string, dryRun: ?bool) -> (logins: []ImportedLogin, note: ?string)

        # There is no vault yet.
        error VaultAbsent (message: string, hint: ?string)

        # The vault must be unlocked first.
        error VaultLocked (message: string, hint: ?string)

        # There is a vault already.
        error VaultExists (message: string, hint: ?string)

        # The passphrase or key does not open the vault.
        error WrongKey (message: string, hint: ?string)

        # The vault's file is damaged.
        error VaultDamaged (message: string, hint: ?string)

        # The vault's file is of a newer format.
        error FormatTooNew (message: string, hint: ?string)

        # The vault's file is older than what is remembered: it is read-only until it is accepted or the right file is back.
        error RollbackSuspected (message: string, hint: ?string)

        # The vault's file does not descend from what is remembered; the same follows.
        error ForkSuspected (message: string, hint: ?string)

        # The vault's file has another generation than the one to be accepted.
        error WrongGeneration (message: string, hint: ?string)

        # A key provider does not work; the message names it with the reason. There is no fallback.
        error ProviderUnavailable (message: string, hint: ?string)

        # Another process holds the vault's file, or changed it in between.
        error StoreBusy (message: string, hint: ?string)

        # The vault's file or directory is not safe to use, or could not be written.
        error UnsafeStore (message: string, hint: ?string)

        # No key slot has this id or label.
        error SlotNotFound (message: string, hint: ?string)

        # Several key slots are called so; candidates are their ids.
        error SlotAmbiguous (message: string, hint: ?string, candidates: []string)

        # The last slot, and the last one that opens the vault on another machine, are not removed.
        error SlotNeeded (message: string, hint: ?string)

        # The vault has a slot of this kind already, and takes no second one.
        error SlotExists (message: string, hint: ?string)

        # The secret of a slot is needed, or its name in drop.
        error SlotNotPresented (message: string, hint: ?string)

        # No login has this name.
        error LoginNotFound (message: string, hint: ?string)

        # A login has this name already.
        error LoginExists (message: string, hint: ?string)

        # The administrator laid the login down; it cannot be changed from here.
        error LoginReadOnly (message: string, hint: ?string)

        # A user, domain, schema, name, label or secret makes no sense.
        error InvalidLogin (message: string, hint: ?string)

        # The endpoint is not pinned.
        error PinNotFound (message: string, hint: ?string)

        # Logins need the endpoint's pin; the message has their names.
        error LoginsBound (message: string, hint: ?string)

        # A plain HTTP login needs the user's explicit permission.
        error PlaintextNotAllowed (message: string, hint: ?string)

        """#
}
