import Crypto
import Foundation
import HTTPTypes

/// The answer to a challenge of HTTP Digest authentication with `qop=auth` (RFC 7616, section 3.4).
struct DigestAnswer {
    let user, realm, nonce, count: String
    let algorithm: MockDigest.Algorithm
    private let clientNonce, response, method, target: String

    /// Reads the answer of a request; `nil` if it has none, or one for another request.
    init?(_ request: MockRequest) {
        let target = request.path + (request.query.map { "?\($0)" } ?? "")
        guard let given = request.fields[.authorization].flatMap(Self.parameters), given["uri"] == target, given["qop"] == "auth",
            let user = Self.user(given), let realm = given["realm"], let nonce = given["nonce"],
            let algorithm = MockDigest.Algorithm(rawValue: given["algorithm"] ?? "MD5"), let count = given["nc"],
            count.count == 8, let clientNonce = given["cnonce"], let response = given["response"]
        else { return nil }
        self.user = user
        self.realm = realm
        self.nonce = nonce
        self.count = count
        self.algorithm = algorithm
        self.clientNonce = clientNonce
        self.response = response
        self.target = target
        method = request.method.rawValue
    }

    /// Whether the answer was computed with a password (section 3.4.1).
    func isMade(with password: String) -> Bool {
        let secret = algorithm.hash("\(user):\(realm):\(password)")
        let subject = algorithm.hash("\(method):\(target)")
        return response == algorithm.hash("\(secret):\(nonce):\(count):\(clientNonce):auth:\(subject)")
    }

    /// Returns the user name. A name beyond ASCII is encoded in `username*` (RFC 8187).
    private static func user(_ given: [String: String]) -> String? {
        let prefix = "UTF-8''"
        if let name = given["username"] { return name }
        guard let value = given["username*"], value.hasPrefix(prefix) else { return nil }
        return String(value.dropFirst(prefix.count)).removingPercentEncoding
    }

    /// Parses the parameters of an `Authorization` field; `nil` if its scheme is not `Digest`.
    private static func parameters(_ field: String) -> [String: String]? {
        guard field.hasPrefix("Digest ") else { return nil }
        var parameters: [String: String] = [:]
        for match in field.dropFirst(7).matches(of: /([A-Za-z*]+)=(?:"([^"]*)"|([^", ]+))/) {
            parameters[match.1.lowercased()] = String(match.2 ?? match.3 ?? "")
        }
        return parameters
    }
}

extension MockDigest.Algorithm {
    /// Returns the hash of a text as lowercase hexadecimal digits.
    fileprivate func hash(_ text: String) -> String {
        let data = Data(text.utf8)
        let bytes: [UInt8] =
            switch self {
            case .md5: Array(Insecure.MD5.hash(data: data))
            case .sha256: Array(SHA256.hash(data: data))
            }
        return bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
    }
}
