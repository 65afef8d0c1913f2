import Foundation
import SAPMobileServices

/// Where the configuration is, as the command's argument says it: a link, a file, or a picture of a QR code.
enum OnboardSource {
    /// The provider for an argument.
    ///
    /// - Throws: ``OnboardProblem`` if there is no such file, or the code of a picture cannot be read.
    static func provider(for argument: String, barcodes: BarcodeProgram) async throws -> any ConfigurationProviding {
        if argument.contains("config="), argument.contains(":"), !FileManager.default.fileExists(atPath: argument) {
            return GivenInput(base: URLConfigurationProvider(), input: [.URLstring: argument])
        }
        let file = URL(filePath: argument)
        guard let handle = try? FileHandle(forReadingFrom: file) else {
            throw OnboardProblem("'\(argument)' is no link, and no file that can be read.", exit: CommandExit.noInput)
        }
        let start = (try? handle.read(upToCount: 12)) ?? Data()
        try? handle.close()
        guard isPicture(start) else { return FileConfigurationProvider(file: file) }
        let text = try await barcodes.read(file)
        let inputs = ConfigurationProviderInputKeys.inputs(from: text)
        if inputs[ConfigurationProviderInputKeys.URLstring.rawValue] != nil {
            return GivenInput(base: URLConfigurationProvider(), input: [.URLstring: text])
        }
        return GivenInput(base: JSONConfigurationProvider(), input: [.JSONstring: text])
    }

    /// Whether a file begins as those of the formats that screens are saved in do.
    private static func isPicture(_ start: Data) -> Bool {
        let beginnings: [[UInt8]] = [
            [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8), Array("RIFF".utf8), Array("BM".utf8),
            [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A],
        ]
        return beginnings.contains { start.starts(with: $0) }
    }
}

/// A provider that has its input already.
private struct GivenInput: ConfigurationProviding {
    let base: any ConfigurationProviding
    let input: [ConfigurationProviderInputKeys: String]

    var providerIdentifier: String { base.providerIdentifier }
    var expectedInput: [String: Any] { [:] }

    func provideConfiguration(
        input: [String: Any]
    ) -> (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?) {
        base.provideConfiguration(
            input: Dictionary(uniqueKeysWithValues: self.input.map { ($0.key.rawValue, $0.value as Any) }))
    }
}
