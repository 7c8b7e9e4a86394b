// SPDX-License-Identifier: Apache-2.0

/// Writes a schema as XML.
///
/// The elements of a field are those that the vendor's client reads; the ones around them are ours, since no server's
/// schema has been seen (docs/wire.md, "Not confirmed by a live server").
enum SchemaText {
    static func write(_ tables: [TableDescription], named name: String) -> String {
        var text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Schema>\n  <Name>\(escaped(name))</Name>\n  <Tables>\n"
        for table in tables {
            text += "    <Table>\n      <Name>\(escaped(table.name))</Name>\n      <Fields>\n"
            for column in table.columns { text += field(column) }
            text += "      </Fields>\n    </Table>\n"
        }
        return text + "  </Tables>\n</Schema>\n"
    }

    private static func field(_ column: TableDescription.Column) -> String {
        let properties = [
            ("Name", column.name), ("DataType", column.dataType), ("LogChanges", "True"),
            ("InPrimaryKey", column.isInPrimaryKey ? "True" : "False"),
            ("Required", column.isRequired ? "True" : "False"),
        ]
        let elements = properties.map { "          <\($0)>\(escaped($1))</\($0)>\n" }.joined()
        return "        <Field>\n\(elements)        </Field>\n"
    }

    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            default: String(character)
            }
        }.joined()
    }
}
