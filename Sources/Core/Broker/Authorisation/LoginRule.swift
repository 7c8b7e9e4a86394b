// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Platform
import Registry

/// The words by which a caller names an endpoint and a login.
package struct NamedUse: Sendable, Hashable {
    /// The ID or the name of an endpoint, its beginning, `LOGIN@ENDPOINT`, or the name of a login; nil for the endpoint
    /// of the login.
    package var place: String?
    /// The name of a login or its beginning; nil to choose one.
    package var login: String?
    /// The login that the caller prefers if it is one of the endpoint: its variable `RELATIVITYD_LOGIN`.
    package var preferred: String?
    /// Whether no login is used. `place` is only an endpoint then.
    package var isAnonymous: Bool

    /// A use with these words.
    package init(
        _ place: String?,
        login: String? = nil,
        preferred: String? = nil,
        isAnonymous: Bool = false
    ) {
        self.place = place
        self.login = login
        self.preferred = preferred
        self.isAnonymous = isAnonymous
    }
}

extension LoginChooser {
    /// The reason for the choice, after the name of the login.
    var phrase: String {
        switch self {
        case .named: "named by the caller"
        case .variable: "chosen by RELATIVITYD_LOGIN"
        case .endpoint: "the default of the endpoint"
        case .global: "the default login"
        case .onlyOne: "the only one"
        }
    }
}

/// The rule by which a login is chosen. It is the only one, for all commands and interfaces.
struct LoginRule {
    /// A login with the endpoint that it is for.
    struct Known: Hashable {
        let name: String
        let endpoint: EndpointID
    }

    struct Choice {
        let endpoint: Endpoint
        let login: Known
        let chooser: LoginChooser
    }

    /// A meaning of the word that names an endpoint.
    private struct Reading {
        let endpoint: Endpoint
        /// The login that the word names too; nil if it names only the endpoint.
        var login: Known?

        var text: String {
            login.map { "the login '\(Printable($0.name))' of '\(Printable(endpoint.name))'" }
                ?? "the endpoint '\(Printable(endpoint.name))'"
        }
    }

    /// No name of an endpoint is longer, and no ID.
    private static let longestPlace = 64

    /// The logins that can be read now, the configured ones first.
    let logins: [Known]
    /// Why the logins of the vault are missing; nil if they are not.
    var missing: CredentialError?
    /// The default of all endpoints.
    var standing: DefaultLogin?

    /// `missing`, unless there is no vault, and so no login in it.
    private var closed: CredentialError? { if case .noVault? = missing { nil } else { missing } }

    /// Chooses the endpoint and the login of a use with a login.
    ///
    /// - Parameter find: the look-up of an endpoint by its ID, its name, or the beginning of either.
    /// - Throws: `BrokerError.loginNeeded`, `.loginAmbiguous`, `.loginElsewhere`, `.loginMissing`, `.loginUnclear`,
    ///   `.unreachable`; `CredentialError.noSuchLogin`, `.loginNameAmbiguous`; `missing` if a login that cannot be read
    ///   now may be meant; the errors of `find`.
    func choice(_ use: NamedUse, find: (String) throws -> Endpoint) throws -> Choice {
        guard let word = use.place else {
            let (login, chooser) = try choice(use)
            return Choice(endpoint: try endpoint(of: login, find), login: login, chooser: chooser)
        }
        let readings = try readings(of: word, find)
        let choices = readings.map { reading in Result { try choice(use, in: reading, word) } }
        guard choices.count > 1 else { return try choices[0].get() }
        let possible = choices.compactMap { try? $0.get() }
        let isOne = Set(possible.map(\.login)).count == 1
        // A login that is named in addition excludes the readings that it contradicts.
        if let first = possible.first, isOne, use.login != nil || possible.count == choices.count { return first }
        if possible.isEmpty { return try choices[0].get() }
        throw BrokerError.loginUnclear(word, readings: readings.map(\.text))
    }

    /// Finds the endpoint of a use without a login.
    ///
    /// - Throws: `BrokerError.loginUnwanted` if the word names a login with an endpoint; the errors of `find`.
    static func anonymousEndpoint(_ word: String, find: (String) throws -> Endpoint) throws -> Endpoint {
        do {
            return try find(word)
        } catch {
            guard divisions(of: word).contains(where: { (try? find($0.place)) != nil }) else { throw error }
            throw BrokerError.loginUnwanted(word)
        }
    }

    // MARK: The word

    /// The texts before and after each `@` that can be a login and an endpoint.
    private static func divisions(of word: String) -> [(name: String, place: String)] {
        word.utf8.indices.filter { word.utf8[$0] == UInt8(ascii: "@") }
            .map { (String(word[..<$0]), String(word[word.utf8.index(after: $0)...])) }
            .filter { !$0.name.isEmpty && (1...longestPlace).contains($0.place.utf8.count) }
    }

    /// Returns the meanings of a word: if it is wholly the name of a login or an endpoint, these; otherwise a login and
    /// an endpoint with an `@` between them; otherwise the endpoint that it is the beginning of. At least one.
    private func readings(of word: String, _ find: (String) throws -> Endpoint) throws -> [Reading] {
        let found = Result { try find(word) }
        var readings: [Reading] = []
        var lost: (any Error)?
        for login in logins where login.name == word {
            do {
                readings.append(Reading(endpoint: try endpoint(of: login, find), login: login))
            } catch {
                lost = error
            }
        }
        if case .success(let endpoint) = found, endpoint.name == word || endpoint.id.text == word, isOwn(endpoint) {
            readings.append(Reading(endpoint: endpoint))
        }
        guard readings.isEmpty else { return readings }
        if let lost { throw lost }
        guard word.utf8.contains(UInt8(ascii: "@")) else { return [Reading(endpoint: try found.get())] }
        return try parts(of: word, found, find)
    }

    private func parts(
        of word: String,
        _ whole: Result<Endpoint, any Error>,
        _ find: (String) throws -> Endpoint
    ) throws -> [Reading] {
        var readings: [Reading] = []
        var isLogin = false
        for (name, place) in Self.divisions(of: word) {
            guard let endpoint = try? find(place) else { continue }
            isLogin = isLogin || isOwn(endpoint)
            let here = logins.filter { $0.endpoint == endpoint.id }
            for match in NameReference(name).matches(in: here.map(\.name)) {
                readings.append(Reading(endpoint: endpoint, login: Known(name: match, endpoint: endpoint.id)))
            }
        }
        guard readings.isEmpty else { return readings }
        if let closed, isLogin { throw closed }
        if case .success(let endpoint) = whole, isOwn(endpoint) || !isLogin { return [Reading(endpoint: endpoint)] }
        // The word may be the name of a login in the closed vault.
        if let closed { throw closed }
        if isLogin { throw missing ?? CredentialError.noSuchLogin(word) }
        return [Reading(endpoint: try whole.get())]
    }

    /// Whether the user or the administrator has added an endpoint, or has a login for it. Any host can announce a
    /// name, which must neither make the words of the user ambiguous nor take them over.
    private func isOwn(_ endpoint: Endpoint) -> Bool {
        endpoint.origin != .discovered || logins.contains { $0.endpoint == endpoint.id }
    }

    private func endpoint(of login: Known, _ find: (String) throws -> Endpoint) throws -> Endpoint {
        // An ID is never the beginning of another one.
        guard let endpoint = try? find(login.endpoint.text), endpoint.id == login.endpoint else {
            throw BrokerError.unreachable(StateReason(code: .notListed))
        }
        return endpoint
    }

    // MARK: The login

    /// Chooses the login of a use that names no endpoint.
    private func choice(_ use: NamedUse) throws -> (Known, LoginChooser) {
        if let name = use.login { return (try login(name, at: nil, by: .named), .named) }
        if let name = use.preferred { return (try login(name, at: nil, by: .variable), .variable) }
        if let standing {
            let endpoint = standing.endpoint.flatMap { EndpointID($0) }
            return (try login(standing.name, at: endpoint, by: .global), .global)
        }
        guard let only = logins.first else { throw missing ?? BrokerError.loginNeeded(endpoint: nil) }
        guard logins.count == 1 else {
            throw BrokerError.loginAmbiguous(endpoint: nil, candidates: logins.map(\.name))
        }
        return (only, .onlyOne)
    }

    private func choice(_ use: NamedUse, in reading: Reading, _ word: String) throws -> Choice {
        let endpoint = reading.endpoint
        func chosen(_ login: Known, _ chooser: LoginChooser) -> Choice {
            Choice(endpoint: endpoint, login: login, chooser: chooser)
        }
        if let name = use.login {
            let login = try login(name, at: endpoint.id, by: .named)
            guard login.endpoint == endpoint.id else {
                throw BrokerError.loginElsewhere(login: login.name, endpoint: login.endpoint)
            }
            if let other = reading.login, other != login {
                let texts = [reading, Reading(endpoint: endpoint, login: login)].map(\.text)
                throw BrokerError.loginUnclear("\(word) --login \(name)", readings: texts)
            }
            return chosen(login, .named)
        }
        if let login = reading.login { return chosen(login, .named) }
        if let name = use.preferred {
            let login = try login(name, at: endpoint.id, by: .variable)
            if login.endpoint == endpoint.id { return chosen(login, .variable) }
        }
        let here = logins.filter { $0.endpoint == endpoint.id }
        if let name = endpoint.defaultLogin {
            guard let login = here.first(where: { $0.name == name }) else {
                throw closed ?? BrokerError.loginMissing(name, .endpoint)
            }
            return chosen(login, .endpoint)
        }
        if let standing {
            if let login = here.first(where: { $0.name == standing.name }), isMeant(login, by: standing) {
                return chosen(login, .global)
            }
            if let closed, standing.endpoint == endpoint.id.text { throw closed }
        }
        guard let only = here.first else { throw missing ?? BrokerError.loginNeeded(endpoint: endpoint.name) }
        guard here.count == 1 else {
            throw BrokerError.loginAmbiguous(endpoint: endpoint.name, candidates: here.map(\.name))
        }
        return chosen(only, .onlyOne)
    }

    /// Whether the default is this login of its name. A configured login and one of the vault may have the same name.
    private func isMeant(_ login: Known, by standing: DefaultLogin) -> Bool {
        guard let endpoint = standing.endpoint, endpoint != login.endpoint.text else { return true }
        // The endpoint of the login may have changed since it became the default.
        return closed == nil && !logins.contains { $0.name == standing.name && $0.endpoint.text == endpoint }
    }

    /// Returns the login with this name, or the only one whose name begins with it: of the endpoint if there is one,
    /// otherwise of another endpoint.
    private func login(_ name: String, at endpoint: EndpointID?, by chooser: LoginChooser) throws -> Known {
        let here = endpoint.map { id in logins.filter { $0.endpoint == id } } ?? logins
        if let login = here.first(where: { $0.name == name }) ?? logins.first(where: { $0.name == name }) {
            return login
        }
        // The text may be the beginning of a login's name in the closed vault.
        if let closed { throw closed }
        let names = NameReference(name).matches(in: here.map(\.name))
        guard names.count <= 1 else { throw CredentialError.loginNameAmbiguous(name, candidates: names) }
        let elsewhere = logins.first { NameReference(name).begins($0.name) }
        guard let login = here.first(where: { $0.name == names.first }) ?? elsewhere else {
            if chooser != .named, !logins.isEmpty || missing == nil { throw BrokerError.loginMissing(name, chooser) }
            throw missing ?? CredentialError.noSuchLogin(name)
        }
        return login
    }
}
