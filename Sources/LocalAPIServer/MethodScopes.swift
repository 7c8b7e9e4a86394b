// SPDX-License-Identifier: Apache-2.0

import Broker

/// What each method of the local API does, as far as permission goes. A method without a row is refused.
enum MethodScopes {
    static func scope(of method: String) -> MethodScope? { rows[method] }

    static let rows: [String: MethodScope] = [
        "org.relativityd.Manager.GetStatus": .look,
        "org.relativityd.Manager.GetCapabilities": .look,
        "org.relativityd.Manager.GetMetrics": .look,

        "org.relativityd.Registry.List": .look,
        "org.relativityd.Registry.Get": .look,
        "org.relativityd.Registry.GetIdentity": .look,
        "org.relativityd.Registry.Probe": .look,
        "org.relativityd.Registry.Watch": .look,
        "org.relativityd.Registry.Add": .manage,
        "org.relativityd.Registry.Import": .manage,
        "org.relativityd.Registry.Export": .look,
        "org.relativityd.Registry.Remove": .manage,
        "org.relativityd.Registry.Set": .manage,

        "org.relativityd.Credentials.GetStatus": .look,
        "org.relativityd.Credentials.ListProviders": .look,
        "org.relativityd.Credentials.Init": .manage,
        "org.relativityd.Credentials.Unlock": .manage,
        "org.relativityd.Credentials.Lock": .manage,
        "org.relativityd.Credentials.Accept": .manage,
        "org.relativityd.Credentials.Upgrade": .manage,
        "org.relativityd.Credentials.Backup": .manage,
        "org.relativityd.Credentials.Restore": .manage,
        "org.relativityd.Credentials.AddSlot": .vault,
        "org.relativityd.Credentials.RemoveSlot": .vault,
        "org.relativityd.Credentials.RewrapSlot": .vault,
        "org.relativityd.Credentials.LabelSlot": .vault,
        "org.relativityd.Credentials.ChangePassphrase": .vault,
        "org.relativityd.Credentials.RotateKey": .vault,
        "org.relativityd.Credentials.Export": .vault,
        "org.relativityd.Credentials.Import": .vault,
        "org.relativityd.Credentials.ListPins": .vault,
        // Those of the administrator are there without a vault; the store says which it needs one for.
        "org.relativityd.Credentials.ListLogins": .look,
        "org.relativityd.Credentials.AddLogin": .manage,
        "org.relativityd.Credentials.EditLogin": .manage,
        "org.relativityd.Credentials.RemoveLogin": .manage,
        // Logs in and out, and gives nobody a session or an answer of the server's.
        "org.relativityd.Credentials.TestLogin": .manage,
        "org.relativityd.Credentials.PinEndpoint": .manage,
        "org.relativityd.Credentials.RepinEndpoint": .manage,
        "org.relativityd.Credentials.ForgetPin": .manage,

        "org.relativityd.Audit.List": .look,
        "org.relativityd.Audit.Verify": .vault,

        "org.relativityd.Broker.Open": .use,
        // Whether the endpoint allows it is known when it has been found.
        "org.relativityd.Broker.OpenSession": .manage,
        "org.relativityd.Broker.List": .look,
        "org.relativityd.Broker.Close": .manage,
        "org.relativityd.Broker.Watch": .look,
        // The way that a server for grants only leaves open; what the grant's calls may be is looked at with each.
        "org.relativityd.Broker.AddGrant": .manage,
        "org.relativityd.Broker.ListGrants": .look,
        "org.relativityd.Broker.RevokeGrant": .manage,
        "org.relativityd.Broker.Capture": .use,
    ]
}
