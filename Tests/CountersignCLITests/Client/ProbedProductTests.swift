import ArgumentParser
import Countersign
import CountersignDynamic
import CountersignSpec
import CountersignTesting
import Foundation
import HTTPTypes
import TestTurns
import Testing

@testable import CountersignCLI

/// The products, whose landscapes extend others, in the result of a probe.
@Suite(.takesTurns, .timeLimit(.minutes(5))) struct ProbedProductTests {
    /// The landscapes that come with the command, which are read once. Reading them takes a second.
    private static let landscapes = Result {
        (
            roots: try ShippedLandscapes.roots.map(ShippedLandscapes.landscape(named:)),
            extensions: try ShippedLandscapes.extensions.map { name, base in
                (landscape: try ShippedLandscapes.landscape(named: name), base: base)
            }
        )
    }

    private static func report(_ status: HTTPResponse.Status, _ fields: HTTPFields, at url: String) throws -> ProbeReport {
        let url = try #require(URL(string: url))
        let answer = ProbeAnswer(head: HTTPResponse(status: status, headerFields: fields), body: [])
        let landscapes = try Self.landscapes.get()
        let matches = landscapes.roots.flatMap { ProbeReport.Match.all(of: $0, answer: answer, from: url) }
        let products = landscapes.extensions.map { landscape, base in
            ProbedProduct(landscape, extending: base, answer: answer, from: url, beside: matches)
        }
        return ProbeReport(url: url, answer: answer, matches: matches, products: products)
    }

    @Test func `a challenge that only an extension has is recognised`() throws {
        let field = #"Bearer error="insufficient_claims", claims="eyJhY2Nlc3NfdG9rZW4iOnt9fQ==""#
        let report = try Self.report(.unauthorized, [.wwwAuthenticate: field], at: "https://api.example/notes")
        let first = try #require(report.matches.first)
        #expect(first.landscape == "EntraID" && first.challenge == "claims" && first.isCertain)
        #expect(report.lines().last == "Next: countersign explain --landscape EntraID OpenIDLogin")
        let forbidden = try Self.report(.forbidden, [.wwwAuthenticate: field], at: "https://api.example/notes")
        #expect(forbidden.matches.first?.landscape == "EntraID")
    }

    @Test func `an inherited challenge is reported once, with the products that extend its landscape`() throws {
        let report = try Self.report(.unauthorized, [.wwwAuthenticate: #"Bearer realm="notes""#], at: "https://api.example/notes")
        let extensions = Set(ShippedLandscapes.extensions.map(\.name))
        #expect(report.matches.allSatisfy { !extensions.contains($0.landscape) })
        let lines = report.lines()
        #expect(
            lines.contains(
                """
                If the login is that of one of these products, use its landscape, which extends OpenIDConnect: Auth0, EntraID, \
                GitLab, Google, Keycloak, Okta.
                """))
        #expect(lines.contains { $0.hasSuffix("which extends OAuth: GitHub.") })
        #expect(report.products.allSatisfy { !$0.isNamed })
    }

    @Test(arguments: [
        (#"Bearer authorization_uri="https://login.microsoftonline.com/common/oauth2/authorize""#, "https://a.example/", "EntraID"),
        (#"Bearer realm="https://accounts.google.com/""#, "https://a.example/", "Google"),
        (#"Bearer realm="https://tenant.okta.com/oauth2/default""#, "https://a.example/", "Okta"),
        (#"Bearer realm="api""#, "https://api.github.com/user", "GitHub"),
    ])
    func `a server of a product is named with its landscape`(field: String, url: String, product: String) throws {
        let report = try Self.report(.unauthorized, [.wwwAuthenticate: field], at: url)
        #expect(report.products.filter(\.isNamed).map(\.landscape) == [product])
        let lines = report.lines()
        #expect(lines.contains { $0.hasPrefix("A server of \(product) is named. That landscape extends O") })
        #expect(!lines.contains { $0.hasPrefix("If the login is that of one of these products") })
    }

    @Test func `a server without a challenge is not that of a product because of a similar name`() throws {
        for url in ["https://notgithub.com/", "https://github.com.example/", "https://login.example/"] {
            #expect(try Self.report(.ok, [:], at: url).products.isEmpty, "\(url)")
        }
    }

    @Test func `an extension in a folder is compared, with the folder of the landscape that it extends`() async throws {
        try await MockKeystone.run { mock in
            let bench = try CommandBench()
            for folder in ["base", "own", "other"] {
                try FileManager.default.createDirectory(atPath: "\(bench.path)/\(folder)", withIntermediateDirectories: true)
            }
            for file in ShippedLandscapes.specs(of: "Keystone") {
                let name = URL(filePath: file.path).lastPathComponent
                let text = String(decoding: file.bytes, as: UTF8.self).replacing("landscape: Keystone", with: "landscape: Cloud")
                try bench.write(text, to: "base/\(name)")
            }
            try bench.write("countersign: 2\nlandscape: Mine\nextends: Cloud\nsummary: Mine.\n", to: "own/landscape.yaml")
            try bench.write("countersign: 2\nlandscape: Other\nextends: Keystone\nsummary: Other.\n", to: "other/landscape.yaml")
            let url = mock.url.appending(path: "servers").absoluteString
            let own = ["--spec", "\(bench.path)/own", "--base", "\(bench.path)/base"]
            let probe = await bench.run(["probe"] + own + [url])
            #expect(probe.messages.contains("This is the challenge 'unauthorized' of Mine.KeystonePassword."), "\(probe.messages)")
            // A second folder extends a landscape that comes with the command.
            let both = await bench.run(["probe"] + own + ["--spec", "\(bench.path)/other", url])
            #expect(both.messages.contains("of Mine.KeystonePassword.") && both.messages.contains("of Other.KeystonePassword."))
            #expect(throws: (any Error).self) { try CountersignCommand.parseAsRoot(["probe", "--base", bench.path, url]) }
        }
    }
}
