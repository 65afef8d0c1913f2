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
        // The cookies of a page with a redirect stay in the browser.
        if page.redirect == nil { hasLoggedIn = true }
        token?.note(scope: outcome.scope)
        // Only the page knows which user has logged in, so its values are treated like the user's answers.
        asked += outcome.values.keys
        report(.ran(step: "present"))
    }

    /// The cookies that browsers begin with.
    private var initialCookies: CookieJar { cookiesAfterLogout ?? session.cookies }

    /// Runs a step while a presenter shows a page and its code.
    ///
    /// After the step, the presenter is waited for until it has closed the page. A cancelled run, for example after a logout, waits only
    /// for the step, since a presenter can ignore the cancellation, and the step may still bring a credential.
    mutating func run(
        _ step: ProgramStep, before later: ArraySlice<ProgramStep>, _ prompt: CredentialPrompt?, while page: LoginPage
    ) async throws {
        let display = try UserCodeRun(page: page, method: method, session: session, values: values).display()
        let start = self
        let (ends, continuation) = AsyncThrowingStream.makeStream(of: Void.self)
        let showing = Task {
            do {
                try await display()
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        defer { showing.cancel() }
        let (runner, result) = try await withTaskCancellationHandler {
            try await withThrowingTaskGroup(of: (StepRunner, Result<Void, any Error>)?.self) { group in
                group.addTask {
                    // Also ends when this task is cancelled. The error of a presenter that was cancelled does not end the step.
                    do {
                        for try await _ in ends {}
                    } catch _ where showing.isCancelled {}
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
                    showing.cancel()
                    return end
                }
                throw CancellationError()
            }
        } onCancel: {
            showing.cancel()
        }
        // The values are kept even if the step has failed.
        self = runner
        try result.get()
        report(.ran(step: "present"))
    }

    /// Shows a page after a logout. It is no failure if the user closes it, or leaves it open for longer than the limit. A presenter
    /// that then ignores the cancellation is not waited for.
    func show(_ step: ProgramStep, for limit: Duration) async throws {
        let showing = Task {
            var runner = self
            do { try await runner.run([step], nil) } catch let error as CountersignError where error.code == .cancelled {}
        }
        try await withTaskCancellationHandler {
            let _: Void = try await firstValue { [clock = session.configuration.clock] deliver in
                let limiting = Task {
                    guard (try? await clock.sleep(for: limit, tolerance: nil)) != nil else { return }
                    deliver(())
                    showing.cancel()
                }
                defer { limiting.cancel() }
                try await showing.value
            }
        } onCancel: {
            showing.cancel()
        }
    }
}
