import CountersignSpec
import Foundation
import Testing

extension SpecSources {
    /// The specs in a folder under `Tests/Specs`.
    static func fixture(_ name: String) throws -> SpecSources { SpecSources(own: try files(in: "Tests/Specs/\(name)")) }

    /// The specs in `Specs/SAPMobileServices`.
    static var packageFixture: SpecSources {
        get throws { SpecSources(own: try files(in: "Specs/SAPMobileServices")) }
    }

    /// The spec of SAML, and that of its landscape without the other methods.
    static var samlFixture: SpecSources {
        get throws { SpecSources(own: try alone(files(in: "Specs/SAPMobileServices", named: ["SAML", "landscape"]))) }
    }

    /// A landscape that extends one of two, and excludes a method of it.
    static var overlayFixture: SpecSources {
        get throws {
            SpecSources(
                own: try files(in: "Tests/Specs/Overlay"),
                inherited: try files(in: "Specs/SAPMobileServices", named: ["OTP", "SAML", "landscape"])
                    + files(in: "Tests/Specs/Schemes"))
        }
    }

    /// Makes sources from texts by path.
    init(own: [String: String], inherited: [String: String] = [:]) {
        func files(_ texts: [String: String]) -> [SpecFile] {
            texts.sorted { $0.key < $1.key }.map { SpecFile(path: $0.key, bytes: Array($0.value.utf8)) }
        }
        self.init(own: files(own), inherited: files(inherited))
    }

    /// Removes the line `overlaps` and its content from specs, because they name methods that are not included.
    private static func alone(_ files: [SpecFile]) -> [SpecFile] {
        files.map { file in
            var isLeft = false
            let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).filter
            { line in
                if !line.hasPrefix(" ") { isLeft = line == "overlaps:" }
                return !isLeft
            }
            return SpecFile(path: file.path, bytes: Array(lines.joined(separator: "\n").utf8))
        }
    }

    /// Returns files of this package, under paths that are the same on each machine.
    ///
    /// - Parameter stems: The names of the files without extension; `nil` for all.
    private static func files(in folder: String, named stems: Set<String>? = nil) throws -> [SpecFile] {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../\(folder)")
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path(percentEncoded: false)).filter {
            $0.hasSuffix(".yaml") && stems?.contains(String($0.dropLast(5))) ?? true
        }
        return try names.sorted().map { name in
            SpecFile(path: "\(folder)/\(name)", bytes: Array(try Data(contentsOf: url.appending(path: name))))
        }
    }
}

extension ResolvedLandscape {
    /// Makes a landscape as the reader resolves it.
    init(reading sources: SpecSources) throws {
        let reading = SpecReader.read(sources)
        self = try #require(reading.landscape, "\(DiagnosticRenderer().text(reading.diagnostics))")
    }
}
