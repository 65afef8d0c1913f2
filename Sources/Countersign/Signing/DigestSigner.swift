internal import Crypto
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import Synchronization

/// Computes the responses to a Digest challenge from a user name and a password (RFC 7616, section 3.4), and counts the uses of
/// the nonce.
final class DigestSigner: Sendable {
    private struct State {
        /// The nonce of the next response.
        private(set) var nonce: String
        /// The number of uses of each of the latest nonces. A slow response may name a nonce again that was used and replaced, and
        /// a repeated count looks like a replay to the server (RFC 7616, section 3.4).
        private var uses: [String: UInt32] = [:]

        /// The maximum number of nonces whose uses are remembered.
        private static var maximumNonces: Int { 32 }

        init(nonce: String) { self.nonce = nonce }

        /// Counts a use of the nonce, and returns the number of its uses.
        mutating func use() -> UInt32 {
            let count = uses[nonce, default: 0] &+ 1
            if uses.count >= Self.maximumNonces, uses[nonce] == nil { uses.removeAll() }
            uses[nonce] = count
            return count
        }

        mutating func replaceNonce(by next: String) { nonce = next }
    }

    private let challenge: DigestChallenge
    private let user: String
    private let password: String
    /// The client nonce (`cnonce`), which is the same in all responses.
    private let clientNonce: String
    /// The hash of user name, realm and password; for a session algorithm, of both nonces too.
    private let secret: String
    private let state: Mutex<State>

    /// - Parameters:
    ///   - user: The user's name, without control characters.
    ///   - clientNonce: 32 random hexadecimal digits.
    init(_ challenge: DigestChallenge, user: String, password: String, clientNonce: String = DigestSigner.makeClientNonce()) {
        self.challenge = challenge
        self.user = user
        self.password = password
        self.clientNonce = clientNonce
        let base = challenge.hash.text(of: "\(user):\(challenge.realm):\(password)")
        secret = challenge.isSession ? challenge.hash.text(of: "\(base):\(challenge.nonce):\(clientNonce)") : base
        state = Mutex(State(nonce: challenge.nonce))
    }

    static func makeClientNonce() -> String {
        Hexadecimal.text((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// Returns a signer with the same user name and password for another challenge.
    func renewed(by challenge: DigestChallenge) -> DigestSigner { DigestSigner(challenge, user: user, password: password) }

    /// Whether the signer is for this challenge's nonce.
    func isFor(_ challenge: DigestChallenge) -> Bool { self.challenge.nonce == challenge.nonce }

    /// Whether the next response is to this challenge's nonce.
    func isCurrent(for challenge: DigestChallenge) -> Bool {
        isFor(challenge) && state.withLock(\.nonce) == challenge.nonce
    }

    /// Stores the nonce that the server requires next (RFC 7616, section 3.5).
    func note(_ response: HTTPResponse) {
        guard let name = HTTPField.Name("Authentication-Info"), let info = response.headerFields[name],
            // The field is a list of parameters, as in a challenge after its scheme.
            let next = AuthenticationChallengeParser.challenges(in: ["Digest " + info]).first?["nextnonce"], !next.isEmpty
        else { return }
        state.withLock { $0.replaceNonce(by: next) }
    }

    /// Returns the `Authorization` field of a request. It can be sent only once.
    func field(for request: HTTPRequest) -> HTTPField {
        let (nonce, uses) = state.withLock { state in
            let number = state.use()
            return (state.nonce, number)
        }
        let target = request.path ?? "/"
        let hash = challenge.hash
        let action = hash.text(of: "\(request.method.rawValue):\(target)")
        let count = String(repeating: "0", count: 8 - min(8, String(uses, radix: 16).count)) + String(uses, radix: 16)
        let answer = hash.text(
            of: challenge.isCounted ? "\(secret):\(nonce):\(count):\(clientNonce):auth:\(action)" : "\(secret):\(nonce):\(action)")

        var parts = [userPart, "realm=\(quoted(challenge.realm))", "uri=\(quoted(target))"]
        if let algorithm = challenge.algorithm { parts.append("algorithm=\(algorithm)") }
        parts.append("nonce=\(quoted(nonce))")
        if challenge.isCounted { parts += ["nc=\(count)", "cnonce=\(quoted(clientNonce))", "qop=auth"] }
        parts.append("response=\(quoted(answer))")
        if let opaque = challenge.opaque { parts.append("opaque=\(quoted(opaque))") }
        if challenge.hashesUser { parts.append("userhash=true") }
        var field = HTTPField(name: .authorization, value: "Digest \(parts.joined(separator: ", "))")
        field.indexingStrategy = .disallow
        return field
    }

    /// The user name: hashed, unchanged, or in the encoding of RFC 8187 if it is not ASCII.
    private var userPart: String {
        if challenge.hashesUser { return "username=\(quoted(challenge.hash.text(of: "\(user):\(challenge.realm)")))" }
        if user.utf8.allSatisfy({ $0 < 0x80 }) { return "username=\(quoted(user))" }
        return "username*=UTF-8''\(FormEncoding.encode(user, space: .percent).replacing("*", with: "%2A"))"
    }

    private func quoted(_ text: String) -> String { AuthenticationChallenge.quoted(text) }
}

extension DigestChallenge.Hash {
    /// Returns the hash of a text in UTF-8, in hexadecimal digits.
    fileprivate func text(of text: String) -> String {
        let data = Data(text.utf8)
        switch self {
        case .md5: return Hexadecimal.text(Insecure.MD5.hash(data: data))
        case .sha256: return Hexadecimal.text(SHA256.hash(data: data))
        }
    }
}

extension DigestSigner: RedactedDescription {}
