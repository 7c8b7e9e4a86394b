// SPDX-License-Identifier: Apache-2.0

import Remoting

extension DataType {
    /// The values of the type, for users: a sentence fragment after "expected".
    package var expectedForm: String {
        if let wholeNumbers { return "a whole number from \(wholeNumbers.lowerBound) to \(wholeNumbers.upperBound)" }
        return switch self {
        case .boolean: "true or false"
        case .float, .singleFloat: "a number such as -1.5"
        case .currency: "a number such as -1.5, with at most four decimals"
        case .decimal: "a number such as -1.5, with at most 28 digits"
        case .dateTime: "a date such as 2020-01-31 or 2020-01-31T12:00:00"
        case .guid: "a Guid such as 6F9619FF-8B86-D011-B42D-00CF4FC964FF"
        case .blob: "Base64"
        case .unknown, .cursor: "no value"
        default: "text"
        }
    }
}
