// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// The text of a configured login, split into lines: `key=value`, comments and empty lines, and `password=` at the
/// end.
///
/// The values are stored unchanged; `ConfiguredLogin` interprets them. The password is not stored.
struct ConfiguredLoginText {
    enum Key: String, CaseIterable {
        case url, user, domain, schema, pin, network, password
        /// The only key that may occur more than once.
        case extra
        case userKey = "user_key"
        case allowPlaintext = "allow_plaintext"
    }

    struct Value: Hashable {
        let line: Int
        let text: String
    }

    static let maximumLines = 64
    static let maximumLineBytes = 1024
    static let maximumPasswordBytes = 1024
    /// The limit of the whole file.
    static let maximumBytes = 16 << 10

    private(set) var values: [Key: Value] = [:]
    private(set) var extras: [Value] = []
    /// The byte range of the password, without the line feed after it.
    let password: Range<Int>

    /// Splits the text into lines.
    ///
    /// - Throws: the first fault. Its text never quotes the file, so that it cannot contain a secret.
    init(parsing bytes: UnsafeRawBufferPointer) throws(ConfiguredLoginFault) {
        guard bytes.count <= Self.maximumBytes else {
            throw ConfiguredLoginFault(reason: "is longer than \(Self.maximumBytes) bytes")
        }
        let (lineFeed, equals) = (UInt8(ascii: "\n"), UInt8(ascii: "="))
        var (start, number) = (0, 0)
        while start < bytes.count {
            number += 1
            func fault(_ reason: String) -> ConfiguredLoginFault { ConfiguredLoginFault(line: number, reason: reason) }
            guard number <= Self.maximumLines else { throw fault("there are more than \(Self.maximumLines) lines") }
            let end = bytes[start...].firstIndex(of: lineFeed) ?? bytes.count
            let line = bytes[start..<end]
            guard line.count <= Self.maximumLineBytes + Key.longest + 1 else { throw fault("the line is too long") }
            guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw fault("there is a control character, perhaps the carriage return of another system")
            }
            if line.isEmpty || line.first == UInt8(ascii: "#") {
                start = end + 1
                continue
            }
            guard let sign = line.firstIndex(of: equals) else { throw fault("this is no key=value") }
            guard let key = Key(bytes: line[..<sign]) else { throw fault("there is no such key") }
            let value = line[(sign + 1)...]
            guard !value.isEmpty else { throw fault("\(key.rawValue) has no value") }
            guard value.count <= Self.maximumLineBytes else { throw fault("\(key.rawValue) is too long") }
            if key == .password {
                guard end >= bytes.count - 1 else { throw fault("password has to be the last line") }
                password = value.startIndex..<value.endIndex
                return
            }
            guard let text = String(validating: value, as: UTF8.self) else { throw fault("this is not UTF-8") }
            let entry = Value(line: number, text: text)
            if key == .extra { extras.append(entry) }
            guard values.updateValue(entry, forKey: key) == nil || key == .extra else {
                throw fault("\(key.rawValue) stands there twice")
            }
            start = end + 1
        }
        throw ConfiguredLoginFault(reason: "there is no password= line")
    }
}

extension ConfiguredLoginText.Key {
    static let longest = allCases.map(\.rawValue.utf8.count).max() ?? 0

    fileprivate init?(bytes: Slice<UnsafeRawBufferPointer>) {
        guard let key = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(bytes) }) else { return nil }
        self = key
    }
}
