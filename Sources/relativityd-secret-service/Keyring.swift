// SPDX-License-Identifier: Apache-2.0

import CSecret
import KeyringWire
import Platform

/// The Secret Service of the session, in an encrypted session with it.
struct Keyring {
    private static let plain = "plain"

    let service: Owned<SecretService>
    let mayAsk: Bool

    /// - Throws: `Refusal` with `.noBus`, `.noService` or `.plainSession`, or what the service said.
    init(mayAsk: Bool) throws(Refusal) {
        self.mayAsk = mayAsk
        var error: UnsafeMutablePointer<GError>?
        guard let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, &error) else {
            throw Refusal(.noBus, Refusal(consuming: error).detail)
        }
        // The service holds on to it.
        defer { g_object_unref(UnsafeMutableRawPointer(bus)) }
        // The end of the bus is an error of the call that is under way, not the end of this program.
        g_dbus_connection_set_exit_on_close(bus, 0)
        let type = mayAsk ? PromptRule.announcing : PromptRule.refusing
        guard let opened = secret_service_open_sync(type, nil, SECRET_SERVICE_OPEN_SESSION, nil, &error) else {
            throw Refusal(consuming: error)
        }
        service = Owned(opened)
        guard let algorithms = secret_service_get_session_algorithms(opened),
            String(cString: algorithms) != Self.plain
        else { throw Refusal(.plainSession) }
    }

    /// - Parameter body: what to store, where that is asked for.
    /// - Returns: what was looked up, where that was asked for.
    func answer(_ question: KeyringQuestion, _ body: borrowing Secret) throws(Refusal) -> StoredBytes? {
        let attributes = Attributes(of: question.item, storeID: question.storeID)
        do throws(Refusal) {
            switch question.verb {
            case .probe:
                try probe(attributes)
            case .store:
                try body.withBytes { bytes throws(Refusal) in try store(bytes, as: attributes) }
            case .lookup:
                guard let item = try find(attributes) else { throw Refusal(.notFound) }
                return try bytes(of: item)
            case .delete:
                try delete(attributes)
            }
            return nil
        } catch {
            // It was there when the session was opened.
            throw error.failure == .noService ? Refusal(.vanished, error.detail) : error
        }
    }
}
