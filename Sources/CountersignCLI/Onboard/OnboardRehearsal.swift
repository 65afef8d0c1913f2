import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting

/// Runs the command with a mock of SAP Mobile Services: from nothing to an authenticated request, and again with the stored
/// values and without a user who could log in.
struct OnboardRehearsal {
    let command: OnboardCommand
    let console: Console

    /// - Throws: The exit status, after a message was written; `CancellationError`.
    func run() async throws { try await command.limited(on: console) { try await rehearse() } }

    private func rehearse() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "countersign-onboard-\(UUID())")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = MockOptions()
        options.protection = "OAuth2"
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
            var first = command
            first.mock = false
            guard let configuration = mock.makeConfiguration() else { throw CommandProblem("The mock has no client of OAuth 2.0.") }
            first.source = try write("configuration.json", configuration, in: folder)
            first.applicationID = command.applicationID ?? "com.example.demo"
            first.keyFile = try write("key", Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }), in: folder)
            first.store = folder.appending(path: "store").path
            let onboarded = try await first.report(
                console: console, presenter: FormFillingPresenter(user: "alice", password: "wonderland"), barcodes: BarcodeProgram()
            )
            try command.show(onboarded, on: console)
            guard onboarded.ok else { return try finish(["onboarded": onboarded]) }
            var second = first
            second.source = nil
            let restored = try await second.report(console: console, presenter: NoPresenter(), barcodes: BarcodeProgram())
            try command.show(restored, on: console)
            try finish(["onboarded": onboarded, "restored": restored])
        }
    }

    /// Writes one JSON object with both reports if requested, and throws if a run has failed.
    private func finish(_ runs: [String: OnboardReport]) throws {
        if command.json { try console.print(try OnboardReport.json(of: runs)) }
        guard runs.values.allSatisfy(\.ok) else { throw CommandExit.failed }
    }

    private func write(_ name: String, _ data: Data, in folder: URL) throws -> String {
        let file = folder.appending(path: name)
        try data.write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        return file.path
    }

    /// A presenter without a user: a restore that shows a page fails.
    private struct NoPresenter: WebPresenter {
        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult { throw PresentationFailure.dismissed }
    }
}
