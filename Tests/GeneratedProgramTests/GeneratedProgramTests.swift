import AmazonWebServices
import Auth0
import CAS
import ContainerRegistry
import Countersign
import CountersignDynamic
import CountersignSpec
import EntraID
import Etcd
import FormLogin
import Foundation
import GitHub
import GitLab
import Google
import HTTPAuthentication
import Keycloak
import Keystone
import Matrix
import ModelContextProtocol
import OAuth
import Okta
import OpenIDConnect
import SAMLECP
import TestTurns
import Testing
import Transmission

@testable import SAPMobileServices

/// The compiled output of the generator equals the specs, part by part.
@Suite(.takesTurns) struct `Generated programs` {
    private static let specs = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Specs")

    private static func files(_ name: String) throws -> [String] {
        let folder = specs.appending(path: name).path(percentEncoded: false)
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }.map {
            "\(folder)/\($0)"
        }
    }

    private static func landscape(_ name: String, extending base: String? = nil) throws -> ResolvedLandscape {
        let (sources, unreadable) = SpecSources.load(own: try files(name), inherited: try base.map(files) ?? [])
        try #require(unreadable.isEmpty)
        return try #require(SpecReader.read(sources).landscape)
    }

    @Test(arguments: [
        ("AmazonWebServices", AmazonWebServicesLandscape.programs),
        ("CAS", CASLandscape.programs),
        ("ContainerRegistry", ContainerRegistryLandscape.programs), ("Etcd", EtcdLandscape.programs),
        ("FormLogin", FormLoginLandscape.programs),
        ("HTTPAuthentication", HTTPAuthenticationLandscape.programs), ("Keystone", KeystoneLandscape.programs),
        ("Matrix", MatrixLandscape.programs),
        ("ModelContextProtocol", ModelContextProtocolLandscape.programs), ("OAuth", OAuthLandscape.programs),
        ("OpenIDConnect", OpenIDConnectLandscape.programs),
        ("SAMLECP", SAMLECPLandscape.programs),
        ("Transmission", TransmissionLandscape.programs),
    ])
    func `the constants of a landscape are the programs of its specs`(name: String, generated: [MethodProgram]) throws {
        let lowered = try Self.landscape(name).programs.map { MethodProgram($0) }
        #expect(!generated.isEmpty && lowered.count == generated.count)
        for program in generated {
            let other = try #require(lowered.first { $0.name == program.name })
            expectEqual(other, program)
        }
    }

    @Test(arguments: [
        ("Auth0", "OpenIDConnect", Auth0Landscape.programs), ("EntraID", "OpenIDConnect", EntraIDLandscape.programs),
        ("GitHub", "OAuth", GitHubLandscape.programs), ("GitLab", "OpenIDConnect", GitLabLandscape.programs),
        ("Google", "OpenIDConnect", GoogleLandscape.programs), ("Keycloak", "OpenIDConnect", KeycloakLandscape.programs),
        ("Okta", "OpenIDConnect", OktaLandscape.programs),
    ])
    func `those of an overlay are the programs of what it extends, changed`(
        name: String, base: String, generated: [MethodProgram]
    ) throws {
        let lowered = try Self.landscape(name, extending: base).programs.map { MethodProgram($0) }
        #expect(!generated.isEmpty && lowered.count == generated.count)
        for program in generated { expectEqual(try #require(lowered.first { $0.name == program.name }), program) }
    }

    @Test func `those of SAP Mobile Services are, grant by grant`() throws {
        let methods = try Self.landscape("SAPMobileServices").programMethods
        let generated = [
            APIKeyAuthenticationMethod.program, BasicAuthenticationMethod.program, OAuth2Method.program, OTPMethod.program,
            SAMLMethod.program, SAPcpmsUserIdentityDiscoveryMethod.program, SLSUserIdentityDiscoveryMethod.program,
            UserIdentityMethod.program,
        ]
        #expect(methods.map(\.program.name.value).sorted() == generated.map(\.name).sorted())
        for program in generated {
            let method = try #require(methods.first { $0.program.name.value == program.name })
            expectEqual(MethodProgram(method.program), program)
        }
        let grants = try #require(methods.first { !$0.grants.isEmpty }).grants.map { OAuth2Method.program.with($0.program) }
        let compiled = [
            OAuth2Method.AuthorizationCode.program, OAuth2Method.ClientCredentials.program, OAuth2Method.Password.program,
        ]
        #expect(grants.map(\.grant) == compiled.map(\.grant))
        for (grant, program) in zip(grants, compiled) { expectEqual(grant, program) }
    }

    /// Compares part by part, so that a failure shows the part that differs.
    private func expectEqual(_ one: MethodProgram, _ other: MethodProgram) {
        #expect(one.slots == other.slots, "\(other.name)")
        #expect(one.challenges == other.challenges, "\(other.name)")
        #expect(one.credential == other.credential, "\(other.name)")
        #expect(one.acquire == other.acquire, "\(other.name)")
        #expect(one.renewal == other.renewal, "\(other.name)")
        #expect(one.attach == other.attach, "\(other.name)")
        #expect(one.rejections == other.rejections, "\(other.name)")
        #expect(one.end == other.end, "\(other.name)")
        #expect(one.errors == other.errors, "\(other.name)")
        #expect(one.failures == other.failures, "\(other.name)")
        #expect(one == other, "\(other.name)")
    }
}
