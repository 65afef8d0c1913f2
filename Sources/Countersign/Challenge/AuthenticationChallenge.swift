public import HTTPTypes

/// A way to authenticate that a server offers in a `WWW-Authenticate` or `Proxy-Authenticate` field (RFC 9110, section 11.3).
///
/// An observer of your own finds in it what the server wants:
///
/// ```swift
/// let challenges = AuthenticationChallenge.challenges(in: response.headerFields)
/// let isExpired = challenges.contains { $0.hasScheme("Bearer") && $0["error"] == "invalid_token" }
/// ```
///
/// Nonces and tokens of a challenge are not for logs: its description shows the values of `realm`, `error` and `scope` only.
public struct AuthenticationChallenge: Sendable, Hashable {
    /// The scheme as the server writes it. Its name has no case, so compare it with ``hasScheme(_:)``.
    public let scheme: String
    /// The text in place of parameters that a few schemes have, such as `Negotiate`.
    public let token68: String?
    /// The parameters by name in lower case, without quotes and escapes; values have case.
    public let parameters: [String: String]

    /// The fields that hold challenges.
    public enum Field: String, Sendable, Hashable, CaseIterable {
        /// Of the server itself (RFC 9110, section 11.6.1).
        case wwwAuthenticate = "WWW-Authenticate"
        /// Of a proxy on the way to it (RFC 9110, section 11.7.1).
        case proxyAuthenticate = "Proxy-Authenticate"

        /// The field's name.
        public var name: HTTPField.Name {
            switch self {
            case .wwwAuthenticate: .wwwAuthenticate
            case .proxyAuthenticate: .proxyAuthenticate
            }
        }
    }

    /// Makes a challenge.
    ///
    /// - Parameters:
    ///   - scheme: The name of the scheme.
    ///   - token68: The text in place of parameters.
    ///   - parameters: The parameters; of names that differ only in case, one is kept.
    public init(scheme: String, token68: String? = nil, parameters: [String: String] = [:]) {
        self.scheme = scheme
        self.token68 = token68
        self.parameters = Dictionary(parameters.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    }

    /// The challenges of a field, in the order of the server.
    ///
    /// A field may be there several times and hold several challenges each time. Each line is read by itself. One that breaks the
    /// grammar is read up to the defect: the schemes and parameters that are complete before it are kept, and the rest of the line is
    /// dropped. Complete is what ends at white space, at a comma or at the end of the line. Of parameters with the same name, which the
    /// grammar forbids, the first counts. Nothing beyond 32 challenges of a response and 64 parameters of a challenge is read.
    ///
    /// - Parameters:
    ///   - fields: The header fields of a response.
    ///   - field: Which of its fields.
    public static func challenges(in fields: HTTPFields, of field: Field = .wwwAuthenticate) -> [AuthenticationChallenge] {
        AuthenticationChallengeParser.challenges(in: fields[values: field.name])
    }

    /// Whether the challenge is of a scheme; names have no case.
    public func hasScheme(_ name: String) -> Bool { scheme.lowercased() == name.lowercased() }

    /// The value of a parameter; names have no case.
    public subscript(_ name: String) -> String? { parameters[name.lowercased()] }

    /// The challenge as a server writes it.
    package var fieldValue: String {
        let parameters = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.quoted($0.value))" }
        let rest = [token68].compactMap(\.self) + (parameters.isEmpty ? [] : [parameters.joined(separator: ", ")])
        return ([scheme] + rest).joined(separator: " ")
    }

    /// A text as a quoted string (RFC 9110, section 5.6.4).
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
