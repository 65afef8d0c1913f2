import ArgumentParser
import Countersign
import Foundation
import SAPMobileServices

/// Shows the landscapes of this package at work against their own mocks.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Signs in to mocks of the landscapes' servers, first once, then for many requests at once.",
        discussion: """
            For each method: starts the servers, sends a request that is challenged, signs in, ends the session, and \
            sends many requests at once. The server holds them back until all have arrived, so that all are challenged, and counts: \
            however many they are, they take one authentication.

            With 100 requests, four methods are shown side by side, so that the times are those of a busy machine.

            Example: countersign demo --requests 200
            """)

    @Flag(help: "Write the result as JSON, challenges and steps included.")
    var json = false

    @Flag(help: "Show the challenge of each method, and the steps that answer it.")
    var verbose = false

    @Option(help: ArgumentHelp("How many requests are sent at once, from 1 to 400.", valueName: "count"))
    var requests = 100

    @Flag(help: ArgumentHelp("Let each request authenticate for itself, to see the demo fail.", visibility: .hidden))
    var withoutFlight = false

    /// The scenarios in the order of the rows. Each run creates new ones, because they contain counters.
    static var scenarios: [any DemoShow] {
        [
            SAMLScenario(), LogoutScenario(), OTPScenario(first: .saml), OTPScenario(first: .oauth2), AuthorizationCodeScenario(),
            RefreshScenario(), PasscodeScenario(), ClientCredentialsScenario(), BasicScenario(), APIKeyScenario(),
            CertificateScenario(), CertificateDiscoveryScenario(), SecureLoginScenario(), ServerShow.transmission,
            ServerShow.samlECP, ServerShow.containerRegistry, ServerShow.keystone, ServerShow.amazonWebServices,
            ServerShow.digest, ServerShow.negotiate, ServerShow.formLogin, ServerShow.browserLogin, ServerShow.jsonRPCLogin,
            ServerShow.oauthUser,
            ServerShow.oauthRefresh,
            ServerShow.oauthDevice, ServerShow.oauthService, ServerShow.openIDUser, ServerShow.openIDBound,
            ServerShow.openIDRefresh, ServerShow.openIDDevice, ServerShow.openIDService, ServerShow.openIDCertificate,
            ServerShow.openIDExchange,
            ServerShow.modelContextProtocol, ServerShow.modelContextProtocolService,
            ServerShow.keycloak, ServerShow.entraID, ServerShow.okta, ServerShow.auth0, ServerShow.google, ServerShow.gitHub,
            ServerShow.gitLab,
        ]
    }

    func validate() throws {
        guard (1...400).contains(requests) else { throw ValidationError("'--requests' is a number from 1 to 400.") }
    }

    func run() async throws { try await run(console: .standard) }

    func run(
        console: Console, landscape: Landscape = .sapMobileServices, scenarios: [any DemoShow] = DemoCommand.scenarios
    ) async throws {
        let report = await report(console: console, landscape: landscape, scenarios: scenarios)
        try show(report, on: console)
        if json { try console.print(report.json()) }
        if !report.ok { throw CommandExit.failed }
    }

    /// Runs the scenarios.
    func report(
        console: Console, landscape: Landscape = .sapMobileServices, scenarios: [any DemoShow] = DemoCommand.scenarios
    ) async -> DemoReport {
        let rows = await withTaskGroup(of: (index: Int, row: DemoRow).self) { group in
            var waiting = scenarios.enumerated().makeIterator()
            func begin() {
                guard let (index, scenario) = waiting.next() else { return }
                // Each row needs its own counters.
                let options = DemoClientOptions(simultaneousRequests: requests, sharesAuthentications: !withoutFlight)
                group.addTask {
                    let place = "\(index + 1) of \(scenarios.count)"
                    return (index, await scenario.show(landscape, options) { console.progress("\(place): \($0)") })
                }
            }
            for _ in 0..<rowsAtOnce() { begin() }
            var rows: [Int: DemoRow] = [:]
            for await (index, row) in group {
                rows[index] = row
                begin()
            }
            return scenarios.indices.compactMap { rows[$0] }
        }
        console.clearProgress()
        return DemoReport(landscape: landscape.name, rows: rows)
    }

    /// Returns the number of rows that run at once. A row often waits, for a poll or a key, so several can run. With more
    /// requests per row, fewer rows run, because there is less waiting and a server holds requests back for only half a minute.
    ///
    /// Each request can use two connections, the second one with a certificate, and the mock is in the same process.
    private func rowsAtOnce() -> Int {
        let wanted = max(1, min(4, 400 / requests))
        let perRow = 4 * requests + 50
        return max(1, min(wanted, DescriptorLimit.raise(to: wanted * perRow) / perRow))
    }

    private func show(_ report: DemoReport, on console: Console) throws {
        for problem in report.problems() { console.message(problem) }
        guard !json else { return }
        for line in report.table(isVerbose: verbose) { try console.print(line) }
        try console.print("")
        try console.print(console.output.styled(report.verdict(), report.ok ? .green : .red))
    }
}
