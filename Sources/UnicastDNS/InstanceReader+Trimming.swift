// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// The part of an answer that is kept until it expires. A server can send 64 KB for each question.
extension InstanceReader {
    /// The limit of addresses of a host. Only one of each family is reported.
    private static let maximumAddresses = 16

    /// A smaller answer with the same result in `questions` and, except for addresses beyond 16, in `read`.
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
            // Allowed addresses first.
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
