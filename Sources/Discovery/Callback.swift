// SPDX-License-Identifier: Apache-2.0

/// The way back from a C callback: a closure behind the `userdata` pointer.
///
/// The pointer is not retained. Whoever makes a C object with it keeps the callback until the object is freed.
final class Callback<Report: Sendable>: Sendable {
    private let body: @Sendable (Report) -> Void

    init(_ body: @escaping @Sendable (Report) -> Void) {
        self.body = body
    }

    var userdata: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func deliver(_ report: Report, to userdata: UnsafeMutableRawPointer?) {
        guard let userdata else { return }
        Unmanaged<Callback<Report>>.fromOpaque(userdata).takeUnretainedValue().body(report)
    }
}
