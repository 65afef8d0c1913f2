import Countersign
import CountersignTesting
import Foundation
import SAPMobileServicesTesting

/// Shows one method against the mock landscape: a login by a single request, then one login for many.
struct DemoRun {
    let landscape: Landscape
    let scenario: any DemoScenario
    let options: DemoClientOptions
    let progress: @Sendable (String) -> Void

    /// Runs the demo of the method. Failures are recorded in the row.
    func row() async -> DemoRow {
        var row = DemoRow(method: scenario.row, challenge: "", steps: [], requests: options.simultaneousRequests)
        do {
            try await MockLandscape.run(landscape, rules: .sapMobileServices, options: scenario.mockOptions) { mock in
                let client = try scenario.makeClient(for: mock, options: options)
                do {
                    try await show(mock, with: client, in: &row)
                } catch {
                    row.problems.append("\(error)")
                }
                await client.close()
            }
        } catch {
            row.problems.append("\(error)")
        }
        return row
    }

    private func show(_ mock: MockLandscape, with client: any DemoClient, in row: inout DemoRow) async throws {
        guard let method = mock.methods.first(where: { $0.name == scenario.method }) else {
            throw DemoError("the landscape has no method '\(scenario.method)'")
        }
        let resource = mock.baseURL.appending(path: "resource/\(scenario.method)/demo")

        progress("\(scenario.row): looking at the challenge")
        row.challenge = describe(try await client.probe(resource), as: method)

        progress("\(scenario.row): signing in")
        try await scenario.prepare(mock, client, resource)
        _ = options.steps.take()
        _ = options.exchanges.take()
        mock.resetStatistics()
        let first = try JSONDecoder().decode(MockResource.self, from: try await client.get(resource))
        let counted = mock.statistics
        let logins = scenario.authentications(at: mock)
        guard first.path == resource.path, counted.challenges == 1, logins == 1, counted.resources == 1 else {
            throw DemoError("a single request took \(counted.challenges) challenges and \(logins) authentications")
        }
        row.steps = options.steps.take()
        row.exchanges = options.exchanges.take()
        let described = scenario.words(of: method)
        guard row.steps == described else {
            throw DemoError("the steps run were \(row.steps), not \(described)")
        }

        progress("\(scenario.row): \(options.simultaneousRequests) requests at once, without a valid credential")
        try await scenario.forget(mock, client)
        mock.resetStatistics()
        let gate = mock.hold(.path(resource.path), until: options.simultaneousRequests)
        let start = ContinuousClock.now
        let failures = await sendAll(to: resource, as: first, with: client)
        row.seconds = (ContinuousClock.now - start) / .seconds(1)

        let statistics = mock.statistics
        row.challenged = statistics.challenges
        row.authentications = scenario.authentications(at: mock)
        row.sends = statistics.sends[resource.path] ?? 0
        row.answered = options.simultaneousRequests - failures.count
        row.judge()
        if gate.hasTimedOut { row.problems.append("only \(gate.arrived) requests arrived before one was answered") }
        if statistics.strayCookies > 0 { row.problems.append("\(statistics.strayCookies) cookies were sent to the wrong server") }
        if let failure = failures.first { row.problems.append("\(failure)") }
    }

    /// Sends the requests concurrently, and returns the errors of those that were not answered with `expected`.
    private func sendAll(to url: URL, as expected: MockResource, with client: any DemoClient) async -> [any Error] {
        await withTaskGroup(of: (any Error)?.self) { group in
            for _ in 0..<options.simultaneousRequests {
                group.addTask {
                    do {
                        let resource = try JSONDecoder().decode(MockResource.self, from: try await client.get(url))
                        return resource == expected ? nil : DemoError("the response is not the resource")
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { failures, failure in if let failure { failures.append(failure) } }
        }
    }

    private func describe(_ answer: (status: Int, fields: [String: String]), as method: MethodDescription) -> String {
        let schemes = method.challenges.flatMap(\.schemes).map { "\($0.field.name)".lowercased() }
        let names = method.challenges.flatMap(\.fields).map { $0.name.lowercased() } + schemes
        let fields = names.compactMap { name in answer.fields[name].map { "\(name): \($0)" } }
        return (["\(answer.status)"] + fields).joined(separator: " ")
    }
}

/// The reason why a part of the demo could not be shown.
struct DemoError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension MethodDescription.Step {
    /// The keyword of the step in a spec.
    var word: String {
        switch self {
        case .generate: "generate"
        case .present: "present"
        case .request: "request"
        case .fail: "fail"
        case .prompt: "prompt"
        }
    }
}
