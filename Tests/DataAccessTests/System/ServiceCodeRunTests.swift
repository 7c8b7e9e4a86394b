// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import JSON
import TestSupport
import Testing

@testable import DataAccess

/// Compiles the code for the services of a thousand hostile descriptions.
@Suite("Code for services, compiled", .timeLimit(.minutes(5)))
struct ServiceCodeRunTests {
    /// Compiles each module, and looks for anything in it but the definitions that the generator writes.
    private static let check = """
        import ast, pathlib, sys
        allowed = {"_call", "Enum", "NamedTuple", "Service"}
        for path in sorted(pathlib.Path(sys.argv[1]).glob("*.py")):
            tree = ast.parse(path.read_text())
            compile(tree, str(path), "exec")
            for statement in tree.body:
                assert isinstance(statement, ast.ImportFrom | ast.ClassDef | ast.AnnAssign), (path, ast.dump(statement))
            imports = [each.module for each in ast.walk(tree) if isinstance(each, ast.ImportFrom | ast.Import)]
            assert imports == ["__future__", "dataclasses", "datetime", "decimal", "enum", "typing", "uuid", "relativity"], path
            for each in ast.walk(tree):
                if isinstance(each, ast.Call):
                    name = each.func.attr if isinstance(each.func, ast.Attribute) else each.func.id
                    assert name == "_call" or name.startswith("_"), (path, name)
        print("compiled", len(sorted(pathlib.Path(sys.argv[1]).glob("*.py"))))
        """

    /// The calls of so many descriptions that have any.
    private static func calls(_ count: Int) throws -> [DeclaredCalls] {
        var numbers = SeededRandom(seed: 82)
        var found: [DeclaredCalls] = []
        while found.count < count {
            guard let file = try? RODLFile(parsing: HostileRODL.text(&numbers)) else { continue }
            let calls = try file.calls()
            if !calls.services.isEmpty { found.append(calls) }
        }
        return found
    }

    private static func directory(_ calls: [DeclaredCalls], _ language: CodeLanguage) throws -> TemporaryDirectory {
        let directory = TemporaryDirectory()
        for (number, each) in calls.enumerated() {
            let code = try #require(ServiceCode.code(for: each, in: language))
            #expect(code.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
            directory.write(Array(code.utf8), to: "m\(number).\(language == .python ? "py" : "ts")")
        }
        return directory
    }

    @Test("Python: a thousand modules compile, load, and have nothing but classes")
    func python() async throws {
        let directory = try Self.directory(try Self.calls(1_000), .python)
        let load = """
            sys.path.insert(0, sys.argv[1])
            for path in pathlib.Path(sys.argv[1]).glob("*.py"):
                __import__(path.stem)
            """
        let output = try await Command(
            ["/usr/bin/python3", "-c", Self.check + "\n" + load, directory.path],
            environment: ["PYTHONPATH": Sources.root + "/python/src", "PYTHONDONTWRITEBYTECODE": "1"]
        ).succeed(deadline: .seconds(120))
        #expect(output == "compiled 1000\n")
    }

    @Test("Python: mypy accepts them", .enabled(if: Requirement.allMet([.program("mypy")]), "mypy"))
    func types() async throws {
        let directory = try Self.directory(try Self.calls(100), .python)
        try await Command(
            [
                "mypy", "--strict", "--config-file", Sources.root + "/python/pyproject.toml", "--cache-dir",
                directory.path(of: "cache"), directory.path,
            ],
            environment: ["MYPYPATH": Sources.root + "/python/src", "PATH": "/usr/bin:/bin"]
        ).succeed(deadline: .seconds(120))
    }

    @Test("TypeScript: tsc accepts a thousand modules", .enabled(if: Requirement.allMet([.program("tsc")]), "tsc"))
    func typescript() async throws {
        let directory = try Self.directory(try Self.calls(1_000), .typescript)
        // Without the types of Node.js, which the code does not use.
        let options = #"{"compilerOptions": {"noEmit": true, "strict": true, "target": "es2020", "types": []}}"#
        directory.write(Array(options.utf8), to: "tsconfig.json")
        try await Command(["tsc", "--project", directory.path]).succeed(deadline: .seconds(200))
    }

    @Test("OpenAPI: paths and components are in their syntax")
    func openAPI() throws {
        for calls in try Self.calls(1_000) {
            let document = ServiceOpenAPI(calls, path: "/call/a.B", server: [:]).document
            let count = calls.services.filter { $0.name != ".." }.flatMap(\.methods).count { $0.name != ".." }
            let paths = try document.object("paths")
            #expect(paths.count == count)
            for (path, _) in paths {
                #expect(path.hasPrefix("/call/a.B/") && path.split(separator: "/").count == 4)
                #expect(!path.contains("/./") && !path.contains("/../") && !path.hasSuffix("/.."))
                #expect(path.utf8.allSatisfy { (0x21..<0x7F).contains($0) && !"{}?#".utf8.contains($0) })
            }
            for (name, _) in try document.object("components").object("schemas") {
                #expect(name.contains(/^[A-Za-z0-9_]+$/))
            }
        }
    }
}
