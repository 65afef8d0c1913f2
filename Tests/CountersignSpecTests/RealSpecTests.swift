import Foundation
import TestTurns
import Testing

@testable import CountersignSpec

/// The specs of SAP Mobile Services.
@Suite(.computes) struct RealSpecTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Specs/SAPMobileServices")

    /// Returns the landscape with one of its methods, without its overlaps.
    private static func files() -> [SpecFile] {
        ["landscape.yaml", "SAML.yaml"].compactMap { name in
            guard let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8) else { return nil }
            return SpecFile(name, name == "SAML.yaml" ? text : text.withoutOverlaps)
        }
    }

    private static func read() -> SpecReading {
        SpecReader.read(SpecSources(own: files()))
    }

    @Test func `the repository's specs have no mistake`() {
        let reading = Self.read()
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        #expect(reading.landscape != nil)
    }

    @Test func `the methods of the landscape are read, and nothing overlaps that is not said`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0.hasSuffix(".yaml") }
        let (sources, unreadable) = SpecSources.load(own: names.sorted().map { Self.folder.appending(path: $0).path() })
        let reading = SpecReader.read(sources, unreadable: unreadable)
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        let landscape = try #require(reading.landscape)
        #expect(
            landscape.programMethods.map(\.name.value)
                == [
                    "APIKeyAuthentication", "BasicAuthentication", "OAuth2", "OTP", "SAML", "SAPcpmsUserIdentityDiscovery",
                    "SLSUserIdentityDiscovery", "UserIdentity",
                ])
    }

    @Test func `the landscape's own keys are read`() throws {
        let landscape = try #require(Self.read().landscape)
        #expect(landscape.name.value == "SAPMobileServices")
        #expect(landscape.name.location.line == 3)
        #expect(landscape.loggingPrefix == "SAP.Foundation.Authentication")
        #expect(landscape.imports.map(\.value) == ["CountersignSAP"])
        #expect(landscape.names.observing == "SAPURLSessionObserving")
        #expect(landscape.conformances.parameters == ["DiscoveryServiceConfigurable"])
        #expect(landscape.serverField == "backendURL")
        let settings = try #require(landscape.settings)
        #expect(settings.fields.map(\.name.value) == ["backendURL", "applicationID", "deviceID", "applicationVersion"])
        #expect(settings.fields.map(\.isOptional) == [false, false, true, true])
        #expect(settings.configuration.map(\.keys) == [["appID", "applicationID"], ["deviceID"], ["applicationVersion"]])
    }

    @Test func `the method is read to its last value`() throws {
        let method = try #require(Self.read().landscape?.programMethods.first)
        let program = method.program
        #expect(program.name.value == "SAML")
        #expect(program.stem == "SAML")
        #expect(program.documentation.summary == "SAML 2.0 web single sign-on.")
        #expect(program.documentation.discussion?.hasSuffix("later requests.") == true)
        let parameters = try #require(method.parameters)
        #expect(parameters.name.value == "SAMLAuthenticationParameters")
        #expect(parameters.fields.map(\.type) == [.url, .url, .header, .string])
        #expect(parameters.fields.compactMap(\.defaultText?.value) == ["com.sap.cloud.security.login", "login-request"])
        #expect(
            parameters.fromSettings?.map(\.template.pieces) == [
                [.settings("backendURL", .url), .text("/SAMLAuthLauncher")],
                [.settings("backendURL", .url), .text("/SAMLAuthLauncher?finishEndpointParam=someUnusedValue")],
            ])
        #expect(
            parameters.configuration.map(\.keys) == [
                ["saml2.web.post.authorization.endpoint.uri"], ["saml2.web.post.finish.endpoint.uri"],
                ["saml2.web.post.authchallengeheader.name"], ["saml2.web.post.authchallengeheader.value"],
            ])
        #expect(program.challenges.map(\.statuses) == [[200]])
        #expect(
            program.challenges.first?.headers == [
                .init(name: .init(pieces: [.slot(2)]), match: .equals(.init(pieces: [.slot(3)])))
            ])
        #expect(program.credential.isSessionCookies)
        let page = try #require(program.pages.first)
        guard case .at(_, match: .pathAndQueryNames) = page.end else {
            Issue.record("expected a page that ends at an address")
            return
        }
        #expect(page.failures.map(\.failure) == [.dismissed, .load, .reloaded, .background])
        #expect(page.failures.map(\.errorCase.value) == ["cancelled", "webView", "webViewReloaded", "backgroundAuthentication"])
        #expect(program.rejections.map(\.error?.value) == ["credentialsRejected"])
        #expect(program.failures.map(\.failure) == [.cancelled, .invalidArgument, .busy])
        #expect(program.failures.map(\.errorCase.value) == ["cancelled", "invalidArgument", "authenticationInProgress"])
        #expect(program.errors.map(\.name.value) == ["SAMLError"])
        #expect(program.errors.first?.cases.count == 7)
        #expect(program.errors.first?.cases.last?.since == "25.08")
        #expect(method.mock.sessionCookie == "X-SMP-SESSID")
    }

    @Test func `whatever line is lost, there is a landscape or an error, never neither`() {
        let names = Self.files().map(\.name)
        let texts = Self.files().map { String(decoding: $0.bytes, as: UTF8.self) }
        for (changed, text) in texts.enumerated() {
            let lines = text.components(separatedBy: "\n")
            for (number, line) in lines.enumerated() {
                var spoiled = lines
                if number.isMultiple(of: 2) {
                    spoiled.remove(at: number)
                } else {
                    // Only the key of the line is left.
                    spoiled[number] = line.components(separatedBy: ": ").first.map { $0 + ":" } ?? ""
                }
                let files = names.indices.map {
                    SpecFile(names[$0], $0 == changed ? spoiled.joined(separator: "\n") : texts[$0])
                }
                let reading = SpecReader.read(SpecSources(own: files))
                let hasErrors = reading.diagnostics.contains { $0.severity == .error }
                #expect((reading.landscape == nil) == hasErrors, "\(names[changed]), line \(number + 1)")
                #expect(hasErrors || reading.landscape?.programMethods.count == 1, "\(names[changed]), line \(number + 1)")
            }
        }
    }
}
