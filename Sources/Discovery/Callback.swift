// SPDX-License-Identifier: Apache-2.0

/// A closure that a C callback calls through its `userdata` pointer.
///
/// The pointer is not retained. The owner of the C object must keep the callback until the object is freed.
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
