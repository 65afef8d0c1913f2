public import Countersign
internal import Foundation

extension SAPcpmsUserRoles {
    /// A user of the role service, in SCIM format (RFC 7643).
    ///
    /// Descriptions show no values, since they are personal data.
    public struct SAPcpmsUserInfo: Sendable, Hashable {
        /// The unique identifier.
        public let id: String
        /// The login name.
        public let userName: String
        /// The family name, if known.
        public let familyName: String?
        /// The given name, if known.
        public let givenName: String?
        /// The mail addresses, in the server's order.
        public let emails: [String]
        /// The roles, in the server's order; empty if access control does not name any.
        public let roles: [String]
        /// The other members of the response as JSON texts.
        public let others: [String: String]

        /// Creates a user.
        public init(
            id: String, userName: String, familyName: String? = nil, givenName: String? = nil, emails: [String] = [],
            roles: [String] = [], others: [String: String] = [:]
        ) {
            self.id = id
            self.userName = userName
            self.familyName = familyName
            self.givenName = givenName
            self.emails = emails
            self.roles = roles
            self.others = others
        }

        /// Parses the response of the role service.
        ///
        /// - Throws: ``SAPcpmsUserRolesError/malformed(type:description:)``.
        init(scim data: Data) throws(SAPcpmsUserRolesError) {
            guard data.count <= Self.maximumSize, let json = try? JSONSerialization.jsonObject(with: data),
                let members = json as? [String: Any]
            else { throw Self.unreadable }
            guard let id = members["id"] as? String, !id.isEmpty else {
                throw .malformed(type: .id, description: "it has no 'id'")
            }
            guard let userName = members["userName"] as? String, !userName.isEmpty else {
                throw .malformed(type: .userName, description: "it has no 'userName'")
            }
            let name = members["name"] as? [String: Any]
            let known: Set = ["id", "userName", "name", "emails", "roles"]
            self.init(
                id: id, userName: userName, familyName: name?["familyName"] as? String, givenName: name?["givenName"] as? String,
                emails: Self.values(members["emails"]), roles: Self.values(members["roles"]),
                others: members.filter { !known.contains($0.key) }.compactMapValues(Self.text))
        }

        /// The maximum size of a response in bytes.
        static let maximumSize = 1 << 20
        /// The error for a response that is too large or not a JSON object.
        static let unreadable = SAPcpmsUserRolesError.malformed(
            type: .json, description: "it is not a JSON object of at most 1 MiB")

        /// Returns the values of a multi-valued attribute: objects with a `value` (RFC 7643, section 2.4), or texts.
        private static func values(_ attribute: Any?) -> [String] {
            (attribute as? [Any] ?? []).compactMap { ($0 as? [String: Any])?["value"] as? String ?? $0 as? String }
        }

        private static func text(_ value: Any) -> String? {
            let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
            let data = try? JSONSerialization.data(withJSONObject: value, options: options)
            return data.map { String(decoding: $0, as: UTF8.self) }
        }
    }
}

extension SAPcpmsUserRoles.SAPcpmsUserInfo: ReducedDescription {
    /// The number of roles and of other members.
    public var visibleParts: KeyValuePairs<String, String> { ["roles": "\(roles.count)", "others": "\(others.count)"] }
}
