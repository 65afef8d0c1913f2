#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Cookie {
    /// What makes two cookies the same one: a new cookie takes the place of the old one of its identity (RFC 6265, section 5.3, step 11).
    struct Identity: Hashable, Sendable {
        let name: String
        let domain: String
        let path: String
    }

    var identity: Identity { Identity(name: name, domain: domain, path: path) }

    /// Whether its time is over.
    func isExpired(at now: Date) -> Bool {
        guard let expires else { return false }
        return expires <= now
    }
}
