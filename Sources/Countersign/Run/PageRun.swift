#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Shows one ``LoginPage`` and reads what it ends with.
struct PageRun {
    let page: LoginPage
    let method: PreparedProgram
    let session: Session
    /// All values by slot.
    let values: [ProgramValue]
    /// What the browser begins with and leaves; `nil` for a copy of the session's, of which nothing is kept.
    let cookies: CookieJar?
    let report: @Sendable (SessionEvent.Kind) -> Void

    /// - Returns: What the page's answer says, by slot, and the redirect URL if the presenter has chosen another.
    /// - Throws: ``CallRun/Refusal``; the method's errors; ``CountersignError``; an error of the presenter's; `CancellationError`.
    func said() async throws -> [Int: ProgramValue] {
        let presenter = try presenter()
        let (url, name) = try address(in: presenter)
        switch page.end {
        case .at(let end, let match):
            let finish = FinishRule(try self.url(end), match: match)
            try await visit(url, until: finish, in: presenter)
            return [:]
        case .redirect(let redirect): return try await said(by: redirect, from: url, calledAs: name, in: presenter)
        }
    }

    // MARK: Addresses

    /// The first page that there is and that the presenter can open.
    private func address(in presenter: any WebPresenter) throws -> (url: URL, name: String) {
        for alternative in page.alternatives where alternative.url.text(values) != nil {
            guard presenter.isEmbeddedWebView || !alternative.isOnlyEmbedded else {
                let warning = SessionEvent.Kind.passedOver(page: method.spelling(of: alternative.url))
                if method.warnings.isNews(warning) { report(warning) }
                continue
            }
            return (try url(alternative.url), method.spelling(of: alternative.url))
        }
        return (try url(page.url), method.spelling(of: page.url))
    }

    /// An address to which a login can be sent: encrypted, or on this machine.
    private func url(_ template: ProgramTemplate) throws -> URL {
        let name = method.spelling(of: template)
        guard let url = template.url(values), url.user == nil, url.password == nil, let origin = Origin(url) else {
            throw method.unusable("\(name) is not an absolute http or https URL without a user", .invalidRequest)
        }
        try check(origin, calledAs: name)
        return url
    }

    private func check(_ origin: Origin, calledAs name: String) throws {
        guard !origin.isPrivate else { return }
        throw method.unusable(
            "\(name) leads to \(origin), where credentials would be sent unencrypted", .insecureDestination, at: origin)
    }

    // MARK: Cookies

    private func visit(_ url: URL, until finish: FinishRule, in presenter: any WebPresenter) async throws {
        let before = (cookies ?? session.cookies).snapshot()
        let mover = page.callback == nil ? nil : PageMover()
        let presentation = WebPresentation(
            authenticationMethod: method.program.name, url: url, finish: finish, jar: (cookies ?? session.cookies).fork(),
            transport: session.transport, mover: mover)
        let result = try await showWaiting(presentation, by: presenter)
        try check(result, endsAt: finish)
        cookies?.adopt(result.cookies, since: before)
    }

    // MARK: Redirects

    private func said(
        by redirect: LoginPage.Redirect, from url: URL, calledAs name: String, in presenter: any WebPresenter
    ) async throws -> [Int: ProgramValue] {
        let slot = ProgramTemplate(.slot(redirect.slot))
        guard case .url(let registered) = values[redirect.slot], let scheme = registered.scheme, !scheme.isEmpty else {
            throw method.unusable("\(method.spelling(of: slot)) is not an absolute URL", .invalidRequest)
        }
        if let origin = Origin(registered) { try check(origin, calledAs: method.spelling(of: slot)) }
        let wayBack = WebRedirect(to: registered, state: state(of: redirect)) { [page, values] used in
            var values = values
            values[redirect.slot] = .url(used)
            return url.merging(page.parameters(values))
        }
        let presentation = WebPresentation(
            authenticationMethod: method.program.name, redirect: wayBack, jar: session.cookies.fork(),
            transport: session.transport)
        let result = try await showWaiting(presentation, by: presenter)
        let used = result.redirectURL ?? registered
        let isOwn = used.isLoopback && registered.isLoopback && used.path() == registered.path()
        guard used == registered || isOwn else {
            throw CountersignError(
                .presenterFailed, detail: "the presenter came back to another redirect URL than it may choose")
        }
        try check(result, endsAt: FinishRule(used, match: .path))
        var said = try answer(result.finishURL, to: redirect, shownAt: url)
        if used != registered { said[redirect.slot] = .url(used) }
        return said
    }

    /// What the answer is known by, for a presenter that listens itself.
    private func state(of redirect: LoginPage.Redirect) -> String? {
        redirect.verify.first { $0.name.text(values) == "state" }?.value.text(values)
    }

    private func answer(
        _ url: URL, to redirect: LoginPage.Redirect, shownAt address: URL
    ) throws -> [Int: ProgramValue] {
        var reading: ResponseReading
        do {
            let answer = try OAuth2AuthorizationResponse(url)
            let expected = redirect.verify.compactMap { member in
                member.name.text(values).flatMap { name in member.value.text(values).map { (name, $0) } }
            }
            guard !expected.isEmpty else {
                throw CountersignError(
                    .answerRefused, detail: "nothing tells whether the answer is to this login", origin: Origin(address))
            }
            for (name, value) in expected { try answer.require(name, toBe: value) }
            let names = redirect.answers.flatMap { $0.pattern.queryNames(values) }
            reading = ResponseReading(query: try answer.parameters(expecting: names), from: address)
        } catch let error as OAuth2CallbackError {
            throw CountersignError(.answerRefused, detail: error.summary, origin: Origin(address))
        }
        for answer in redirect.answers {
            guard let pattern = CompiledChallenge(answer.pattern, values), pattern.matches(&reading) else { continue }
            guard !answer.isRefusal else {
                throw CallRun.Refusal(call: nil, origin: Origin(address), status: nil, code: reading.query["error"]?.asErrorCode)
            }
            return try pattern.values(&reading)
        }
        throw CountersignError(
            .unexpectedAnswer, detail: "the login page's answer is none that the spec knows", origin: Origin(address))
    }

    // MARK: Presenting

    private func presenter() throws -> any WebPresenter {
        guard let presenter = method.presenter() ?? session.configuration.presenter ?? FlightScope.presenter else {
            throw CountersignError(
                .noPresenter,
                detail:
                    "there is no presenter to show a login page; set SessionConfiguration.presenter, or give the authenticator one")
        }
        return presenter
    }

    private func check(_ result: WebPresentationResult, endsAt finish: FinishRule) throws {
        guard finish.accepts(result.finishURL) else {
            throw CountersignError(
                .presenterFailed, detail: "the presenter ended at a URL that does not end the login",
                origin: Origin(result.finishURL))
        }
    }

    /// Shows the page, and lets another application move it on if it may.
    private func showWaiting(
        _ presentation: WebPresentation, by presenter: any WebPresenter
    ) async throws -> WebPresentationResult {
        guard let rule = page.callback, let mover = presentation.mover, let callbacks = method.callbacks else {
            return try await show(presentation, by: presenter)
        }
        return try await callbacks.wait(
            for: rule, on: presentation.url, mover: mover, logger: session.configuration.logger,
            authenticationMethod: method.program.name
        ) { try await show(presentation, by: presenter) }
    }

    private func show(_ presentation: WebPresentation, by presenter: any WebPresenter) async throws -> WebPresentationResult {
        try FlightScope.requireWanted()
        let failure: PresentationFailure
        do {
            return try await presenter.present(presentation)
        } catch let error as PresentationFailure {
            if case .dismissed = error { FlightScope.noteDismissal() }
            failure = explained(error)
        } catch let error where error is any AuthenticationError || error is CountersignError || error is CancellationError {
            throw error
        } catch {
            failure = .load(error)
        }
        throw method.error(of: failure, on: page, at: Origin(presentation.url))
    }

    /// The failure with what the spec has to say about the server's status.
    private func explained(_ failure: PresentationFailure) -> PresentationFailure {
        guard case .load(let error as any PageFailure) = failure, let status = error.status, let text = page.explanations[status]
        else { return failure }
        let refusal = CountersignError(
            .pageRefused, detail: text, authenticationMethod: method.program.name, requestMethod: "GET", origin: error.origin,
            status: status)
        return .load(refusal)
    }
}

extension PreparedProgram {
    /// The error for a page that has failed.
    fileprivate func error(of failure: PresentationFailure, on page: LoginPage, at origin: Origin?) -> any Error {
        var cause: any Error = failure
        let number: Int?
        switch failure {
        case .dismissed: number = page.failures[.dismissed]
        case .reloaded: number = page.failures[.reloaded]
        case .background: number = page.failures[.background]
        case .load(let error):
            number = page.failures[.load]
            cause = error
        case .refused(let error):
            number = page.failures[.refused] ?? page.failures[.load]
            // In the case for a page that could not be shown, the failure says that it was.
            if page.failures[.refused] != nil { cause = error }
        }
        if let own = number.flatMap({ self.error($0, failure.summary, cause) }) { return own }
        if case .dismissed = failure { return CountersignError(.cancelled, detail: failure.summary, origin: origin) }
        return CountersignError(
            .presenterFailed, detail: [failure.summary, failure.explanation].compactMap(\.self).joined(separator: ": "),
            origin: origin)
    }
}

extension ChallengePattern {
    /// The names in a query that it looks at.
    fileprivate func queryNames(_ values: [ProgramValue]) -> [String] {
        query.compactMap { $0.name.text(values) }
            + captures.compactMap { capture in
                if case .query(let name) = capture.source { name } else { nil }
            }
    }
}

extension PresentationFailure {
    /// What a presenter says of a page in words of its own.
    fileprivate var explanation: String? {
        switch self {
        case .load(let error), .refused(let error): (error as? any PageFailure)?.explanation
        case .dismissed, .reloaded, .background: nil
        }
    }
}
