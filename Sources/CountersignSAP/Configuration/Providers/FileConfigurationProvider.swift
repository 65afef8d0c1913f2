internal import Countersign
public import Foundation

/// Provides the configuration in a file: the application's `ConfigurationProvider.plist`, or another property list or JSON file.
///
/// ```swift
/// let bundled = FileConfigurationProvider()  // ConfigurationProvider.plist
/// let exported = FileConfigurationProvider(file: URL(filePath: "configuration.json"))
/// ```
///
/// The format is detected from the file's beginning, including XML and binary property lists. The maximum size is 1 MiB.
public struct FileConfigurationProvider: ConfigurationProviding {
    public let providerIdentifier = ConfigurationProviderNames.file
    public var expectedInput: [String: Any] { [:] }

    /// The file's name.
    public var configurationSource: String { name }

    private let file: URL?
    private let name: String

    /// Creates a provider of a file.
    public init(file: URL) {
        self.file = file
        name = file.lastPathComponent
    }

    /// Creates a provider of a property list in a bundle.
    ///
    /// - Parameters:
    ///   - resource: The file name without `.plist`. Generated applications also have `AppParameters`.
    ///   - bundle: The bundle.
    public init(resource: String = "ConfigurationProvider", bundle: Bundle = .main) {
        file = bundle.url(forResource: resource, withExtension: "plist")
        name = resource + ".plist"
    }

    public func provideConfiguration(
        input: [String: Any]
    ) -> (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?) {
        answer { () throws(ConfigurationError) in try ConfigurationText.read(try data(), source: name) }
    }

    private func data() throws(ConfigurationError) -> Data {
        guard let file, file.isFileURL, let handle = try? FileHandle(forReadingFrom: file) else {
            throw .invalidStructure(detail: "the file does not exist, or there is no permission to read it", source: name)
        }
        defer { try? handle.close() }
        // Reading one byte beyond the limit detects a larger file without reading all of it.
        guard let data = try? handle.read(upToCount: ConfigurationText.maximumSize + 1) else {
            throw .invalidStructure(detail: "the file cannot be read", source: name)
        }
        return data
    }
}
