internal import Countersign
public import Foundation
internal import Synchronization

/// The screens of an onboarding on a terminal.
///
/// ```swift
/// let context = OnboardingContext(credentialStore: store, screens: TerminalOnboardingScreens())
/// ```
public struct TerminalOnboardingScreens: OnboardingScreens {
    /// Asks a question and returns the line of the answer; `nil` at the end of the input.
    public typealias Reader = @Sendable (_ prompt: String) async throws -> String?
    /// Returns the text of the QR code in a picture.
    public typealias BarcodeReader = @Sendable (_ picture: URL) async throws -> String
    /// Converts an answer to the providers' input, by the raw values of ``ConfigurationProviderInputKeys``.
    public typealias AnswerReader = @Sendable (_ answer: String) async throws -> [String: String]

    private let reader: Reader
    private let write: @Sendable (String) -> Void
    private let barcodeReader: BarcodeReader?
    private let answerReader: AnswerReader?

    /// Creates screens.
    ///
    /// - Parameters:
    ///   - reader: Asks a question and returns the line of the answer.
    ///   - write: Writes a line. Control characters and invisible characters are escaped.
    ///   - barcodeReader: Returns the text of the QR code in a picture; `nil` if unsupported.
    ///   - answerReader: Converts an answer to the providers' input, such as the content of the named file. `nil` accepts texts and
    ///     links, and pictures if there is a `barcodeReader`. After an error of either reader the user is asked again.
    public init(
        reader: @escaping Reader = TerminalOnboardingScreens.readStandardInput,
        write: @escaping @Sendable (String) -> Void = TerminalOnboardingScreens.writeStandardError,
        barcodeReader: BarcodeReader? = nil, answerReader: AnswerReader? = nil
    ) {
        self.reader = reader
        self.write = { write(VisibleText.escapedLines($0)) }
        self.barcodeReader = barcodeReader
        self.answerReader = answerReader
    }

    public func makeWelcomeScreen() -> any WelcomeScreen {
        TerminalWelcomeScreen(reader: reader, write: write, barcodeReader: barcodeReader, answerReader: answerReader)
    }

    public func willConnect(to server: URL, from providerIdentifier: String) async throws {
        write("Server: \(Origin(server).map { "\($0)" } ?? "unknown")")
    }

    /// Writes one line per origin, and asks for a `yes`. Every other answer, and none, refuses.
    public func confirmOrigins(
        _ origins: [CredentialOrigin], besides server: URL?, from providerIdentifier: String
    ) async throws -> Bool {
        let shown = server.flatMap { Origin($0) }.map { "Besides \($0), the" } ?? "The"
        write("\(shown) configuration sends credentials to:")
        for origin in origins { write("  \(origin)") }
        let answer = try await reader("Send credentials there? Type 'yes' to go on:")
        return answer?.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() == "yes"
    }

    /// Asks on standard error, and reads a line of standard input outside of Swift's cooperative threads.
    @Sendable
    public static func readStandardInput(_ prompt: String) async throws -> String? {
        writeStandardError(prompt)
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: readLine()) }
        }
    }

    /// Writes a line to standard error.
    @Sendable
    public static func writeStandardError(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}

/// Asks for a configuration in one line: a text, a link, or the path of a picture.
private final class TerminalWelcomeScreen: WelcomeScreen {
    /// The maximum number of attempts, after which an error ends the screen.
    private static let maximumAttempts = 3

    private let reader: TerminalOnboardingScreens.Reader
    private let write: @Sendable (String) -> Void
    private let barcodeReader: TerminalOnboardingScreens.BarcodeReader?
    private let answerReader: TerminalOnboardingScreens.AnswerReader?
    private let options: Mutex<WelcomeScreenOptions>

    init(
        reader: @escaping TerminalOnboardingScreens.Reader, write: @escaping @Sendable (String) -> Void,
        barcodeReader: TerminalOnboardingScreens.BarcodeReader?, answerReader: TerminalOnboardingScreens.AnswerReader?
    ) {
        self.reader = reader
        self.write = write
        self.barcodeReader = barcodeReader
        self.answerReader = answerReader
        options = Mutex(barcodeReader == nil ? [.text] : [.text, .barcodeScanner])
    }

    var configurationOptions: WelcomeScreenOptions {
        get { options.withLock { $0 } }
        set { options.withLock { $0 = newValue } }
    }

    func requestConfiguration(after problem: ConfigurationLoadingError?) async throws -> [String: String] {
        if let problem { write(problem.description) }
        for _ in 1..<Self.maximumAttempts {
            do {
                return try await ask()
            } catch let error where !(error is CancellationError) {
                write(Self.text(of: error))
            }
        }
        return try await ask()
    }

    private func ask() async throws -> [String: String] {
        guard let line = try await reader("Paste the configuration or its link\(files):") else { throw CancellationError() }
        let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
        if let answerReader { return try await answerReader(text) }
        if let barcodeReader = offeredBarcodeReader, !text.hasPrefix("{"), FileManager.default.fileExists(atPath: text) {
            return ConfigurationProviderInputKeys.inputs(from: try await barcodeReader(URL(filePath: text)))
        }
        return ConfigurationProviderInputKeys.inputs(from: text)
    }

    /// The other accepted kinds of input, as part of the question.
    private var files: String {
        if answerReader != nil { return ", or the path of its file or of a picture of its QR code" }
        return offeredBarcodeReader == nil ? "" : ", or the path of a picture of its QR code"
    }

    private var offeredBarcodeReader: TerminalOnboardingScreens.BarcodeReader? {
        configurationOptions.contains(.barcodeScanner) ? barcodeReader : nil
    }

    /// Returns the localized texts of an error, or its type if it has none.
    private static func text(of error: any Error) -> String {
        guard let error = error as? any LocalizedError, let text = error.errorDescription else { return "\(type(of: error))" }
        let reason = error.failureReason.flatMap { text.contains($0) ? nil : $0 }
        return [text, reason, error.recoverySuggestion].compactMap(\.self).joined(separator: " ")
    }
}
