internal import Crypto
internal import CryptoExtras
internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Signs requests by HTTP Message Signatures (RFC 9421). The signed text has one line for each component that the spec names, and
/// a last line with the parameters of the signature.
struct MessageSignatureSigner: RequestSigning {
    enum Nonce {
        /// A new value for each signature.
        case random
        case given(String)
    }

    let key: MessageSigningKey
    let keyIdentifier: String?
    let components: [String]
    let label: String
    let lifetime: Duration?
    let tag: String?
    let nonce: Nonce?
    /// The time by which the server's clock is ahead of this machine's.
    var offset = Duration.zero

    func payload(of body: RequestBody, isEncrypted: Bool) -> RequestPayload? {
        components.contains("content-digest") ? body.inMemory : .unsigned
    }

    func payload(reading body: RequestBody) async throws -> RequestPayload { try await body.hashed() }

    func sign(_ request: inout HTTPRequest, payload: RequestPayload, at now: Date) {
        let time = now + offset / .seconds(1)
        if components.contains("date"), request.headerFields[.date] == nil {
            request.headerFields[.date] = TimeFormat.http.text(time)
        }
        if let name = HTTPField.Name("Content-Digest"), components.contains("content-digest"), request.headerFields[name] == nil,
            let digest = payload.digest
        {
            request.headerFields[name] = "sha-256=:\(Data(digest).base64EncodedString()):"
        }
        let (base, parameters) = self.base(of: request, at: time)
        guard let signature = key.signature(of: Array(base.utf8)) else { return }
        add("Signature-Input", "\(label)=\(parameters)", to: &request)
        add("Signature", "\(label)=:\(Data(signature).base64EncodedString()):", to: &request)
    }

    /// Returns the signature base (section 2.5) and the signature parameters.
    func base(of request: HTTPRequest, at time: Date) -> (text: String, parameters: String) {
        var lines: [String] = []
        var covered: [String] = []
        for component in components {
            // A component that the request lacks is not signed.
            guard let value = Self.value(of: component, in: request) else { continue }
            let name =
                Self.parameter(of: component).map { "\"@query-param\";name=\(Self.quoted(Self.encoded($0)))" }
                ?? Self.quoted(component)
            covered.append(name)
            lines.append("\(name): \(value)")
        }
        let parameters = "(\(covered.joined(separator: " ")))" + parameters(at: time)
        lines.append("\"@signature-params\": \(parameters)")
        return (lines.joined(separator: "\n"), parameters)
    }

    /// Returns the parameters of the signature (section 2.3).
    private func parameters(at time: Date) -> String {
        let created = Int(time.timeIntervalSince1970.rounded(.down))
        var text = ";created=\(created)"
        if let lifetime { text += ";expires=\(created + Int(lifetime.components.seconds))" }
        if let keyIdentifier { text += ";keyid=\(Self.quoted(keyIdentifier))" }
        switch nonce {
        case .random: text += ";nonce=\(Self.quoted(RandomText.make()))"
        case .given(let nonce): text += ";nonce=\(Self.quoted(nonce))"
        case nil: break
        }
        if let tag { text += ";tag=\(Self.quoted(tag))" }
        return text
    }

    /// Returns the value of a component (section 2); `nil` if the request does not have it.
    private static func value(of component: String, in request: HTTPRequest) -> String? {
        let target = request.path ?? "/"
        let path = target.prefix { $0 != "?" }
        switch component {
        case "@method": return request.method.rawValue
        // The server knows the authority only from `Host`, which is not sent as the request's URL was written.
        case "@target-uri": return "\(request.signedScheme)://\(request.signedAuthority)\(target)"
        case "@authority": return request.signedAuthority
        case "@scheme": return request.scheme == nil ? nil : request.signedScheme
        case "@request-target": return target
        case "@path": return path.isEmpty ? "/" : String(path)
        case "@query": return "?" + target.dropFirst(path.count + 1)
        default:
            if let name = parameter(of: component) { return parameter(name, in: target.dropFirst(path.count + 1)) }
            guard let name = HTTPField.Name(component) else { return nil }
            let values = request.headerFields[values: name].map { value in
                value.split(whereSeparator: \.isNewline).joined(separator: " ").trimmingSpaces
            }
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
    }

    /// Returns the parameter name of a component that is a query parameter; `nil` for other components.
    private static func parameter(of component: String) -> String? {
        let prefix = "@query-param;name=\""
        guard component.hasPrefix(prefix), component.hasSuffix("\"") else { return nil }
        return String(component.dropFirst(prefix.count).dropLast())
    }

    /// Returns the value of a query parameter (section 2.2.8); `nil` if it does not occur exactly once.
    private static func parameter(_ name: String, in query: Substring) -> String? {
        let values = query.split(separator: "&").compactMap { pair -> String? in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                FormEncoding.decode(String($0))
            }
            guard let found = parts.first, found == name else { return nil }
            return parts.count == 1 ? "" : parts[1]
        }
        return values.count == 1 ? encoded(values[0]) : nil
    }

    /// Percent-encodes the name or value of a query parameter (section 2.2.8).
    private static func encoded(_ text: String) -> String { PercentEncoding.encode(text.utf8, keeping: "!'()*") }

    /// Returns a text as a string of structured fields (RFC 8941, section 4.1.6).
    private static func quoted(_ text: String) -> String {
        "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }

    private func add(_ name: String, _ value: String, to request: inout HTTPRequest) {
        guard let name = HTTPField.Name(name) else { return }
        var field = HTTPField(name: name, value: value)
        field.indexingStrategy = .disallow
        request.headerFields[fields: name] = [field]
    }
}

extension MessageSignatureSigner: RedactedDescription {}

/// A key that signs messages.
struct MessageSigningKey: Sendable, RedactedDescription {
    private enum Kind: Sendable {
        case shared([UInt8])
        case p256(P256.Signing.PrivateKey)
        case p384(P384.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey, isPSS: Bool)
    }

    private let kind: Kind

    /// - Returns: `nil` if the text is not a key for the algorithm.
    init?(_ text: String, _ encoding: DigestFunction.KeyEncoding, for algorithm: MessageSignature.Algorithm) {
        switch algorithm {
        case .hmacSHA256:
            guard let bytes = encoding.bytes(text), !bytes.isEmpty else { return nil }
            kind = .shared(bytes)
        case .ecdsaP256:
            guard let key = try? P256.Signing.PrivateKey(pemRepresentation: text) else { return nil }
            kind = .p256(key)
        case .ecdsaP384:
            guard let key = try? P384.Signing.PrivateKey(pemRepresentation: text) else { return nil }
            kind = .p384(key)
        case .ed25519:
            guard let seed = Self.seed(in: text), let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else {
                return nil
            }
            kind = .ed25519(key)
        case .rsaPSS, .rsaPKCS1:
            // This initializer rejects keys that are too short.
            guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: text) else { return nil }
            kind = .rsa(key, isPSS: algorithm == .rsaPSS)
        }
    }

    func signature(of message: [UInt8]) -> [UInt8]? {
        switch kind {
        case .shared(let key): Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
        case .p256(let key): (try? key.signature(for: message)).map { Array($0.rawRepresentation) }
        case .p384(let key): (try? key.signature(for: message)).map { Array($0.rawRepresentation) }
        case .ed25519(let key): (try? key.signature(for: message)).map(Array.init)
        case .rsa(let key, isPSS: true):
            (try? key.signature(for: SHA512.hash(data: message), padding: .PSS)).map { Array($0.rawRepresentation) }
        case .rsa(let key, isPSS: false):
            (try? key.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)).map { Array($0.rawRepresentation) }
        }
    }

    /// Returns the 32 bytes of a private key in PEM (RFC 8410, section 7). The bytes before them are always the same.
    private static func seed(in text: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingSpaces }
        guard lines.first == "-----BEGIN PRIVATE KEY-----", lines.last == "-----END PRIVATE KEY-----",
            let bytes = Data(base64Encoded: lines.dropFirst().dropLast().joined()).map(Array.init)
        else { return nil }
        let prefix: [UInt8] = [0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20]
        return bytes.count == 48 && bytes.starts(with: prefix) ? Array(bytes.suffix(32)) : nil
    }
}

extension RequestPayload {
    /// The SHA-256 hash of the body; `nil` if the body is not signed.
    fileprivate var digest: [UInt8]? {
        switch self {
        case .bytes(let bytes): Array(SHA256.hash(data: bytes))
        case .hash(let text): Hexadecimal.bytes(text)
        case .unsigned: nil
        }
    }
}

extension StringProtocol {
    fileprivate var trimmingSpaces: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
