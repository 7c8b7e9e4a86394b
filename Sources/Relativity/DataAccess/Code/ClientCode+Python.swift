// SPDX-License-Identifier: Apache-2.0

import DataAbstract

extension ClientCode {
    /// The program in Python, for the package `relativity`.
    var python: String {
        func literal(_ text: String?) -> String { text.map(CodeLanguage.python.literal) ?? "None" }
        func list(_ texts: [String]) -> String { "[\(texts.map(CodeLanguage.python.literal).joined(separator: ", "))]" }
        let shown = PythonRows.names(of: tables).map { name in
            """
                for row in read(rows.\(name).TABLE):
                    print(rows.\(name).from_row(row))
            """
        }
        return """
            #!/usr/bin/env python3
            \"""Shows, edits and keeps the tables of a Relativity server. README.md describes the commands.\"""

            from __future__ import annotations

            \(Self.imports("json subprocess sys"))
            from collections.abc import Callable, Iterable, Mapping
            from typing import Any

            \(Self.imports("relativity rows"))
            from relativity import values

            # ADAPT: the server and the tables.
            SERVER: dict[str, Any] = {
                "endpoint": \(literal(server.endpoint)),
                "login": \(literal(server.login)),
                "schema": \(literal(server.schema)),
                "service": \(literal(server.service)),
                "anonymous": \(server.isAnonymous ? "True" : "False"),
            }
            TABLES: list[str] = \(list(tables.map(\.name)))
            OPTIONS: list[str] = \(list(options))
            # The set of changes that `apply` sends.
            PENDING = "client"


            def show(read: Callable[[str], Iterable[Mapping[str, Any]]]) -> None:
                # ADAPT: work with the typed rows.
            \(shown.isEmpty ? "    pass" : shown.joined(separator: "\n"))


            def edit(server: relativity.Server, table: str, key: str, field: str, value: str) -> None:
                # ADAPT: a change of one field; Edits has insert and delete, too.
                kept = any(each.name == PENDING for each in server.pending_sets())
                with server.edit(table, pending=server.pending(PENDING) if kept else PENDING) as edits:
                    edits.update(key, {field: value})
                for change in edits.result.changes if edits.result else []:
                    print("pending", ascii(change.table), change.key, change.old, "->", change.new)


            def apply(server: relativity.Server) -> bool:
                if all(each.name != PENDING for each in server.pending_sets()):
                    print("nothing to apply")
                    return True
                result = server.pending(PENDING).apply()
                for change in result.changes:
                    print(change.outcome, ascii(change.table), change.key, ascii(change.reason or change.conflict or ""))
                return result.ok


            def relctl(*words: str) -> str:
                run = subprocess.run(["relctl", "briefcase", *words], check=True, stdout=subprocess.PIPE, text=True)
                return run.stdout


            def briefcase_rows(path: str, table: str) -> Iterable[dict[str, Any]]:
                document = json.loads(relctl("load", "--json", "--numbers=text", "--", path, table))
                types = {field["name"]: field["type"] for field in document["fields"]}
                for row in document["rows"]:
                    yield {name: values.decode(value, types[name]) for name, value in row.items()}


            def main(words: list[str]) -> int:
                match words or ["show"]:
                    case ["save", path]:
                        print(relctl("save", f"--to={path}", *OPTIONS, "--", SERVER["endpoint"], *TABLES), end="")
                    case ["load", path]:
                        show(lambda table: briefcase_rows(path, table))
                    case ["show"]:
                        with relativity.open(**SERVER) as server:
                            show(server.table)
                    case ["edit", table, key, field, value]:
                        with relativity.open(**SERVER) as server:
                            edit(server, table, key, field, value)
                    case ["apply"]:
                        with relativity.open(**SERVER) as server:
                            return 0 if apply(server) else 1
                    case _:
                        print("show, edit TABLE KEY FIELD VALUE, apply, save FILE or load FILE", file=sys.stderr)
                        return 64
                return 0


            if __name__ == "__main__":
                try:
                    sys.exit(main(sys.argv[1:]))
                except (relativity.RelativityError, subprocess.CalledProcessError) as error:
                    sys.exit(ascii(str(error)))

            """
    }
}
