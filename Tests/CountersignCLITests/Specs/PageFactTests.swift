import Countersign
import CountersignDynamic
import CountersignGenerator
import CountersignSpec
import Foundation
import HTTPTypes
import TestTurns
import Testing

@testable import CountersignCLI

/// Facts on the generated pages that the generator cannot check itself, because it links neither the runtime nor the mocks.
@Suite(.computes) struct `Facts on generated pages` {
    @Test(arguments: ShippedLandscapes.names)
    func `each example is recognised as its challenge`(name: String) throws {
        let landscape = try ShippedLandscapes.landscape(named: name)
        for method in landscape.methods {
            for challenge in method.resolved.challenges {
                guard let example = challenge.example, let variant = method.variants.first else { continue }
                var response = HTTPResponse(status: .init(code: example.status))
                for field in example.fields {
                    response.headerFields.append(HTTPField(name: try #require(HTTPField.Name(field.name)), value: field.value))
                }
                let found = variant.program.recognition(
                    of: response, body: Array(example.body.utf8),
                    from: try #require(URL(string: Self.url(of: example, method.resolved))), Self.values(of: method.resolved))
                #expect(found?.challenge == challenge.name.value, "\(name).\(method.name): \(example.text.value)")
            }
        }
    }

    @Test func `an example that a landscape contradicts is not inherited`() throws {
        let overlay = """
            countersign: 2
            landscape: Gateway
            extends: SAPMobileServices
            summary: A gateway.
            methods:
              SAML:
                parameters:
                  challengeHeaderName: { default: X-Gateway-Login }

            """
        let reading = SpecReader.read(
            SpecSources(
                own: [SpecFile(path: "Gateway/landscape.yaml", bytes: Array(overlay.utf8))],
                inherited: ShippedLandscapes.specs(of: "SAPMobileServices")))
        #expect(reading.diagnostics.map(\.message) == [])
        let methods = try #require(reading.landscape?.programMethods)
        #expect(methods.first { $0.name.value == "SAML" }?.program.challenges.first?.example == nil)
        #expect(methods.first { $0.name.value == "OTP" }?.program.challenges.first?.example != nil)
    }

    /// Returns the URL in an example, or else the example of a URL parameter: relative references are resolved against it.
    private static func url(of example: ResponseExample, _ program: ResolvedProgram) -> String {
        let text = example.text.value
        guard let start = text.range(of: "\"https://") else {
            return program.parameters.first { $0.type == .url && $0.example != nil }?.example?.value ?? "https://server.example/"
        }
        return String(text[text.index(after: start.lowerBound)...].prefix { $0 != "\"" })
    }

    /// Returns the defaults and examples of the parameters.
    private static func values(of program: ResolvedProgram) -> [ProgramValue] {
        program.slots.filter { $0.source == .parameter }.map { slot in
            guard let field = program.parameters.first(where: { $0.name.value == slot.name.value }),
                let text = field.defaultText?.value ?? field.example?.value
            else { return .absent }
            switch field.type {
            case .url: return URL(string: text).map { .url($0) } ?? .absent
            case .string, .header, .choice: return .text(text)
            case .secret, .boolean, .scopes, .texts, .origins, .requestHandler: return .absent
            }
        }
    }

    @Test func `examples are there for the methods with a challenge that has a response`() throws {
        var without: [String] = []
        for name in ShippedLandscapes.names {
            let landscape = try ShippedLandscapes.landscape(named: name)
            for method in landscape.methods where !method.resolved.challenges.isEmpty {
                if method.resolved.challenges.allSatisfy({ $0.example == nil }) { without.append("\(name).\(method.name)") }
            }
        }
        #expect(without == [])
    }

    @Test func `the remedies of the runtime's errors are the runtime's`() {
        for row in RuntimeErrors.all {
            let error = CountersignError(CountersignError.Code(rawValue: row.code), detail: "")
            #expect(error.recoverySuggestion == row.remedy, "\(row.code)")
        }
    }

    @Test func `a command for a mock that a landscape names is one of this command`() throws {
        var named: [String] = []
        for name in ShippedLandscapes.names {
            guard let command = try ShippedLandscapes.landscape(named: name).resolved.mockCommand else { continue }
            let words = command.split(separator: " ").map(String.init)
            #expect(words.count == 3 && words[0] == "countersign" && words[1] == "mock")
            #expect(MockCommand.landscapes.contains(words[2]), "\(command)")
            named.append(words[2])
        }
        // The other mocks follow from the specs.
        #expect(Set(MockShow.all.map(\.landscape)).isSubset(of: named))
    }
}
