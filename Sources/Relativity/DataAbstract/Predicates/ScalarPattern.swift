// SPDX-License-Identifier: Apache-2.0

/// The pattern of a LIKE.
struct ScalarPattern: Hashable, Sendable {
    /// A scalar or a wildcard.
    struct Element: Hashable, Sendable {
        /// The scalar, or a number beyond all scalars.
        let code: UInt32

        /// `?`
        static let any = Element(code: 1 << 30)
        /// `*`
        static let anyText = Element(code: 1 << 31)

        static func scalar(_ value: UInt32) -> Element { Element(code: value) }

        /// Nil for a wildcard.
        var scalar: Unicode.Scalar? { Unicode.Scalar(code) }
    }

    private(set) var elements: [Element] = []

    /// Parses a pattern. Its scalars are folded, its wildcards are not.
    init(_ pattern: String, folding: FoldingTable? = nil) {
        var isQuoted = false
        func appendScalar(_ value: UInt32, _ elements: inout [Element]) {
            elements += (folding?.folded([value]) ?? [value]).map { .scalar($0) }
        }
        for scalar in pattern.unicodeScalars {
            if isQuoted {
                isQuoted = false
                // A backslash before any other scalar is itself.
                if scalar != "*", scalar != "?", scalar != "\\" { appendScalar(0x5C, &elements) }
                appendScalar(scalar.value, &elements)
                continue
            }
            switch scalar {
            case "\\": isQuoted = true
            case "*": if elements.last != .anyText { elements.append(.anyText) }
            case "?": elements.append(.any)
            default: appendScalar(scalar.value, &elements)
            }
        }
        if isQuoted { appendScalar(0x5C, &elements) }
    }

    /// Compares greedily. Only the last `*` is ever extended, so that the time is at most text times pattern.
    func matches(_ text: UnsafeBufferPointer<UInt32>) -> Bool {
        elements.withUnsafeBufferPointer { elements in
            var (position, element) = (0, 0)
            var restart: (position: Int, element: Int)?
            while position < text.count {
                if element < elements.count {
                    let code = elements[element].code
                    if code == text[position] || code == Element.any.code {
                        position += 1
                        element += 1
                        continue
                    }
                    if code == Element.anyText.code {
                        element += 1
                        // Nothing after it has to match.
                        if element == elements.count { return true }
                        restart = (position, element)
                        continue
                    }
                }
                guard let last = restart else { return false }
                restart = (last.position + 1, last.element)
                (position, element) = (last.position + 1, last.element)
            }
            return elements[element...].allSatisfy { $0.code == Element.anyText.code }
        }
    }
}
