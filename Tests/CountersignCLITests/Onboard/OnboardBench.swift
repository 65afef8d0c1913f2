import ArgumentParser
import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting

@testable import CountersignCLI

/// A mock, and a folder with a key and a path for a store.
struct OnboardBench {
    struct Report: Decodable {
        let server: String
        let applicationID: String?
        let method: String
        let restored: Bool
        let path: String
        let status: Int
        let bytes: Int
        let ok: Bool
    }

    let mock: MockLandscape
    let folder: URL
    let recorded = RecordedConsole()

    /// Runs a body with a mock whose configuration is in the folder.
    static func run(_ body: (OnboardBench) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "countersign-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await run(in: folder) { bench in
            try bench.write("key", Data(repeating: 7, count: 32))
            try bench.write("configuration.json", Data(bench.configuration.utf8))
            try await body(bench)
        }
    }

    /// Runs a body with another mock and the same folder.
    static func run(in folder: URL, _ body: (OnboardBench) async throws -> Void) async throws {
        var options = MockOptions()
        options.protection = "OAuth2"
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
            try await body(OnboardBench(mock: mock, folder: folder))
        }
    }

    /// The bench without recorded output.
    var next: OnboardBench { OnboardBench(mock: mock, folder: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func write(_ name: String, _ data: Data, permissions: Int = 0o600) throws {
        try data.write(to: folder.appending(path: name))
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path(name))
    }

    var configuration: String { configuration(with: [:]) }

    /// Returns the configuration with additional settings of the method.
    func configuration(with settings: [String: String]) -> String {
        let base = mock.baseURL.absoluteString
        let more = settings.map { #""\#($0.key)":"\#($0.value)","# }.joined()
        return """
            {"auth":[{"type":"oauth2","config":{\(more)"oauth2.authorizationEndpoint":"\(base)/oauth2/api/v1/authorize",
              "oauth2.tokenEndpoint":"\(base)/oauth2/api/v1/token","oauth2.clients":[{"clientID":"countersign",
              "grantType":"authorization_code","redirectURL":"com.example.countersign://oauth2/callback"}]}}],
             "host":"\(mock.baseURL.host() ?? "")","port":\(mock.baseURL.port ?? 0),"protocol":"http","appID":"com.example.app"}
            """
    }

    /// Returns the configuration as the value of a link's parameter.
    static func parameter(_ configuration: Data) -> String { configuration.base64EncodedString().replacing("+", with: "%2B") }

    func run(
        _ arguments: String..., canLogIn: Bool = true, barcodes: BarcodeProgram = BarcodeProgram(program: "no-such-program"),
        reader: TerminalOnboardingScreens.Reader? = nil
    ) async throws {
        let command = try OnboardCommand.parse(arguments + ["--store", path("store"), "--key-file", path("key")])
        let presenter = FormFillingPresenter(user: "alice", password: canLogIn ? "wonderland" : "c4n4ry")
        try await command.run(console: recorded.console, presenter: presenter, barcodes: barcodes, reader: reader)
    }

    func report() throws -> Report { try JSONDecoder().decode(Report.self, from: Data(recorded.output.utf8)) }

    var origin: String { Origin(mock.baseURL).map { "\($0)" } ?? "" }
}
