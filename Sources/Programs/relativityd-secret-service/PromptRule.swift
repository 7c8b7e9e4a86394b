// SPDX-License-Identifier: Apache-2.0

import CSecret

/// Decides whether the Secret Service may prompt the user. libsecret runs every prompt through methods of its service
/// class. The subclasses here override these methods, so no call can bypass them.
enum PromptRule {
    /// Refuses every prompt: a call that needs one fails as locked.
    static let refusing = subclass("RelativitydRefusingService") { type, _ in
        guard let methods = PromptRule.methods(of: type) else { return }
        methods.pointee.prompt_sync = { (_, _, _, _, error) in
            g_propagate_error(error, PromptRule.refusal)
            return nil
        }
        methods.pointee.prompt_async = { (service, _, _, cancellable, callback, context) in
            PromptRule.finish(g_task_new(service, cancellable, callback, context), nil, PromptRule.refusal)
        }
        methods.pointee.prompt_finish = { (_, result, error) in PromptRule.take(result, error) }
    }

    /// Reports each prompt to the daemon, then shows it. A dismissed prompt is an error here. After a dismissal,
    /// libsecret 0.20.5's own asynchronous method never calls back, so this one calls the synchronous method and
    /// waits.
    static let announcing = subclass("RelativitydAnnouncingService") { type, _ in
        guard let methods = PromptRule.methods(of: type) else { return }
        methods.pointee.prompt_sync = { (service, prompt, cancellable, wanted, error) in
            PromptRule.run(service, prompt, cancellable, wanted, error)
        }
        methods.pointee.prompt_async = { (service, prompt, wanted, cancellable, callback, context) in
            var error: UnsafeMutablePointer<GError>?
            let result = PromptRule.run(service, prompt, cancellable, wanted, &error)
            PromptRule.finish(g_task_new(service, cancellable, callback, context), result, error)
        }
        methods.pointee.prompt_finish = { (_, result, error) in PromptRule.take(result, error) }
    }

    private static func run(
        _ service: UnsafeMutablePointer<SecretService>?,
        _ prompt: UnsafeMutablePointer<SecretPrompt>?,
        _ cancellable: UnsafeMutablePointer<GCancellable>?,
        _ wanted: OpaquePointer?,
        _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
    ) -> OpaquePointer? {
        Exchange.reportPrompt()
        let usual = methods(of: g_type_class_peek(secret_service_get_type()))
        let result = usual?.pointee.prompt_sync(service, prompt, cancellable, wanted, error)
        if result == nil, let error, error.pointee == nil {
            let code = gint(G_IO_ERROR_CANCELLED.rawValue)
            error.pointee = g_error_new_literal(g_io_error_quark(), code, "the prompt was dismissed")
        }
        return result
    }

    private static func finish(
        _ task: OpaquePointer?,
        _ result: OpaquePointer?,
        _ error: UnsafeMutablePointer<GError>?
    ) {
        if let result {
            g_task_return_pointer(task, UnsafeMutableRawPointer(result)) { variant in
                variant.map { g_variant_unref(OpaquePointer($0)) }
            }
        } else {
            g_task_return_error(task, error)
        }
        task.map { g_object_unref(UnsafeMutableRawPointer($0)) }
    }

    private static func take(
        _ result: OpaquePointer?,
        _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
    ) -> OpaquePointer? {
        g_task_propagate_pointer(result, error).map { OpaquePointer($0) }
    }

    private static func subclass(_ name: String, _ initialise: @escaping GClassInitFunc) -> GType {
        g_type_register_static_simple(
            secret_service_get_type(),
            name,
            guint(MemoryLayout<SecretServiceClass>.size),
            initialise,
            guint(MemoryLayout<SecretService>.size),
            nil,
            GTypeFlags(0)
        )
    }

    private static func methods(of type: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<SecretServiceClass>? {
        type?.assumingMemoryBound(to: SecretServiceClass.self)
    }

    private static var refusal: UnsafeMutablePointer<GError>? {
        let code = gint(SECRET_ERROR_IS_LOCKED.rawValue)
        return g_error_new_literal(secret_error_get_quark(), code, "this would need a prompt")
    }
}
