// SPDX-License-Identifier: Apache-2.0

/// The pattern of a LIKE.
struct ScalarPattern: Hashable, Sendable {
    enum Element: Hashable, Sendable {
        case scalar(UInt32)
        /// `?`
        case any
        /// `*`
        case anyText
    }

    private(set) var elements: [Element] = []

    /// Parses a pattern. Its scalars are folded, its wildcards are not.
    init(_ pattern: String, folding: FoldingTable? = nil) {
        var isQuoted = false
        var folded: [UInt32] = []
        func appendScalar(_ value: UInt32, _ elements: inout [Element]) {
            guard let folding else { return elements.append(.scalar(value)) }
            folded.removeAll(keepingCapacity: true)
            folding.append(value, to: &folded)
            elements += folded.map { .scalar($0) }
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
    func matches(_ text: [UInt32]) -> Bool {
        var (position, element) = (0, 0)
        var restart: (position: Int, element: Int)?
        while position < text.count {
            if element < elements.count {
                switch elements[element] {
                case .anyText:
                    element += 1
                    restart = (position, element)
                    continue
                case .any:
                    position += 1
                    element += 1
                    continue
                case .scalar(let scalar) where scalar == text[position]:
                    position += 1
                    element += 1
                    continue
                case .scalar: break
                }
            }
            guard let last = restart else { return false }
            restart = (last.position + 1, last.element)
            (position, element) = (last.position + 1, last.element)
        }
        return elements[element...].allSatisfy { $0 == .anyText }
    }
}
