// SPDX-License-Identifier: Apache-2.0

#if SANITIZE_THREAD
    internal import Glibc
#else
    package import Synchronization
#endif

/// A value that one thread at a time can access.
///
/// It is a `Synchronization.Mutex`. Under ThreadSanitizer, which `make sanitize` compiles with `-D SANITIZE_THREAD`, it is
/// a pthread mutex instead: ThreadSanitizer does not know the futex of a `Mutex`, and reports data races in correct
/// programs.
///
/// Declare it with `let`. It is not recursive.
package struct Lock<Value: ~Copyable>: ~Copyable {
    #if SANITIZE_THREAD
        private let mutex: UnsafeMutablePointer<pthread_mutex_t>
        private let value: UnsafeMutablePointer<Value>

        /// A lock that is free.
        package init(_ initialValue: consuming sending Value) {
            mutex = .allocate(capacity: 1)
            mutex.initialize(to: pthread_mutex_t())
            precondition(pthread_mutex_init(mutex, nil) == 0)
            value = .allocate(capacity: 1)
            value.initialize(to: initialValue)
        }

        deinit {
            value.deinitialize(count: 1)
            value.deallocate()
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }

        /// Acquires the lock, calls `body` with the value, and releases the lock.
        ///
        /// - Throws: the error of `body`.
        package borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            nonisolated(unsafe) let value = value
            return try body(&value.pointee)
        }
    #else
        @usableFromInline let mutex: Mutex<Value>

        /// A lock that is free.
        @inlinable package init(_ initialValue: consuming sending Value) {
            mutex = Mutex(initialValue)
        }

        /// Acquires the lock, calls `body` with the value, and releases the lock.
        ///
        /// - Throws: the error of `body`.
        @inlinable package borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try mutex.withLock(body)
        }
    #endif
}

#if SANITIZE_THREAD
    // The mutex orders all accesses to the value, which the compiler cannot see.
    extension Lock: @unchecked Sendable where Value: ~Copyable {}
#else
    extension Lock: Sendable where Value: ~Copyable {}
#endif
