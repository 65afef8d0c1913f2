public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where a cluster of etcd is, who asks it, and for how long.
public struct EtcdConfiguration: Sendable {
    /// The URLs that the members serve their clients at, such as `https://etcd-1.example:2379`. One that does not answer is passed over for the
    /// next one.
    ///
    /// Over plain `http` only a member on this machine is asked.
    public var endpoints: [URL]
    /// What the names of all keys begin with. A user of the cluster needs the right to read and write this prefix, and no other.
    public var prefix: String
    /// The user of the cluster; `nil` where it has none.
    public var user: User?
    /// What connections are made with, where the cluster demands a certificate of its clients. In a cluster with users, etcd's gateway takes
    /// none with a common name.
    public var identity: ConnectionIdentity?
    /// How long a lock outlives a process that has ended, hangs, or reaches the cluster no more: in seconds, at least 2.
    ///
    /// A shorter time lets others go on earlier; a longer one gives a process that only paused the time to finish.
    public var lockLifetime: Duration = .seconds(15)
    /// How long a member may take for an answer before the next one is asked.
    public var requestTimeout: Duration = .seconds(5)
    /// How long reading, writing and locking go on to look for a member that answers. After that, one round is made at a time for some seconds.
    public var patience: Duration = .seconds(10)
    /// Whether a credential is renewed without the lock when the cluster fails, whatever the reason, so that several machines may do it at once.
    ///
    /// A server that replaces refresh tokens may take that for theft, and end the session of all.
    public var renewsWithoutLock = false

    /// A user of a cluster.
    public struct User: Sendable {
        /// The name.
        public var name: String
        /// The password.
        public var password: SecretBytes

        /// Makes a user.
        public init(name: String, password: SecretBytes) {
            self.name = name
            self.password = password
        }
    }

    /// Makes a configuration for the credentials of one landscape and one tenant, which no other can see: their keys begin with
    /// `/countersign/landscape/tenant/`, each name with percent signs for what is no letter, digit, `-`, `.`, `_` or `~`.
    public init(endpoints: [URL], landscape: String, tenant: String = "default") {
        self.init(endpoints: endpoints, prefix: "/countersign/\(Self.encoded(landscape))/\(Self.encoded(tenant))/")
    }

    /// Makes a configuration with a prefix of one's own.
    public init(endpoints: [URL], prefix: String) {
        self.endpoints = endpoints
        self.prefix = prefix
    }

    private static func encoded(_ name: String) -> String {
        name.utf8.map { byte in
            switch UInt8(byte) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}

extension EtcdConfiguration.User: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "User(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
