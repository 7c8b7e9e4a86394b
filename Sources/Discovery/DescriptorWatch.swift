// SPDX-License-Identifier: Apache-2.0

internal import CAvahi

/// Watches a descriptor for input on Avahi's loop. Create, use and release it on the loop's thread.
final class DescriptorWatch {
    private let watch: OpaquePointer
    private let loop: AvahiLoop
    private let callback: Callback<Void>

    /// - Parameters:
    ///   - descriptor: owned by the caller, who must keep it open while this object lives.
    ///   - report: called from within Avahi's loop, repeatedly while there is input.
    /// - Returns: nil if there is no memory.
    init?(_ descriptor: Int32, on loop: AvahiLoop, report: @escaping @Sendable () -> Void) {
        callback = Callback(report)
        let watch = loop.api.pointee.watch_new?(
            loop.api,
            descriptor,
            AVAHI_WATCH_IN,
            { _, _, _, userdata in Callback.deliver((), to: userdata) },
            callback.userdata
        )
        guard let watch else { return nil }
        self.watch = watch
        self.loop = loop
    }

    deinit {
        loop.api.pointee.watch_free?(watch)
    }

    /// Whether it reports input. While it is off, the input stays in the descriptor.
    var isOn = true {
        didSet { loop.api.pointee.watch_update?(watch, isOn ? AVAHI_WATCH_IN : AvahiWatchEvent(0)) }
    }
}
