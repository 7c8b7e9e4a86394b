// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// Writes a small program for a server: it loads tables and shows their rows, edits, applies, and keeps the tables in a
/// briefcase. It makes its calls with the Data API, so it has no password.
///
/// Names of the server appear only in string literals and identifiers, as in `CodeLanguage`.
package struct ClientCode {
    /// A file of the program.
    package struct File: Hashable, Sendable {
        /// The path in the program's directory.
        package let path: String
        /// The content.
        package let text: String
    }

    /// The server and the login, as a caller of the Data API names them.
    package struct Server: Sendable {
        /// The name or ID of the endpoint.
        package var endpoint = ""
        /// The name of the login; nil for the only one.
        package var login: String?
        /// Whether no login is used.
        package var isAnonymous = false
        /// The schema of the data service; nil for that of the login.
        package var schema: String?
        /// The data service; nil for the announced one.
        package var service: String?

        /// A server without a name.
        package init() {}
    }

    let server: Server
    let tables: [SchemaTable]
    let package: String

    /// - Parameters:
    ///   - tables: the tables of the program.
    ///   - package: the path of this project, where the library is.
    package init(_ server: Server, tables: [SchemaTable], package: String) {
        (self.server, self.tables, self.package) = (server, tables, package)
    }

    /// Returns the files of the program in a language; nil if there is no such program.
    package func files(in language: CodeLanguage) -> [File]? {
        switch language {
        case .python:
            [
                File(path: "client.py", text: python), File(path: "rows.py", text: rows(.python)),
                File(path: "README.md", text: readme("PYTHONPATH=RELATIVITYD/python/src python3 client.py")),
            ]
        case .swift:
            [
                File(path: "Package.swift", text: manifest),
                File(path: "Sources/Client/Program.swift", text: swift),
                File(path: "Sources/Client/Rows.swift", text: rows(.swift)),
                File(path: "README.md", text: readme("swift run Client")),
            ]
        case .typescript: nil
        }
    }

    private func rows(_ language: CodeLanguage) -> String { RowCode.code(for: tables, in: language) }

    /// Lines of a program that import modules. In a literal, the tests would take them for imports of this project.
    ///
    /// - Parameter modules: names, separated by spaces. A test looks for Foundation's name alone in the programs.
    static func imports(_ modules: String) -> String {
        modules.split(separator: " ").map { "import \($0)" }.joined(separator: "\n")
    }

    /// The options of relctl for this server, each with its value.
    var options: [String] {
        var options: [String] = []
        for (name, value) in [("--login", server.login), ("--schema", server.schema), ("--service", server.service)] {
            if let value { options.append("\(name)=\(value)") }
        }
        return options + (server.isAnonymous ? ["--anonymous"] : [])
    }

    private func readme(_ command: String) -> String {
        """
        # A client of a Relativity server

        The program needs relativityd, its Data API (`systemctl --user enable --now relativityd-data.socket`), and for
        briefcases relctl. It has no password: relativityd logs in. RELATIVITYD is the folder of its sources. In
        `relctl sandbox -- PROGRAM` it uses the sandbox's servers.

            \(command) show
            \(command) edit TABLE KEY FIELD VALUE
            \(command) apply
            \(command) save FILE.daBriefcase
            \(command) load FILE.daBriefcase

        `show` prints the rows, `edit` keeps a change until `apply`, `save` downloads the tables into a briefcase, and
        `load` shows its rows without the server. The word ADAPT marks the places to change. `rows` has a type for each
        table; `relctl schema code` writes it again.

        """
    }
}
