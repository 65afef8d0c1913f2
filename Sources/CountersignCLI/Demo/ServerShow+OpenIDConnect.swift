import Countersign
import CountersignIdentity
import CountersignTesting
import Foundation
import HTTPTypes
import OpenIDConnect

extension ServerShow {
    /// An OpenID provider, with a page on which a user logs in.
    static let openIDUser = oauth("OpenID, user", provider) {
        $0.endAllSessions()
    } observer: {
        OpenIDLoginObserver(parameters: try user($0))
    }

    /// The same, with tokens that are bound to a key of the client.
    static let openIDBound = oauth("OpenID, bound", bindingProvider) {
        $0.endAllSessions()
    } observer: {
        var parameters = try user($0)
        parameters.provesPossession = true
        return OpenIDLoginObserver(parameters: parameters)
    }

    /// The same, with access tokens that have expired.
    static let openIDRefresh = oauth("OpenID, refresh", provider) {
        $0.expireAccessTokens()
    } observer: {
        OpenIDLoginObserver(parameters: try user($0))
    }

    /// The same for a device, whose code the user types on another one.
    static let openIDDevice = oauth("OpenID, device", provider) {
        $0.endAllSessions()
    } observer: {
        OpenIDDeviceObserver(
            parameters: OpenIDDeviceParameters(
                apis: [$0.baseURL], issuer: $0.baseURL, clientID: MockOAuth2Client.device.id))
    }

    /// The same for a service, without a user.
    static let openIDService = oauth("OpenID, service", provider) {
        $0.endAllSessions()
    } observer: {
        let client = MockOAuth2Client.service
        return OpenIDServiceObserver(
            parameters: OpenIDServiceParameters(
                apis: [$0.baseURL], issuer: $0.baseURL, clientID: client.id, clientSecret: client.secret ?? ""))
    }

    /// The same for a service that was called with a user's token, and exchanges it for its own token.
    static let openIDExchange = oauth("OpenID, exchange", provider) {
        $0.endAllSessions()
    } observer: { server in
        let client = MockOAuth2Client.service
        return OpenIDExchangeObserver(
            parameters: OpenIDExchangeParameters(
                apis: [server.baseURL], issuer: server.baseURL, clientID: client.id, clientSecret: client.secret ?? ""),
            prompting: CalledService(server: server))
    }

    /// The same for a service that authenticates with a certificate, to which its tokens are bound.
    static let openIDCertificate = ServerShow(row: "OpenID, mTLS") { body in
        let authority = try MockCertificateAuthority()
        let identity = try authority.identity(for: "reports")
        var options = provider
        options.openID?.hasCertificateEndpoint = true
        var client = MockOAuth2Client(id: "reports", grants: [.clientCredentials])
        client.certificate = identity.certificateChain[0]
        options.clients.append(client)
        var certificates = MockCertificateOptions(authority: authority)
        certificates.demand = .page
        try await MockAuthorizationServer.run(options: options, certificates: certificates) { server in
            let parameters = OpenIDCertificateParameters(apis: [server.baseURL], issuer: server.baseURL, clientID: "reports")
            try await body(
                DemoServer(
                    url: server.baseURL.appending(path: "notes"),
                    observer: OpenIDCertificateObserver(
                        parameters: parameters, prompting: CertifiedService(identity: identity.connectionIdentity)),
                    trustRoots: try authority.pem, challengeField: .wwwAuthenticate,
                    counts: { (server.statistics.challenges, server.statistics.challenges + server.statistics.resources) },
                    spoil: {
                        server.endAllSessions()
                        server.resetStatistics()
                    },
                    hold: { server.hold(.path("/notes"), until: $0) }))
        }
    }

    /// A service with a certificate.
    private struct CertifiedService: OpenIDCertificatePrompting {
        let identity: ConnectionIdentity

        func identity(for prompt: CredentialPrompt) -> ConnectionIdentity? { identity }
    }

    /// A service that is called with a user's token.
    private struct CalledService: OpenIDExchangePrompting {
        let server: MockAuthorizationServer

        func subjectToken(for prompt: CredentialPrompt) -> String? { server.makeAccessToken(for: "alice", scopes: ["read"]) }
    }

    /// The options of an OpenID provider.
    static var provider: MockOAuth2Options {
        var options = MockOAuth2Options()
        options.openID = MockOpenIDOptions()
        options.scopes = ["openid", "read", "write"]
        return options
    }

    /// The options of a provider that issues tokens only to clients that prove possession of a key.
    private static var bindingProvider: MockOAuth2Options {
        var options = provider
        var proof = MockProofOptions()
        proof.isRequired = true
        options.proof = proof
        return options
    }

    private static func user(_ server: MockAuthorizationServer) throws -> OpenIDLoginParameters {
        guard let redirect = URL(string: "http://127.0.0.1/callback") else { throw DemoError("the redirect URL is invalid") }
        return OpenIDLoginParameters(
            apis: [server.baseURL], issuer: server.baseURL, clientID: MockOAuth2Client.app.id, redirectURL: redirect)
    }
}
