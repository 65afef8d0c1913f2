import Countersign
import Foundation
import SAPMobileServices

/// A configuration from the command's argument or from the answer to its question, which is read once and checked.
struct OnboardSource: Sendable {
    /// The name in errors. It contains no part of a link or a text.
    let name: String
    /// The inputs of the providers, by the raw values of `ConfigurationProviderInputKeys`.
    let inputs: [String: String]
    /// The configuration, without a passcode.
    let configuration: DiscoveryConfiguration

    /// The provider of the configuration with its passcode. The lifetime of the passcode begins when the provider is asked.
    var provider: any ConfigurationProviding { GivenInput(providerIdentifier: name, input: inputs) }

    /// Reads a link, JSON, or a file with a link, JSON, a property list or a picture.
    ///
    /// - Throws: ``CommandProblem``; `ConfigurationError`. They contain no part of the argument except the names of existing
    ///   files.
    static func read(_ argument: String, barcodes: BarcodeProgram) async throws -> OnboardSource {
        let text = argument.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.hasPrefix("{") {
            return try OnboardSource(name: "the text", inputs: [ConfigurationProviderInputKeys.JSONstring.rawValue: text])
        }
        if let path = path(in: text) { return try await read(InputFile(path: path), barcodes: barcodes) }
        return try OnboardSource(link: text)
    }

    private init(name: String, inputs: [String: String]) throws {
        self.name = name
        self.inputs = inputs
        let provider = GivenInput(providerIdentifier: name, input: inputs)
        do throws(ConfigurationLoadingError) {
            configuration = try ConfigurationLoader(providers: [provider]).loadConfiguration().configuration
        } catch {
            throw error.failures.first?.error ?? error
        }
    }

    /// Users write the parameter's name in any case, but the provider expects a single spelling.
    private init(link: String) throws {
        let spelled = link.replacing(#/([?&])config=/#.ignoresCase()) { $0.1 + "config=" }
        try self.init(name: "the link", inputs: [ConfigurationProviderInputKeys.URLstring.rawValue: spelled])
    }

    /// Returns the path in a text; `nil` if the text is a link.
    private static func path(in text: String) -> String? {
        if FileManager.default.fileExists(atPath: text) { return text }
        if text.lowercased().hasPrefix("file:") { return URL(string: text)?.path ?? "" }
        if text.hasPrefix("~") { return HomeFolder.expanding(text) }
        let isLink = text.contains(#/^[a-z][a-z0-9+.\-]*:/#.ignoresCase()) || text.contains(#/config=/#.ignoresCase())
        return isLink ? nil : text
    }

    private static func read(_ file: InputFile, barcodes: BarcodeProgram) async throws -> OnboardSource {
        let content = try await file.read()
        switch PictureFormat(of: content) {
        case .decodable: return try choose(from: try await barcodes.read(content, name: file.label), of: file)
        case .other(let kind):
            throw CommandProblem(
                "\(file.subject) is \(kind), which the QR code decoder does not support.",
                remedy: "Save the picture of the code as PNG or JPEG.", exit: CommandExit.badData)
        case nil:
            return try OnboardSource(
                name: file.name,
                inputs: try ConfigurationProviderInputKeys.inputs(fromContent: content, named: file.name))
        }
    }

    /// Returns the only code that is a configuration.
    private static func choose(from codes: [String], of file: InputFile) throws -> OnboardSource {
        if codes.count == 1, let code = codes.first { return try OnboardSource(code: code, of: file.name) }
        let sources = codes.compactMap { try? OnboardSource(code: $0, of: file.name) }
        if sources.count == 1, let source = sources.first { return source }
        throw CommandProblem(
            "There are \(codes.count) QR codes in \(file.label), and \(sources.isEmpty ? "none" : "more than one") is a configuration.",
            remedy: "Give a picture with the code of one configuration.", exit: CommandExit.badData)
    }

    private init(code: String, of name: String) throws {
        try self.init(name: "the QR code of \(name)", inputs: ConfigurationProviderInputKeys.inputs(from: code))
    }
}

/// The provider for links or for texts, with an input that is already known.
private struct GivenInput: ConfigurationProviding {
    let providerIdentifier: String
    let input: [String: String]

    var expectedInput: [String: Any] { [:] }

    func provideConfiguration(
        input: [String: Any]
    ) -> (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?) {
        let isLink = self.input[ConfigurationProviderInputKeys.URLstring.rawValue] != nil
        let base: any ConfigurationProviding =
            isLink ? URLConfigurationProvider() : JSONConfigurationProvider(source: providerIdentifier)
        return base.provideConfiguration(input: self.input)
    }
}
