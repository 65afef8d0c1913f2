import AmazonWebServices
import ContainerRegistry
import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import Keystone
import SAMLECP
import Transmission

extension ServerShow {
    /// Transmission, whose server first asks for a password, and then answers each request without its session ID with that ID.
    static let transmission = ServerShow(row: "Transmission") { body in
        try await MockTransmission.run(users: ["alice": "wonderland"]) { mock in
            try await body(
                DemoServer(
                    url: mock.url,
                    earlierObservers: {
                        [HTTPBasicObserver(parameters: HTTPBasicParameters(servers: [mock.url]), prompting: ScriptedUser())]
                    },
                    observer: TransmissionSessionObserver(parameters: TransmissionSessionParameters(server: [mock.url])),
                    challengeField: try field("X-Transmission-Session-Id"),
                    counts: { (mock.statistics.conflicts, mock.statistics.sends) },
                    spoil: {
                        mock.changeSession()
                        mock.resetStatistics()
                    },
                    hold: { mock.hold(until: $0) }))
        }
    }

    /// Single sign-on by SAML, for clients that announce the profile without a browser. The challenge is a SOAP message.
    static let samlECP = ServerShow(row: "SAML ECP") { body in
        try await MockSAMLECP.run { mock in
            let parameters = SAMLECPParameters(
                servers: [mock.url], identityProviderURL: mock.identityProviderURL, user: "alice", password: "wonderland")
            let announcement: HTTPFields = [
                .accept: "application/vnd.paos+xml",
                try field("PAOS"): #"ver="urn:liberty:paos:2003-08";"urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp""#,
            ]
            try await body(
                DemoServer(
                    url: mock.url.appending(path: "data"), observer: SAMLECPObserver(parameters: parameters),
                    announcement: announcement, challengeField: .contentType,
                    counts: { (mock.statistics.challenges, mock.statistics.sends) },
                    spoil: {
                        mock.forgetSessions()
                        mock.resetStatistics()
                    },
                    hold: { mock.hold(until: $0) }))
        }
    }

    /// A container registry, whose challenge names the token server and the scope.
    static let containerRegistry = ServerShow(row: "Registry token") { body in
        try await MockRegistry.run(users: ["alice": "wonderland"]) { mock in
            let parameters = RegistryTokenParameters(
                registries: [mock.url], tokenServers: [mock.tokenServer], user: "alice", password: "wonderland")
            try await body(
                DemoServer(
                    url: mock.url.appending(path: "v2/alice/demo/tags/list"),
                    observer: RegistryTokenObserver(parameters: parameters), challengeField: .wwwAuthenticate,
                    counts: { (mock.statistics.challenges, mock.statistics.sends) },
                    spoil: {
                        mock.forgetTokens()
                        mock.resetStatistics()
                    },
                    hold: { mock.hold(until: $0) }))
        }
    }

    /// Services that accept only signed requests. The keys of a role are obtained before the first request, and again when they
    /// have expired.
    static let amazonWebServices = ServerShow(row: "AWS role") { body in
        try await MockAmazonWebServices.run { mock in
            let parameters = AssumedRoleParameters(
                endpoints: [mock.url], region: MockAmazonWebServices.region, service: MockAmazonWebServices.service,
                tokenService: mock.url, role: MockAmazonWebServices.role, accessKeyID: MockAmazonWebServices.accessKeyID,
                secretAccessKey: MockAmazonWebServices.secretAccessKey)
            try await body(
                DemoServer(
                    url: mock.url.appending(path: "objects/one"), observer: AssumedRoleObserver(parameters: parameters),
                    challengeField: nil, isEager: true,
                    counts: { (mock.statistics.refused, mock.statistics.answered + mock.statistics.refused) },
                    spoil: {
                        mock.expireRoles()
                        mock.resetStatistics()
                    },
                    hold: { mock.hold(until: $0) }))
        }
    }

    /// An OpenStack cloud, whose Identity service wants a password and a one-time passcode.
    static let keystone = ServerShow(row: "Keystone") { body in
        try await MockKeystone.run { mock in
            let parameters = KeystonePasswordParameters(
                identityURL: mock.identityURL, cloud: [mock.url], user: "mfa", password: "wonderland",
                totpSecret: MockKeystone.totpSecret)
            try await body(
                DemoServer(
                    url: mock.url.appending(path: "servers"), observer: KeystonePasswordObserver(parameters: parameters),
                    challengeField: .wwwAuthenticate, counts: { (mock.statistics.challenges, mock.statistics.sends) },
                    spoil: {
                        mock.forgetTokens()
                        mock.resetStatistics()
                    },
                    hold: { mock.hold(until: $0) }))
        }
    }
}

private func field(_ name: String) throws -> HTTPField.Name {
    guard let name = HTTPField.Name(name) else { throw DemoError("'\(name)' is not a valid name of a header field") }
    return name
}

/// Enters the password.
private struct ScriptedUser: HTTPBasicPrompting {
    func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? {
        ("alice", "wonderland")
    }
}
