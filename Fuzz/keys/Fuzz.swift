// SPDX-License-Identifier: Apache-2.0

import Fuzzing
import Screens

/// The bytes of a terminal: the keys do not depend on how they are split, and the next key is read whatever came before.
@main
enum KeysFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let bytes = Array(input)
        var (all, single) = (KeyDecoder(), KeyDecoder())
        let keys = all.keys(for: bytes)
        guard bytes.flatMap({ single.keys(for: [$0]) }) == keys, keys.count <= bytes.count else {
            fatalError("the keys depend on the split")
        }
        for key in keys where !isPossible(key) { fatalError("\(key)") }
        // The first ends the sequence before it, the second a paste.
        for _ in 0..<2 {
            _ = all.flush()
            guard all.keys(for: [0x1B]).isEmpty else { fatalError("a key before Escape") }
        }
        _ = all.flush()
        guard all.keys(for: [0x0D]) == [.enter], !all.isUndecided else { fatalError("no key follows") }
    }
}

private func isPossible(_ key: Key) -> Bool {
    switch key {
    case .text(let letter), .pasted(let letter): letter.properties.generalCategory != .control
    case .control(let letter): ("a"..."z").contains(letter)
    case .function(let number): (1...12).contains(number)
    case .click(let column, let line): (0..<9_999).contains(column) && (0..<9_999).contains(line)
    default: true
    }
}
