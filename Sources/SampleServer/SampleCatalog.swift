// SPDX-License-Identifier: Apache-2.0

/// What the sample server offers. The accounts are those that the vendor's samples print in their documentation.
enum SampleCatalog {
    static let domain = "DASamples"
    static let schema = "Simple"
    static let accounts: [String: String] = ["simple": "simple", "Data": "Relativity"]
    static let serviceType = "_Relativity_DataService_rosdk._tcp"
    /// The one database connection that a MultiDb login can name.
    static let connection = "Sample"
    /// The methods of each login service, both in lower case. The one of the name that clients choose by default has all.
    static let loginMethods: [String: Set<String>] = {
        let base: Set = ["loginex", "logout"]
        let login = base.union(["login"])
        let all = login.union(["getconnectionnames", "getdefaultconnectionname"])
        return [
            "loginservice": all, "baseloginservice": base, "simpleloginservice": login, "multidbloginservice": login,
            "multidbloginservicev5": all,
        ]
    }()
    /// Answers without a login.
    static let openService = "DASampleService"
}
