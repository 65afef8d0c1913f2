import Countersign
import Foundation
import SAPMobileServices

/// A configuration as the command's argument, or an answer to its question, gives it: read once, and checked.
struct OnboardSource: Sendable {
    /// What to call it in an error. Nothing of a link or of a text is in it.
    let name: String
    /// What the providers get, by the raw values of `ConfigurationProviderInputKeys`.
    let inputs: [String: String]
    /// The configuration, without a passcode.
    let configuration: DiscoveryConfiguration

    /// Gives the configuration with its passcode; the passcode's time begins when it is asked.
    var provider: any ConfigurationProviding { GivenInput(providerIdentifier: name, input: inputs) }

    /// Reads a link, JSON, or the file of one, of a property list, or of a picture.
    ///
    /// - Throws: ``CommandProblem``; `ConfigurationError`. Nothing of what was given is in them but the names of files that are there.
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

    /// Schemes and names of parameters are written as people like; the provider wants one spelling.
    private init(link: String) throws {
        let spelled = link.replacing(#/([?&])config=/#.ignoresCase()) { $0.1 + "config=" }
        try self.init(name: "the link", inputs: [ConfigurationProviderInputKeys.URLstring.rawValue: spelled])
    }

    /// The path that a text is; `nil` if it is a link.
    private static func path(in text: String) -> String? {
        if FileManager.default.fileExists(atPath: text) { return text }
        if text.lowercased().hasPrefix("file:") { return URL(string: text)?.path ?? "" }
        if text.hasPrefix("~") { return NSString(string: text).expandingTildeInPath }
        let isLink = text.contains(#/^[a-z][a-z0-9+.\-]*:/#.ignoresCase()) || text.contains(#/config=/#.ignoresCase())
        return isLink ? nil : text
    }

    private static func read(_ file: InputFile, barcodes: BarcodeProgram) async throws -> OnboardSource {
        let content = try await file.read()
        switch PictureFormat(of: content) {
        case .decodable: return try choose(from: try await barcodes.read(content, name: file.label), of: file)
        case .other(let kind):
            throw CommandProblem(
                "\(file.subject) is \(kind), which the decoder of QR codes does not get.",
                remedy: "Save the picture of the code as PNG or JPEG.", exit: CommandExit.badData)
        case nil:
            return try OnboardSource(
                name: file.name,
                inputs: try ConfigurationProviderInputKeys.inputs(fromContent: content, named: file.name))
        }
    }

    /// The one code that is a configuration.
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

/// The providers of links and of texts with an input that they have already.
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
