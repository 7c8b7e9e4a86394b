// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Reports when a file appears in a directory, by inotify(7) on Avahi's loop. It has no cost while the directory is
/// unchanged.
final class FileArrival {
    private let descriptor: Int32
    private var watch: DescriptorWatch?

    /// - Parameter report: called on the loop's thread, never from within Avahi's code.
    /// - Returns: nil if the directory does not exist or cannot be watched.
    init?(of path: String, on loop: AvahiLoop, report: @escaping @Sendable () -> Void) {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let name = String(path[path.index(after: slash)...])
        let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        let events = UInt32(IN_CREATE | IN_MOVED_TO)
        guard inotify_add_watch(descriptor, String(path[..<slash]), events) >= 0 else {
            close(descriptor)
            return nil
        }
        let watch = DescriptorWatch(descriptor, on: loop) { [unowned loop] in
            if Self.names(from: descriptor).contains(name) { loop.execute(report) }
        }
        guard let watch else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.watch = watch
    }

    deinit {
        watch = nil
        close(descriptor)
    }

    /// Reads inotify events: a header of 16 bytes, which includes the length of the name, then the name, padded with
    /// zeros.
    private static func names(from descriptor: Int32) -> [String] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var names: [String] = []
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return names }
            var offset = 0
            while offset + 16 <= count {
                let length = buffer.withUnsafeBytes {
                    Int($0.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                }
                let end = min(offset + 16 + length, count)
                names.append(String(decoding: buffer[(offset + 16)..<end].prefix { $0 != 0 }, as: UTF8.self))
                offset = end
            }
        }
    }
}
