// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// A program in Python that loads the extension of SQLite and runs a line of SQL for each line of input. There are no
/// transactions but those of the statements.
struct SQLiteSession {
    private let program: ChildProcess

    private static let text = """
        import json, sqlite3, sys
        database = sqlite3.connect(sys.argv[2], isolation_level=None)
        database.enable_load_extension(True)
        database.load_extension(sys.argv[1])
        for line in sys.stdin:
            try:
                print(json.dumps(database.execute(line).fetchall(), ensure_ascii=False), flush=True)
            except sqlite3.Error as error:
                print(type(error).__name__ + ": " + str(error), flush=True)
        """

    init(_ extensionPath: String, _ database: String = ":memory:", of deployment: Deployment) throws {
        program = try ChildProcess(
            ["/usr/bin/python3", "-c", Self.text, extensionPath, database],
            environment: deployment.environment
        )
    }

    /// The rows of a statement as JSON, or its error with the class that Python gives it.
    func answer(_ sql: String) async throws -> String {
        program.write(sql + "\n")
        var text = ""
        while !text.hasSuffix("\n") {
            let bytes = try await BlockingWork.run { [program] in program.readOutput() }
            try #require(!bytes.isEmpty, "the session ended")
            text += String(decoding: bytes, as: UTF8.self)
        }
        return String(text.dropLast())
    }

    /// Runs statements that must have no error.
    func run(_ statements: String...) async throws {
        for statement in statements {
            let found = try await answer(statement)
            #expect(found.hasPrefix("["), "\(statement): \(found)")
        }
    }
}
