import CountersignSpec
import Foundation
import Testing

extension ResolvedLandscape {
    /// `Specs/SAPMobileServices`, as the reader resolves it.
    static var samlFixture: ResolvedLandscape {
        get throws {
            let reading = SpecReader.read(try SpecSources.samlFixture)
            return try #require(reading.landscape, "\(DiagnosticRenderer().text(reading.diagnostics))")
        }
    }
}

extension SpecSources {
    /// The files in `Specs/SAPMobileServices`, under paths that are the same on each machine.
    static var samlFixture: SpecSources {
        get throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Specs/SAPMobileServices")
            return SpecSources(
                own: try ["SAML.yaml", "landscape.yaml"].map { name in
                    SpecFile(
                        path: "Specs/SAPMobileServices/\(name)", bytes: Array(try Data(contentsOf: folder.appending(path: name))))
                })
        }
    }

    /// Files with texts, by path.
    init(own: [String: String], inherited: [String: String] = [:]) {
        func files(_ texts: [String: String]) -> [SpecFile] {
            texts.sorted { $0.key < $1.key }.map { SpecFile(path: $0.key, bytes: Array($0.value.utf8)) }
        }
        self.init(own: files(own), inherited: files(inherited))
    }
}
