// The steps that show a page: a login page, a page beside which the next step runs, and a page after a logout.

extension StepRunner {
    /// Shows a login page.
    mutating func show(_ page: LoginPage, before later: ArraySlice<ProgramStep>) async throws {
        // For a token, this was checked in the session that needs it, which may be another than the one that sends the
        // requests.
        if token == nil {
            let redirect = AuthorizationRedirect(of: page, before: later, with: values, of: method)
            try AuthorizationRedirect.requireUnshared([redirect].compactMap(\.self), in: session, of: method.program.name)
        }
        if let call = page.pushCall() { try requireUnrefused(call) }
        let run = PageRun(
            page: page, method: method, session: session, values: values, cookies: page.redirect == nil ? cookies : nil,
            initialCookies: initialCookies, report: report)
        let outcome = try await run.outcome()
        for (slot, value) in outcome.values { fill(slot, value) }
        token?.note(scope: outcome.scope)
        // Only the page knows which user has logged in, so its values are treated like the user's answers.
        asked += outcome.values.keys
        report(.ran(step: "present"))
    }

    /// The cookies that browsers begin with.
    private var initialCookies: CookieJar { cookiesAfterLogout ?? session.cookies }

    /// Runs a step while a presenter shows a page and its code.
    mutating func run(
        _ step: ProgramStep, before later: ArraySlice<ProgramStep>, _ prompt: CredentialPrompt?, while page: LoginPage
    ) async throws {
        let display = try UserCodeRun(page: page, method: method, session: session, values: values).display()
        let start = self
        let (runner, result) = try await withThrowingTaskGroup(of: (StepRunner, Result<Void, any Error>)?.self) { group in
            group.addTask {
                try await display()
                return nil
            }
            group.addTask {
                var runner = start
                do {
                    try await runner.run(step, before: later, prompt)
                    return (runner, .success(()))
                } catch {
                    return (runner, .failure(error))
                }
            }
            while let end = try await group.next() {
                guard let end else { continue }
                group.cancelAll()
                return end
            }
            throw CancellationError()
        }
        // The values are kept even if the step has failed.
        self = runner
        try result.get()
        report(.ran(step: "present"))
    }

    /// Shows a page after a logout. It is no failure if the user closes it, or leaves it open for longer than the limit.
    func show(_ step: ProgramStep, for limit: Duration) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask {
                var runner = self
                do { try await runner.run([step], nil) } catch let error as CountersignError where error.code == .cancelled {}
            }
            group.addTask { [clock = session.configuration.clock] in try await clock.sleep(for: limit, tolerance: nil) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
