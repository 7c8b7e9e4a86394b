// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import JSON

/// The value of one key: `{"url": "http://10.1.2.3:7099/bin", "txt": ["a=b"]}`.
struct ListEntry: Sendable, Hashable {
    var url: ServerURL
    var txt: [[UInt8]]

    /// The reason why a value cannot be used. Other entries are not affected.
    enum Fault: Error, Hashable, CustomStringConvertible {
        case tooLarge(limit: Int)
        case noObject
        case noURL
        case badURL(ServerURLError)
        case badText

        var description: String {
            switch self {
            case .tooLarge(let limit): "the value is larger than \(limit) bytes"
            case .noObject: "the value is no JSON object"
            case .noURL: "the value has no string \"url\""
            case .badURL(let error): "\(error)"
            case .badText: "\"txt\" is no array of strings of 255 bytes at most"
            }
        }
    }

    init(parsing value: [UInt8], limits: EtcdLimits) throws(Fault) {
        guard value.count <= limits.valueBytes else { throw .tooLarge(limit: limits.valueBytes) }
        let bounds = JSONLimits(depth: 4, bytes: limits.valueBytes, values: 1_024)
        guard let object = (try? JSONValue(parsing: value, limits: bounds))?.objectValue else { throw .noObject }
        guard let text = try? object.string("url") else { throw .noURL }
        do throws(ServerURLError) {
            url = try ServerURL(completing: text)
        } catch {
            throw .badURL(error)
        }
        guard let strings = try? object.optionalStrings("txt") ?? [], strings.allSatisfy({ $0.utf8.count <= 255 })
        else {
            throw .badText
        }
        txt = Array(TXTStrings.fitting(strings.map { Array($0.utf8) }, maximumBytes: limits.textBytes))
    }
}
