// SPDX-License-Identifier: Apache-2.0

import Glibc
import Locks
import TestSupport

extension PseudoTerminal {
    var echoes: Bool {
        var modes = termios()
        return tcgetattr(keeper, &modes) == 0 && modes.c_lflag & UInt32(ECHO) != 0
    }

    /// Waits for the prompt on its own thread, types, and collects the output up to a line feed.
    func typeWhenAsked(_ keys: String, prompt: String) throws -> Typist {
        try Typist(screen: screen, keys: keys, prompt: prompt)
    }

    final class Typist: Sendable {
        private let screen: Int32
        private let keys: String
        private let prompt: String
        private let text = Lock("")
        private let thread = Lock<pthread_t?>(nil)

        init(screen: Int32, keys: String, prompt: String) throws {
            self.screen = screen
            self.keys = keys
            self.prompt = prompt
            var started = pthread_t()
            let me = Unmanaged.passRetained(self).toOpaque()
            let result = pthread_create(
                &started,
                nil,
                { argument in
                    if let argument { Unmanaged<Typist>.fromOpaque(argument).takeRetainedValue().run() }
                    return nil
                },
                me
            )
            guard result == 0 else { throw Unavailable() }
            thread.withLock { $0 = started }
        }

        private func run() {
            var hasTyped = false
            var poll = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
            while Glibc.poll(&poll, 1, 10_000) == 1 {
                var buffer = [UInt8](repeating: 0, count: 256)
                let count = read(screen, &buffer, buffer.count)
                guard count > 0 else { return }
                let shown = text.withLock { text in
                    text += String(decoding: buffer.prefix(count), as: UTF8.self)
                    return text
                }
                if !hasTyped, shown.hasSuffix(prompt) {
                    hasTyped = true
                    let bytes = Array(keys.utf8)
                    guard write(screen, bytes, bytes.count) == bytes.count else { return }
                }
                if hasTyped, shown.utf8.contains(UInt8(ascii: "\n")) { return }
            }
        }

        func shown() -> String {
            if let thread = thread.withLock({ $0.take() }) { pthread_join(thread, nil) }
            return text.withLock { $0 }
        }
    }
}
