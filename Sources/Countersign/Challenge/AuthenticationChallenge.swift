public import HTTPTypes

/// An authentication challenge of a server: one scheme of a `WWW-Authenticate` or `Proxy-Authenticate` field (RFC 9110, section
/// 11.3).
///
/// A custom observer reads the server's requirements from it:
///
/// ```swift
/// let challenges = AuthenticationChallenge.challenges(in: response.headerFields)
/// let isExpired = challenges.contains { $0.hasScheme("Bearer") && $0["error"] == "invalid_token" }
/// ```
///
/// Nonces and tokens must not be logged, so the description shows only the values of `realm`, `error` and `scope`.
public struct AuthenticationChallenge: Sendable, Hashable {
    /// The scheme as the server sent it. Scheme names are case-insensitive; compare with ``hasScheme(_:)``.
    public let scheme: String
    /// The `token68` that some schemes, such as `Negotiate`, have in place of parameters.
    public let token68: String?
    /// The parameters by lowercase name, unquoted and unescaped. Values are case-sensitive.
    public let parameters: [String: String]

    /// The header fields that contain challenges.
    public enum Field: String, Sendable, Hashable, CaseIterable {
        /// Sent by the origin server (RFC 9110, section 11.6.1).
        case wwwAuthenticate = "WWW-Authenticate"
        /// Sent by a proxy (RFC 9110, section 11.7.1).
        case proxyAuthenticate = "Proxy-Authenticate"

        /// The field's name.
        public var name: HTTPField.Name {
            switch self {
            case .wwwAuthenticate: .wwwAuthenticate
            case .proxyAuthenticate: .proxyAuthenticate
            }
        }
    }

    /// Creates a challenge.
    ///
    /// - Parameters:
    ///   - scheme: The name of the scheme.
    ///   - token68: The `token68` in place of parameters.
    ///   - parameters: The parameters. Of names that differ only in case, one is kept.
    public init(scheme: String, token68: String? = nil, parameters: [String: String] = [:]) {
        let lowercase = Dictionary(parameters.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        self.init(scheme: scheme, token68: token68, lowercaseParameters: lowercase)
    }

    /// Creates a challenge from parameters with lowercase names.
    init(scheme: String, token68: String? = nil, lowercaseParameters: [String: String]) {
        self.scheme = scheme
        self.token68 = token68
        parameters = lowercaseParameters
    }

    /// Returns the challenges of a header field in the server's order.
    ///
    /// A response may have several field lines with several challenges each. Each line is parsed by itself, up to its first syntax
    /// error: complete schemes and parameters before the error are kept, and the rest of the line is dropped. A scheme or parameter
    /// is complete if it ends at white space, at a comma or at the end of the line. Of parameters with the same name, which the
    /// grammar forbids, the first is used. An absolute URL without quotes, which the grammar forbids too, is read up to white space
    /// or a comma, and the comma between two parameters may be missing. At most 32 challenges per response and 64 parameters per
    /// challenge are read.
    ///
    /// - Parameters:
    ///   - fields: The header fields of a response.
    ///   - field: The field to read.
    public static func challenges(in fields: HTTPFields, of field: Field = .wwwAuthenticate) -> [AuthenticationChallenge] {
        AuthenticationChallengeParser.challenges(in: fields[values: field.name])
    }

    /// Returns whether the challenge has a scheme. The comparison ignores case.
    public func hasScheme(_ name: String) -> Bool {
        scheme.utf8.elementsEqual(name.utf8) { $0.asciiLowercase == $1.asciiLowercase }
    }

    /// The value of a parameter. The name is case-insensitive.
    public subscript(_ name: String) -> String? { parameters[name.lowercased()] }

    /// The challenge in the syntax of the header field.
    package var fieldValue: String {
        let parameters = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.quoted($0.value))" }
        let rest = [token68].compactMap(\.self) + (parameters.isEmpty ? [] : [parameters.joined(separator: ", ")])
        return ([scheme] + rest).joined(separator: " ")
    }

    /// Returns a text as a quoted string (RFC 9110, section 5.6.4).
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
