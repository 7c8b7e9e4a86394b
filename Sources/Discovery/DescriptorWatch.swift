// SPDX-License-Identifier: Apache-2.0

internal import CAvahi

/// Tells when a descriptor can be read, on Avahi's loop. To be made, used and let go of on the loop's thread.
final class DescriptorWatch {
    private let watch: OpaquePointer
    private let loop: AvahiLoop
    private let callback: Callback<Void>

    /// - Parameters:
    ///   - descriptor: stays the caller's, and open for as long as this object lives.
    ///   - report: called from within Avahi's loop, again and again as long as there is something to read.
    /// - Returns: nil when there is no memory.
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

    /// Whether it tells now; what there is to read stays there meanwhile.
    var isOn = true {
        didSet { loop.api.pointee.watch_update?(watch, isOn ? AVAHI_WATCH_IN : AvahiWatchEvent(0)) }
    }
}
