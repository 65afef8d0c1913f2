import Foundation

/// A folder for a test, which is deleted with the object.
final class SpecFolder {
    /// The specs of this package.
    static let specs = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Specs/SAPMobileServices").path(percentEncoded: false)

    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "countersign-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path(percentEncoded: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Copies the specs of this package, with one text replaced in SAML.yaml.
    func copySpecs(replacing text: String = "", with replacement: String = "") throws -> String {
        let folder = path + "/specs"
        try FileManager.default.copyItem(atPath: Self.specs, toPath: folder)
        let saml = try String(contentsOfFile: folder + "/SAML.yaml", encoding: .utf8)
        try saml.replacing(text, with: replacement).write(toFile: folder + "/SAML.yaml", atomically: true, encoding: .utf8)
        return folder
    }

    func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder)) ?? []).sorted()
    }
}
