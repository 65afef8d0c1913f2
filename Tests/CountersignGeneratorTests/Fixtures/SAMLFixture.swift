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
    /// The files in `Specs/SAPMobileServices`.
    static var packageFixture: SpecSources {
        get throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Specs/SAPMobileServices")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
            return try SpecSources(names.filter { $0.hasSuffix(".yaml") }.sorted(), in: "Specs/SAPMobileServices")
        }
    }

    /// Those of them that are about SAML.
    static var samlFixture: SpecSources {
        get throws { try SpecSources(["SAML.yaml", "landscape.yaml"], in: "Specs/SAPMobileServices") }
    }

    /// The files in `Tests/Specs/Grants`.
    static var grantsFixture: SpecSources {
        get throws { try SpecSources(["Token.yaml", "landscape.yaml"], in: "Tests/Specs/Grants") }
    }

    /// The files in `Tests/Specs/Credentials`.
    static var credentialsFixture: SpecSources {
        get throws {
            try SpecSources(
                ["Certificate.yaml", "Enrolment.yaml", "Key.yaml", "Password.yaml", "landscape.yaml"], in: "Tests/Specs/Credentials"
            )
        }
    }

    /// The files in `Tests/Specs/Callbacks`.
    static var callbacksFixture: SpecSources {
        get throws { try SpecSources(["Code.yaml", "landscape.yaml"], in: "Tests/Specs/Callbacks") }
    }

    /// The files in `Tests/Specs/Schemes`.
    static var schemesFixture: SpecSources {
        get throws { try SpecSources(["Token.yaml", "landscape.yaml"], in: "Tests/Specs/Schemes") }
    }

    /// The files in `Tests/Specs/Programs`.
    static var programsFixture: SpecSources {
        get throws {
            try SpecSources(
                [
                    "Browser.yaml", "Calls.yaml", "Cookies.yaml", "Everything.yaml", "Key.yaml", "Pages.yaml", "Signed.yaml",
                    "Steps.yaml",
                    "default.yaml",
                    "landscape.yaml",
                ], in: "Tests/Specs/Programs")
        }
    }

    /// Files of this package, under paths that are the same on each machine.
    private init(_ names: [String], in folder: String) throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../\(folder)")
        self.init(
            own: try names.map { name in
                SpecFile(path: "\(folder)/\(name)", bytes: Array(try Data(contentsOf: url.appending(path: name))))
            })
    }

    /// Files with texts, by path.
    init(own: [String: String], inherited: [String: String] = [:]) {
        func files(_ texts: [String: String]) -> [SpecFile] {
            texts.sorted { $0.key < $1.key }.map { SpecFile(path: $0.key, bytes: Array($0.value.utf8)) }
        }
        self.init(own: files(own), inherited: files(inherited))
    }
}
