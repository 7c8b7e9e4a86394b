// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import NIOCore
import Remoting

/// The methods and rules of the login services.
struct LoginCalls: Sendable {
    static let serviceType = "_Relativity_DataService_rosdk._tcp"
    /// The only database connection that a MultiDb login can name.
    static let connection = "Sample"
    /// The methods of each login service, in lower case. The service with the name that clients use by default has
    /// all methods.
    static let methods: [String: Set<String>] = {
        let base: Set = ["loginex", "logout"]
        let login = base.union(["login"])
        let all = login.union(["getconnectionnames", "getdefaultconnectionname"])
        return [
            "loginservice": all, "baseloginservice": base, "simpleloginservice": login, "multidbloginservice": login,
            "multidbloginservicev5": all,
        ]
    }()

    let options: SampleOptions

    /// Returns the session that a login begins; nil if it is refused.
    func session(for login: LoginStringParser.Fields) -> SessionLogin? {
        guard !options.refusesLogins, let user = login.user, let password = login.password,
            let account = options.catalog.accounts.first(where: { $0.user == user }),
            options.acceptsAnyPassword || password.elementsEqual(account.password.utf8),
            let domain = domain(login.domain ?? "")
        else { return nil }
        let allowed = domain.schemas.filter { account.right(to: $0.name, of: domain.name) != nil }
        let named = login.schema ?? ""
        guard let schema = named.isEmpty ? allowed.first : allowed.first(where: { $0.name.isSame(as: named) }) else {
            return nil
        }
        return SessionLogin(account: account, domain: domain.name, schema: schema.name)
    }

    /// Returns the domain of a login: the first one if it names none.
    private func domain(_ name: String) -> ServedDomain? {
        name.isEmpty ? options.catalog.domains.first : options.catalog.domain(name)
    }

    /// Decodes the parameter of LoginEx; nil if it is not a login string.
    static func loginString(_ call: ServerCall) throws -> LoginStringParser.Fields? {
        guard case .utf8String(let text) = try call.parameters(ServiceCatalog.loginEx.parameters).first else {
            return nil
        }
        return try? LoginStringParser.parse(text.utf8)
    }

    /// Decodes user, password and, if the method has one, a connection. These methods have no domain.
    ///
    /// - Returns: nil if the connection is unknown.
    func plainLogin(_ call: ServerCall) throws -> LoginStringParser.Fields? {
        let values =
            try (try? call.parameters(ServiceCatalog.multiDbLogin.parameters))
            ?? call.parameters(ServiceCatalog.simpleLogin.parameters)
        let texts = values.map { value in
            if case .utf8String(let text) = value { text } else { "" }
        }
        guard texts.dropFirst(2).allSatisfy({ $0.isEmpty || $0.isSame(as: Self.connection) }) else { return nil }
        return LoginStringParser.Fields(
            user: texts.first,
            password: texts.dropFirst().first.map { Array($0.utf8) }
        )
    }

    /// The result and the struct with which Login answers.
    static func reply(to call: ServerCall, user: String?) -> [NamedValue] {
        let info = RemotingStruct(
            "UserInfo",
            [
                .init("Attributes", .array([])), .init("Privileges", .array([])),
                .init("SessionID", .utf8String(call.clientID.revealedText())), .init("UserData", .binary(ByteBuffer())),
                .init("UserID", .utf8String(user ?? "")),
            ]
        )
        return [.init("Result", .boolean(user != nil)), .init("aUserInfo", .structure(info))]
    }
}
