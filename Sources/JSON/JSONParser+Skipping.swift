// SPDX-License-Identifier: Apache-2.0

/// Members that nobody wants: found the end of, and not looked into.
extension JSONParser {
    /// Whether the key whose opening quote is next is wanted. One that is written with escapes never is.
    func isNextKeyWanted() -> Bool {
        guard let wanted else { return true }
        let start = position + 1
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") { end += 1 }
        let key = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        return wanted.contains { $0.count == key.count && $0.elementsEqual(key) }
    }

    /// Passes over a string whose opening quote is next.
    mutating func skipString() throws(JSONSyntaxError) {
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        throw failure(.unexpectedEnd)
    }

    /// Passes over a value, however deep, and up to the comma or bracket after it.
    mutating func skipValue() throws(JSONSyntaxError) {
        var open = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                try skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if open == 0 { return }
                open -= 1
                position += 1
            case UInt8(ascii: ",") where open == 0:
                return
            default:
                position += 1
            }
        }
        throw failure(.unexpectedEnd)
    }
}
