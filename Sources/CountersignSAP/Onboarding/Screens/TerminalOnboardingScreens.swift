internal import Countersign
public import Foundation
internal import Synchronization

/// The screens of an onboarding as lines of a terminal.
///
/// ```swift
/// let context = OnboardingContext(credentialStore: store, screens: TerminalOnboardingScreens())
/// ```
public struct TerminalOnboardingScreens: OnboardingScreens {
    /// Asks a question and returns the answer's line; `nil` if there will be none.
    public typealias Reader = @Sendable (_ prompt: String) async throws -> String?
    /// Reads the QR code of a picture.
    public typealias BarcodeReader = @Sendable (_ picture: URL) async throws -> String

    private let reader: Reader
    private let write: @Sendable (String) -> Void
    private let barcodeReader: BarcodeReader?

    /// Makes screens.
    ///
    /// - Parameters:
    ///   - reader: Asks a question and returns the answer's line.
    ///   - write: Writes a line.
    ///   - barcodeReader: Reads the QR code of a picture; `nil` if that cannot be done.
    public init(
        reader: @escaping Reader = TerminalOnboardingScreens.readStandardInput,
        write: @escaping @Sendable (String) -> Void = TerminalOnboardingScreens.writeStandardError,
        barcodeReader: BarcodeReader? = nil
    ) {
        self.reader = reader
        self.write = write
        self.barcodeReader = barcodeReader
    }

    public func makeWelcomeScreen() -> any WelcomeScreen {
        TerminalWelcomeScreen(reader: reader, write: write, barcodeReader: barcodeReader)
    }

    public func willConnect(to server: URL, from providerIdentifier: String) async throws {
        write("Server: \(Origin(server).map { "\($0)" } ?? "unknown")")
    }

    /// Asks on the standard error, and reads a line of the standard input outside of Swift's cooperative threads.
    @Sendable
    public static func readStandardInput(_ prompt: String) async throws -> String? {
        writeStandardError(prompt)
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: readLine()) }
        }
    }

    /// Writes a line to the standard error.
    @Sendable
    public static func writeStandardError(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}

/// Asks for a configuration in one line: a text, a link, or the path of a picture.
private final class TerminalWelcomeScreen: WelcomeScreen {
    private let reader: TerminalOnboardingScreens.Reader
    private let write: @Sendable (String) -> Void
    private let barcodeReader: TerminalOnboardingScreens.BarcodeReader?
    private let options: Mutex<WelcomeScreenOptions>

    init(
        reader: @escaping TerminalOnboardingScreens.Reader, write: @escaping @Sendable (String) -> Void,
        barcodeReader: TerminalOnboardingScreens.BarcodeReader?
    ) {
        self.reader = reader
        self.write = write
        self.barcodeReader = barcodeReader
        options = Mutex(barcodeReader == nil ? [.text] : [.text, .barcodeScanner])
    }

    var configurationOptions: WelcomeScreenOptions {
        get { options.withLock { $0 } }
        set { options.withLock { $0 = newValue } }
    }

    func requestConfiguration(after problem: ConfigurationLoadingError?) async throws -> [String: String] {
        if let problem { write(problem.description) }
        let barcodeReader = configurationOptions.contains(.barcodeScanner) ? self.barcodeReader : nil
        let picture = barcodeReader == nil ? "" : ", or the path of a picture of its QR code"
        guard let line = try await reader("Paste the configuration or its link\(picture):") else { throw CancellationError() }
        let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
        if let barcodeReader, !text.hasPrefix("{"), FileManager.default.fileExists(atPath: text) {
            return ConfigurationProviderInputKeys.inputs(from: try await barcodeReader(URL(filePath: text)))
        }
        return ConfigurationProviderInputKeys.inputs(from: text)
    }
}
