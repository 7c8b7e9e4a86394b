// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// What whoever probes has to know.
package enum ProbeEvent: Sendable, Hashable {
    /// From now on it is to be probed; also if its interest has changed.
    case wanted(EndpointID, ProbeInterest)
    case unwanted(EndpointID)
    /// It is still wanted, and at another place.
    case moved(EndpointID)
    /// A call to an endpoint that is wanted met this.
    case heard(EndpointID, Contact)
    /// What is shown of an endpoint's reachability is another now.
    case turned
}
