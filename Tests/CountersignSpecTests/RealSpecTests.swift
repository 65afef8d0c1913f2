import CountersignSpec
import Foundation
import TestTurns
import Testing

/// The specs of the repository.
@Suite(.takesTurns) struct RealSpecTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Specs/SAPMobileServices")

    private static func read() -> SpecReading {
        let paths = ["landscape.yaml", "SAML.yaml"].map { folder.appending(path: $0).path() }
        let (sources, unreadable) = SpecSources.load(own: paths)
        return SpecReader.read(sources, unreadable: unreadable)
    }

    @Test func `the repository's specs have no mistake`() {
        let reading = Self.read()
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        #expect(reading.landscape != nil)
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
        let method = try #require(Self.read().landscape?.methods.first)
        #expect(method.name.value == "SAML")
        #expect(method.stem == "SAML")
        #expect(method.origin == "SAPMobileServices/SAML.yaml")
        #expect(method.documentation.summary == "SAML 2.0 web single sign-on.")
        #expect(method.documentation.discussion?.hasSuffix("later requests.") == true)
        #expect(method.parameters?.fields.map(\.type) == [.url, .url, .header, .string])
        #expect(method.parameters?.fields.compactMap(\.defaultText?.value) == ["com.sap.cloud.security.login", "login-request"])
        #expect(
            method.parameters?.fromSettings?.map(\.template.pieces) == [
                [.settings("backendURL", .url), .text("/SAMLAuthLauncher")],
                [.settings("backendURL", .url), .text("/SAMLAuthLauncher?finishEndpointParam=someUnusedValue")],
            ])
        #expect(method.challenges.map(\.statuses) == [[200]])
        let field = try #require(method.challenges.first?.fields.first)
        #expect(field.name.pieces == [.parameter("challengeHeaderName", .header)])
        guard case .equals(let value) = field.match else {
            Issue.record("expected equals, found \(field.match)")
            return
        }
        #expect(value.pieces == [.parameter("challengeHeaderValue", .string)])
        guard case .present(let step)? = method.authenticate.first else {
            Issue.record("expected a present step")
            return
        }
        #expect(step.match == .pathAndQueryNames)
        #expect(step.failures.map(\.failure) == [.dismissed, .load, .reloaded, .background])
        #expect(step.failures.map(\.errorCase.value) == ["cancelled", "webView", "webViewReloaded", "backgroundAuthentication"])
        #expect(step.location.line == 39)
        #expect(method.busy?.value == "authenticationInProgress")
        #expect(method.invalidArgument?.value == "invalidArgument")
        #expect(method.errors.cases.count == 7)
        #expect(method.errors.cases.last?.since == "25.08")
        #expect(method.mock.sessionCookie == "X-SMP-SESSID")
    }

    @Test func `whatever line is lost, there is a landscape or an error, never neither`() throws {
        let names = ["landscape.yaml", "SAML.yaml"]
        let texts = try names.map { try String(contentsOf: Self.folder.appending(path: $0), encoding: .utf8) }
        for (changed, text) in texts.enumerated() {
            let lines = text.components(separatedBy: "\n")
            for (number, line) in lines.enumerated() {
                var spoiled = lines
                if number.isMultiple(of: 2) {
                    spoiled.remove(at: number)
                } else {
                    // Only its key is left.
                    spoiled[number] = line.components(separatedBy: ": ").first.map { $0 + ":" } ?? ""
                }
                let files = names.indices.map {
                    SpecFile(names[$0], $0 == changed ? spoiled.joined(separator: "\n") : texts[$0])
                }
                let reading = SpecReader.read(SpecSources(own: files))
                let hasErrors = reading.diagnostics.contains { $0.severity == .error }
                #expect((reading.landscape == nil) == hasErrors, "\(names[changed]), line \(number + 1)")
                #expect(hasErrors || reading.landscape?.methods.count == 1, "\(names[changed]), line \(number + 1)")
            }
        }
    }
}
