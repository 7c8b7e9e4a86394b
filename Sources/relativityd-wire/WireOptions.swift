// SPDX-License-Identifier: Apache-2.0

/// What relctl hands over: `decode|encode [--hex] [--redact] [--types TYPES] FILE`.
struct WireOptions {
    enum Direction: String {
        case decode
        case encode
    }

    let direction: Direction
    private(set) var isHex = false
    private(set) var isRedacted = false
    private(set) var types: String?
    /// `-` is standard input.
    let path: String

    /// Nil for anything else: people type relctl's options, which it has checked.
    init?(_ arguments: ArraySlice<String>) {
        guard let direction = arguments.first.flatMap(Direction.init), arguments.count >= 2, let path = arguments.last
        else { return nil }
        self.direction = direction
        self.path = path
        var rest = arguments.dropFirst().dropLast()
        while let option = rest.popFirst() {
            switch option {
            case "--hex": isHex = true
            case "--redact": isRedacted = true
            case "--types":
                guard let value = rest.popFirst() else { return nil }
                types = value
            default: return nil
            }
        }
    }
}
