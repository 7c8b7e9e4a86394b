// SPDX-License-Identifier: Apache-2.0

import LocalAPI

/// The environment variables that lead a program to its adapter.
struct AdapterVariables {
    /// Their names. RELATIVITYD_SOCKET is the socket of the daemon.
    enum Name: String, CaseIterable {
        case url = "RELATIVITYD_URL"
        case socket = "RELATIVITYD_ADAPTER_SOCKET"
        case domain = "RELATIVITYD_DOMAIN"
        case schema = "RELATIVITYD_SCHEMA"
        case dataService = "RELATIVITYD_DATA_SERVICE"
        case loginService = "RELATIVITYD_LOGIN_SERVICE"
    }

    /// Every name, with an empty value if the adapter has none: an older value must not stay.
    let all: [(name: String, value: String)]

    init(of adapter: BrokerAPI.Adapter) {
        all = Name.allCases.map { name in
            let value =
                switch name {
                case .url: adapter.url
                case .socket: adapter.socketPath
                case .domain: adapter.domain
                case .schema: adapter.schema
                case .dataService: adapter.dataService
                case .loginService: adapter.loginService
                }
            return (name.rawValue, value ?? "")
        }
    }

    /// Lines that set and export the variables in a POSIX shell.
    var shellText: String {
        all.map { "export \($0.name)='\($0.value.replacing("'", with: #"'\''"#))'\n" }.joined()
    }
}
