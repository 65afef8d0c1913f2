public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The configuration of a store in etcd: endpoints, authentication and time limits.
public struct EtcdConfiguration: Sendable {
    /// The client URLs of the members, such as `https://etcd-1.example:2379`. If one does not answer, the next one is used.
    ///
    /// Plain `http` is allowed only for a loopback address.
    public var endpoints: [URL]
    /// The prefix of all keys. A user of the cluster needs permission to read and write this prefix, and no other.
    public var prefix: String
    /// The user of the cluster; `nil` if authentication is not enabled.
    public var user: User?
    /// The client certificate, if the cluster requires one. In a cluster with users, etcd's gateway accepts only certificates
    /// without a common name.
    public var identity: ConnectionIdentity?
    /// The lease time of a lock in seconds: at least 2, 15 by default. A lock expires after this time if its process has ended,
    /// hangs, or cannot reach the cluster.
    ///
    /// With a shorter time, other processes continue earlier; with a longer time, a paused process keeps its lock.
    public var lockLifetime: Duration = .seconds(15)
    /// The time limit for the response of a member before the next one is asked. 5 seconds by default.
    public var requestTimeout: Duration = .seconds(5)
    /// The time for which reading, writing and locking look for a member that answers. 10 seconds by default. Afterwards, only one
    /// attempt per member is made for some seconds.
    public var patience: Duration = .seconds(10)
    /// Whether a credential is renewed without the lock if the cluster fails, so that several machines may renew it at once.
    /// `false` by default.
    ///
    /// A server that rotates refresh tokens may treat that as theft and end the session of all.
    public var renewsWithoutLock = false

    /// A user of the cluster.
    public struct User: Sendable {
        /// The name.
        public var name: String
        /// The password.
        public var password: SecretBytes

        /// Creates a user.
        public init(name: String, password: SecretBytes) {
            self.name = name
            self.password = password
        }
    }

    /// Creates a configuration for one landscape and one tenant, with the prefix `/countersign/landscape/tenant/`. In both names,
    /// characters other than letters, digits, `-`, `.`, `_` and `~` are percent-encoded.
    public init(endpoints: [URL], landscape: String, tenant: String = "default") {
        let names = [landscape, tenant].map { PercentEncoding.encode($0.utf8) }
        self.init(endpoints: endpoints, prefix: "/countersign/\(names[0])/\(names[1])/")
    }

    /// Creates a configuration with a given prefix.
    public init(endpoints: [URL], prefix: String) {
        self.endpoints = endpoints
        self.prefix = prefix
    }
}

extension EtcdConfiguration.User: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "User(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
