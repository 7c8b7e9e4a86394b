// SPDX-License-Identifier: Apache-2.0

import Remoting

/// The decoded parameters of a call.
struct CallArguments: Sendable {
    private let values: [RemotingValue]

    init(_ values: [RemotingValue]) {
        self.values = values
    }

    subscript(_ index: Int) -> RemotingValue? { values.indices.contains(index) ? values[index] : nil }

    /// Returns the elements of an array; nil if it is null.
    func array(_ index: Int) -> [RemotingValue]? {
        if case .array(let elements?) = self[index] { elements } else { nil }
    }

    /// Returns the texts of an array; none if it is null.
    func names(_ index: Int) -> [String] {
        (array(index) ?? []).compactMap { if case .utf8String(let name) = $0 { name } else { nil } }
    }

    /// Returns a text; empty if the parameter is none.
    func text(_ index: Int) -> String {
        switch self[index] {
        case .utf8String(let text), .wideString(let text): text
        default: ""
        }
    }

    /// Returns a number; nil if the parameter is none.
    func number(_ index: Int) -> Int? {
        if case .integer(let number) = self[index] { Int(number) } else { nil }
    }
}

/// Lists of names as Delphi writes them: separated by commas or white space, with quotes where needed.
enum CommaText {
    static func split(_ text: String) -> [String] {
        var names: [String] = []
        var rest = Substring(text)
        while let first = rest.first {
            if first == "," || first.isWhitespace {
                rest.removeFirst()
            } else if first == "\"" {
                rest.removeFirst()
                var name = ""
                while let character = rest.popFirst() {
                    if character != "\"" {
                        name.append(character)
                    } else if rest.first == "\"" {
                        name.append(rest.removeFirst())
                    } else {
                        break
                    }
                }
                names.append(name)
            } else {
                let name = rest.prefix { $0 != "," && !$0.isWhitespace }
                names.append(String(name))
                rest = rest[name.endIndex...]
            }
        }
        return names
    }
}
