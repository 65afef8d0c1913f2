import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import Countersign

/// DPoP proofs (RFC 9449).
@Suite struct ProofSignerTests {
    @Test(arguments: [
        ("https", "app.example", "https://app.example/Data"), ("HTTPS", "APP.example:443", "https://app.example/Data"),
        ("https", "app.example:8443", "https://app.example:8443/Data"), ("HTTP", "127.0.0.1:80", "http://127.0.0.1/Data"),
    ])
    func `a proof has the URL that a server sees`(scheme: String, authority: String, url: String) throws {
        var request = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/Data?x=1")
        ProofSigner(key: P256.Signing.PrivateKey(), token: nil, nonces: ProofNonces()).sign(
            &request, payload: .unsigned, at: Date(timeIntervalSince1970: 1_618_884_473))
        let name = try #require(HTTPField.Name.proof)
        let proof = try #require(request.headerFields[name])
        let parts = proof.split(separator: ".")
        try #require(parts.count == 3)
        let plain = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.count % 4) % 4)
        let bytes = try #require(Data(base64Encoded: plain + padding))
        let object = try JSONSerialization.jsonObject(with: bytes)
        let claims = try #require(object as? [String: Any])
        #expect(claims["htu"] as? String == url)
        #expect(claims["htm"] as? String == "GET")
    }
}
