// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// What of an answer is worth keeping until it expires: a server may fill 64 KB for each question.
extension InstanceReader {
    /// Addresses of a host that are kept; only one of each family is told.
    private static let maximumAddresses = 16

    /// The same to `questions` and, but for addresses beyond 16, to `read`.
    func trimmed(_ answer: DNSAnswer, to question: DNSQuestion) -> DNSAnswer {
        var trimmed = answer
        switch question.kind {
        case .pointer:
            let (kept, ignored) = instances(answer, listedAt: question.name)
            trimmed.contents = kept.map { .pointer($0) }
            trimmed.omitted = ignored
        case .service: trimmed.contents = answer.location.map { [.service($0)] } ?? []
        case .text: trimmed.contents = answer.strings.map { [.text(bounded($0))] } ?? []
        case .address, .address6:
            // An allowed one goes before those that are not.
            trimmed.contents = answer.addresses.map { (isRefused: !policy.allows($0), address: $0) }
                .sorted { one, other in
                    one.isRefused == other.isRefused
                        ? one.address.bytes.lexicographicallyPrecedes(other.address.bytes) : other.isRefused
                }
                .prefix(Self.maximumAddresses)
                .map { .address($0.address) }
        }
        return trimmed
    }
}
