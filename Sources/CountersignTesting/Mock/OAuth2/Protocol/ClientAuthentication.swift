import Foundation
import HTTPTypes
import Synchronization

/// Authenticates the client of a request at the token, revocation or another endpoint (RFC 6749, section 2.3).
final class ClientAuthentication: Sendable {
    private static let failure = OAuth2Refusal(.invalidClient, "The client is unknown, or its authentication failed.")

    private let clients: Mutex<[String: MockOAuth2Client]>
    private let assertions: ClientAssertions
    private let address: String
    /// The required audience of assertions; `nil` for the URL of the endpoint.
    private let issuer: String?

    init(_ clients: [MockOAuth2Client], address: String, issuer: String?, recorder: OAuth2Recorder) {
        assertions = ClientAssertions(recorder: recorder)
        self.address = address
        self.issuer = issuer
        self.clients = Mutex(Dictionary(clients.map { ($0.id, $0) }) { _, last in last })
    }

    /// Adds a dynamically registered client.
    func register(_ client: MockOAuth2Client) { clients.withLock { $0[client.id] = client } }

    /// Returns the client with an identifier.
    func client(_ id: String) -> MockOAuth2Client? {
        OAuth2Syntax.isVisible(id) ? clients.withLock { $0[id] } : nil
    }

    /// Returns the client of a request, which must authenticate by exactly one of its registered methods.
    func client(sending request: MockRequest, with parameters: OAuth2Parameters) throws(OAuth2Refusal) -> MockOAuth2Client {
        let credentials = request.fields[values: .authorization]
        guard credentials.count < 2, credentials.isEmpty || parameters["client_secret"] == nil
        else { throw OAuth2Refusal(.invalidRequest, "The client uses more than one authentication method.") }
        if parameters["client_assertion"] != nil || parameters["client_assertion_type"] != nil {
            guard credentials.isEmpty, parameters["client_secret"] == nil
            else { throw OAuth2Refusal(.invalidRequest, "The client uses more than one authentication method.") }
            return try client(assertedBy: parameters, for: issuer ?? address + request.path)
        }
        guard let credential = credentials.first else {
            if parameters["client_secret"] == nil, let client = signer(ofGrantIn: parameters) { return client }
            return try client(namedIn: parameters, with: request.certificate)
        }
        let client = try client(provedBy: credential)
        guard parameters["client_id"].map({ $0.utf8.elementsEqual(client.id.utf8) }) ?? true
        else { throw OAuth2Refusal(.invalidRequest, "The form names another client.") }
        return client
    }

    /// Returns the subject of the assertion with which a client requests a token (RFC 7523, section 2.1). Each assertion is accepted
    /// once.
    ///
    /// - Parameter audiences: The accepted audiences.
    func subject(
        ofGrantIn parameters: OAuth2Parameters, to client: MockOAuth2Client, for audiences: Set<String>
    ) throws(OAuth2Refusal) -> String {
        guard let assertion = parameters["assertion"] else { throw OAuth2Refusal(.invalidRequest, "The assertion is missing.") }
        let claims = client.key.flatMap {
            assertions.claims(of: assertion, signedBy: $0, of: client.keyCertificate, for: audiences, at: Date())
        }
        guard let claims, claims.iss == client.id
        else { throw OAuth2Refusal(.invalidGrant, "The assertion is invalid, or is another client's.") }
        return claims.sub
    }

    /// Returns the client with a key that the assertion of a grant names as its issuer; `nil` for other requests. The assertion is
    /// validated with the grant.
    private func signer(ofGrantIn parameters: OAuth2Parameters) -> MockOAuth2Client? {
        guard parameters["grant_type"] == MockOAuth2Client.Grant.jwtBearer.rawValue else { return nil }
        let signer = parameters["assertion"].flatMap { assertions.claims(of: $0) }.flatMap { client($0.iss) }
        guard let signer, signer.key != nil, parameters["client_id"].map({ $0.utf8.elementsEqual(signer.id.utf8) }) ?? true
        else { return nil }
        return signer
    }

    private func client(
        namedIn parameters: OAuth2Parameters, with certificate: [UInt8]?
    ) throws(OAuth2Refusal) -> MockOAuth2Client {
        guard let client = parameters["client_id"].flatMap(client), client.key == nil || client.secret != nil
        else { throw Self.failure }
        let isProved =
            switch (client.secret, parameters["client_secret"]) {
            case (nil, nil): true
            case (let secret?, let sent?): client.authentications.contains(.body) && secret.utf8.elementsEqual(sent.utf8)
            default: false
            }
        guard isProved, client.certificate == nil || client.certificate == certificate else { throw Self.failure }
        return client
    }

    private func client(
        assertedBy parameters: OAuth2Parameters, for audience: String
    ) throws(OAuth2Refusal) -> MockOAuth2Client {
        guard let name = assertions.subject(of: parameters), let client = client(name), let key = client.key,
            parameters["client_id"].map({ $0.utf8.elementsEqual(name.utf8) }) ?? true,
            assertions.accepts(parameters, signedBy: key, of: client.keyCertificate, for: audience, at: Date())
        else { throw Self.failure }
        return client
    }

    private func client(provedBy credential: String) throws(OAuth2Refusal) -> MockOAuth2Client {
        let parts = credential.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic", let data = Data(base64Encoded: String(parts[1])),
            let colon = data.firstIndex(of: UInt8(ascii: ":"))
        else { throw Self.failure }
        let id = data[..<colon]
        let secret = data[data.index(after: colon)...]
        let readings: [(MockOAuth2Client.Authentication, String?, String?)] = [
            (.basic, Self.formDecoded(id), Self.formDecoded(secret)),
            (.rawBasic, String(validating: id, as: UTF8.self), String(validating: secret, as: UTF8.self)),
        ]
        for (authentication, id, secret) in readings {
            if let client = id.flatMap(client), client.authentications.contains(authentication), let expected = client.secret,
                let secret, expected.utf8.elementsEqual(secret.utf8)
            {
                return client
            }
        }
        throw Self.failure
    }

    private static func formDecoded(_ bytes: some Sequence<UInt8>) -> String? {
        guard let form = FormFields("value=".utf8 + Array(bytes)), form.pairs.count == 1 else { return nil }
        return form["value"]
    }
}
