import CountersignSAP
import Foundation
import Synchronization
import Testing

/// The request for a configuration in a terminal.
@Suite(.timeLimit(.minutes(10))) struct TerminalOnboardingScreensTests {
    private struct Unreadable: LocalizedError {
        let errorDescription: String? = "It is blurred."
        let failureReason: String? = "The light was bad."
        let recoverySuggestion: String? = "Hold it still."
    }

    private struct Unknown: Error { let text = "c4n4ry" }

    /// A user who gives answers, and the text that the user sees.
    private final class Person: Sendable {
        let answers: Mutex<[String]>
        let lines = Mutex<[String]>([])
        init(_ answers: String...) { self.answers = Mutex(answers) }
        var written: [String] { lines.withLock { $0 } }

        func ask(
            barcodeReader: TerminalOnboardingScreens.BarcodeReader? = nil,
            answerReader: TerminalOnboardingScreens.AnswerReader? = nil
        ) async throws -> [String: String] {
            let screens = TerminalOnboardingScreens(
                reader: { prompt in
                    self.lines.withLock { $0.append(prompt) }
                    return self.answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                }, write: { line in self.lines.withLock { $0.append(line) } }, barcodeReader: barcodeReader,
                answerReader: answerReader)
            return try await screens.makeWelcomeScreen().requestConfiguration(after: nil)
        }
    }

    @Test func `an unreadable picture is reported, and the question is asked again`() async throws {
        let picture = FileManager.default.temporaryDirectory.appending(path: "countersign-\(UUID()).png")
        try Data([1]).write(to: picture)
        defer { try? FileManager.default.removeItem(at: picture) }
        let person = Person(picture.path, "{}")
        let input = try await person.ask(barcodeReader: { _ in throw Unreadable() })
        #expect(input == [ConfigurationProviderInputKeys.JSONstring.rawValue: "{}"])
        #expect(person.written.contains("It is blurred. The light was bad. Hold it still."))
        #expect(person.written.count == 3)
    }

    @Test func `an application reads answers itself, and an error that is not known is named alone`() async throws {
        let person = Person("one", "two")
        let input = try await person.ask(answerReader: { answer in
            guard answer == "two" else { throw Unknown() }
            return ["answer": answer]
        })
        #expect(input == ["answer": "two"])
        #expect(person.written.contains("Unknown"))
        #expect(!person.written.joined().contains("c4n4ry"))
    }

    @Test func `the third error ends it, and so does no answer`() async throws {
        let person = Person("a", "b", "c", "d")
        await #expect(throws: Unreadable.self) { try await person.ask(answerReader: { _ in throw Unreadable() }) }
        #expect(person.answers.withLock { $0 } == ["d"])
        await #expect(throws: CancellationError.self) { try await Person().ask(answerReader: { _ in [:] }) }
    }

    @Test(arguments: [("yes", true), (" YES \n", true), ("y", false), ("", false), ("yes please", false), (nil, false)])
    func `origins are written with their keys, and nothing but a yes confirms them`(
        answer: String?, isConfirmed: Bool
    ) async throws {
        let lines = Mutex<[String]>([])
        let screens = TerminalOnboardingScreens(
            reader: { _ in answer }, write: { line in lines.withLock { $0.append(line) } })
        let configuration = try Configurations.read(Configurations.cloudFoundry)
        let xsuaa = try #require(try configuration.credentialOrigins.last)
        let server = try configuration.values().baseURL
        #expect(try await screens.confirmOrigins([xsuaa], besides: server, from: "any") == isConfirmed)
        #expect(
            lines.withLock { $0 } == [
                "Besides https://app.example, the configuration sends credentials to:",
                "  https://sub.authentication.example (oauth2.xsuaaAuthorizationEndpoint)",
            ])
    }

    @Test func `what is written does not move the cursor`() async throws {
        let lines = Mutex<[String]>([])
        let screens = TerminalOnboardingScreens(reader: { _ in nil }, write: { line in lines.withLock { $0.append(line) } })
        let origin = try #require(URL(string: "https://app.example").flatMap { Origin($0) })
        _ = try await screens.confirmOrigins([CredentialOrigin(origin, keys: ["a\u{1B}[2K\u{202E}"])], besides: nil, from: "any")
        let text = lines.withLock { $0 }.joined()
        #expect(text.contains("u{1B}") && !text.contains("\u{1B}") && !text.contains("\u{202E}"))
    }
}
