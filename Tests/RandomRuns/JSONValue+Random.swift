// SPDX-License-Identifier: Apache-2.0

package import JSON
package import TestSupport

extension JSONValue {
    /// Returns a random value, with arrays and objects at most `depth` deep.
    package static func random(depth: Int, using random: inout SeededRandom) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .integer(Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random))
        case 3: return .number(Double.random(in: -1e6...1e6, using: &random))
        case 4, 5: return .string(randomString(using: &random))
        case 6:
            return .array(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in .random(depth: depth - 1, using: &random) }
            )
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0..<25, using: &random) {
                object[randomString(using: &random)] = .random(depth: depth - 2, using: &random)
            }
            return .object(object)
        }
    }

    private static func randomString(using random: inout SeededRandom) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0..<20, using: &random) {
            let bound: UInt32 = [0x80, 0x80, 0x80, 0x800, 0x1_0000, 0x11_0000].randomElement(using: &random) ?? 0x80
            text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: 0..<bound, using: &random)) ?? "?")
        }
        // Foundation drops a byte order mark at the beginning of a string.
        while text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        return text
    }
}
