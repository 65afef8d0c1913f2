#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Shows one ``LoginPage`` and reads its result.
struct PageRun {
    let page: LoginPage
    let method: PreparedProgram
    let session: Session
    /// All values by slot.
    let values: [ProgramValue]
    /// The cookies that the browser begins with and changes; `nil` for a copy of ``initialCookies``, whose changes are discarded.
    let cookies: CookieJar?
    /// The cookies that a browser without cookies of the method begins with.
    let initialCookies: CookieJar
    let report: @Sendable (SessionEvent.Kind) -> Void

    /// The result of a page.
    struct Outcome {
        /// The captured values, by slot; the redirect URL, if the presenter has chosen another; absent values for slots that the
        /// page's server does not use.
        var values: [Int: ProgramValue] = [:]
        /// The scope in the page's query; `nil` if it has none.
        var scope: String?
    }

    /// - Throws: ``CallRun/Refusal``; the method's errors; ``CountersignError``; an error of the presenter's; `CancellationError`.
    func outcome() async throws -> Outcome {
        let presenter = try presenter()
        let place = try place(in: presenter)
        switch page.end {
        case .at(let end, let match):
            let finish = FinishRule(try self.url(end), match: match)
            try await visit(place.url, until: finish, in: presenter)
            return Outcome()
        case .redirect(let redirect): return try await outcome(of: redirect, from: place, in: presenter)
        case .userCode:
            throw CountersignError(
                .invalidRequest, detail: "a page with a code can only be shown while the step after it runs")
        }
    }

    // MARK: Addresses

    /// The page that is opened.
    private struct Place {
        let url: URL
        /// The alternative page; `nil` if it is the method's own page.
        var alternative: LoginPage.Alternative?
    }

    /// Returns the first page that has a URL and that the presenter can open.
    private func place(in presenter: any WebPresenter) throws -> Place {
        for alternative in page.alternatives where alternative.url.text(values) != nil {
            guard presenter.isEmbeddedWebView || !alternative.isOnlyEmbedded else {
                let warning = SessionEvent.Kind.passedOver(page: method.spelling(of: alternative.url))
                if method.warnings.shouldReport(warning) { report(warning) }
                continue
            }
            return Place(url: try url(alternative.url), alternative: alternative)
        }
        return Place(url: try url(page.url))
    }

    private func url(_ template: ProgramTemplate) throws -> URL {
        try method.address(template.url(values), calledAs: method.spelling(of: template))
    }

    // MARK: Cookies

    private func visit(_ url: URL, until finish: FinishRule, in presenter: any WebPresenter) async throws {
        let before = (cookies ?? initialCookies).snapshot()
        let mover = page.callback == nil ? nil : PageMover()
        let presentation = WebPresentation(
            authenticationMethod: method.program.name, url: url, finish: finish, jar: (cookies ?? initialCookies).fork(),
            transport: session.transport, mover: mover)
        let result = try await showWaiting(presentation, by: presenter)
        try check(result, endsAt: finish)
        cookies?.adopt(result.cookies, since: before)
    }

    // MARK: Redirects

    private func outcome(
        of redirect: LoginPage.Redirect, from place: Place, in presenter: any WebPresenter
    ) async throws -> Outcome {
        let slot = ProgramTemplate(.slot(redirect.slot))
        guard case .url(let registered) = values[redirect.slot], let scheme = registered.scheme, !scheme.isEmpty else {
            throw method.unusable("\(method.spelling(of: slot)) is not an absolute URL", .invalidRequest)
        }
        if let origin = Origin(registered) { try method.check(origin, calledAs: method.spelling(of: slot)) }
        var values = values
        for slot in place.alternative?.without ?? [] { values[slot] = .absent }
        let push = place.alternative?.query == nil ? self.push : nil
        let presentation: WebPresentation
        let result: WebPresentationResult
        do {
            presentation = try await self.presentation(of: place, registered, redirect, values, push, in: presenter)
            result = try await showWaiting(presentation, by: presenter)
        } catch {
            // The failed push is the actual cause. Presenters wrap it in an error of their own.
            throw push?.failure ?? error
        }
        let used = result.redirectURL ?? registered
        let isOwn =
            presentation.redirect != nil && used.isLoopback && registered.isLoopback && used.path() == registered.path()
        guard used == registered || isOwn else {
            throw CountersignError(
                .presenterFailed, detail: "the presenter returned a redirect URL that it may not choose")
        }
        try check(result, endsAt: FinishRule(used, match: .path))
        var outcome = Outcome(scope: page.parameters(place.alternative?.query, values)["scope"])
        for slot in place.alternative?.without ?? [] { outcome.values[slot] = .absent }
        if used != registered { outcome.values[redirect.slot] = .url(used) }
        outcome.values.merge(try answer(result.finishURL, to: redirect, shownAt: place.url)) { _, said in said }
        return outcome
    }

    /// The push of the page's query before the page is opened; `nil` if there is none.
    private var push: PagePush? { PagePush(of: page, values, method: method, session: session, report: report) }

    /// Returns the page for a presenter. A page with its own query is opened unchanged.
    private func presentation(
        of place: Place, _ registered: URL, _ redirect: LoginPage.Redirect, _ values: [ProgramValue], _ push: PagePush?,
        in presenter: any WebPresenter
    ) async throws -> WebPresentation {
        if let query = place.alternative?.query {
            return WebPresentation(
                authenticationMethod: method.program.name, url: place.url.merging(page.parameters(query, values)),
                finish: FinishRule(registered, match: .path), jar: initialCookies.fork(), transport: session.transport)
        }
        let form: @Sendable (URL) -> PageForm? = { [page, url = place.url] used in
            var values = values
            values[redirect.slot] = .url(used)
            return page.posted(to: url, values)
        }
        let wayBack = WebRedirect(to: registered, state: state(of: redirect), form: form) { [page, url = place.url] used in
            var values = values
            values[redirect.slot] = .url(used)
            return url.merging(try await push?.query(values) ?? page.parameters(nil, values))
        }
        let jar = initialCookies.fork()
        // A presenter that chooses the redirect URL creates the page's URL later, so nothing is pushed here.
        let url =
            presenter.choosesRedirectURL ? place.url.merging(page.parameters(nil, values)) : try await wayBack.page(registered)
        return WebPresentation(
            authenticationMethod: method.program.name, url: url, redirect: wayBack, jar: jar, cookies: jar.snapshot(),
            transport: session.transport)
    }

    /// Returns the `state` that identifies the answer, for a presenter that receives the redirect itself.
    private func state(of redirect: LoginPage.Redirect) -> String? {
        redirect.verify.first { $0.name.text(values) == "state" }?.value.text(values)
    }

    private func answer(
        _ url: URL, to redirect: LoginPage.Redirect, shownAt address: URL
    ) throws -> [Int: ProgramValue] {
        var reading: ResponseReading
        let parameters: FormParameters
        do {
            let answer = try OAuth2AuthorizationResponse(url)
            let expected = redirect.verify.compactMap { member in
                member.name.text(values).flatMap { name in member.value.text(values).map { (name, $0) } }
            }
            guard !expected.isEmpty else {
                throw CountersignError(
                    .answerRefused, detail: "there is no value that shows whether the response belongs to this login",
                    origin: Origin(address))
            }
            for (name, value) in expected { try answer.require(name, toBe: value) }
            for member in redirect.agreed {
                if let name = member.name.text(values), let value = member.value.text(values), answer.has(name) {
                    try answer.require(name, toBe: value)
                }
            }
            let names = redirect.answers.flatMap { $0.pattern.queryNames(values) }
            parameters = try answer.parameters(expecting: names)
            reading = ResponseReading(query: parameters, from: address)
        } catch let error as OAuth2CallbackError {
            throw CountersignError(.answerRefused, detail: error.summary, origin: Origin(address))
        }
        for answer in redirect.answers {
            guard let pattern = CompiledChallenge(answer.pattern, values), pattern.matches(&reading) else { continue }
            guard !answer.isRefusal else { throw refusal(parameters, at: Origin(address)) }
            do throws(CountersignError) {
                return try pattern.values(&reading)
            } catch {
                throw error.completed(origin: Origin(address))
            }
        }
        let required = redirect.answers.filter { !$0.isRefusal }.flatMap { $0.pattern.queryNames(values, areRequired: true) }
        let missing = required.first { parameters[nonempty: $0] == nil }
        let detail =
            missing.map { "the login page's response has neither '\($0)' nor an error" }
            ?? "the spec does not describe the login page's response"
        throw method.error(
            page.failures[.missing], or: CountersignError(.unexpectedAnswer, detail: detail, origin: Origin(address)))
    }

    /// Returns the method's error for an error response (RFC 6749, section 4.1.2.1).
    private func refusal(_ answer: FormParameters, at origin: Origin?) -> any Error {
        let secrets =
            answer.all.filter { !$0.name.hasPrefix("error") }.map(\.value) + FormParameters(page.form, values).all.map(\.value)
        if let number = page.failures[.server], let server = OAuth2ServerError(answer, secrets: secrets)?.completed(origin: origin),
            let own = method.error(number, server.errorDescription ?? "", server)
        {
            return own
        }
        return CallRun.Refusal(
            call: nil, origin: origin, status: nil, code: answer["error"]?.asErrorCode,
            message: answer["error_description"].flatMap { EchoedSecrets.line($0, without: secrets) })
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

    /// Shows the page. If it has a callback, another application can make it continue.
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
            failure = explained(error, of: presentation)
        } catch let error where error is any AuthenticationError || error is CountersignError || error is CancellationError {
            throw error
        } catch {
            failure = .load(error)
        }
        throw method.error(of: failure, on: page, at: Origin(presentation.url))
    }

    /// Returns the failure with the spec's explanation of the server's status, if there is one.
    ///
    /// A presenter that sees the status of a page with a form has posted the form.
    private func explained(_ failure: PresentationFailure, of presentation: WebPresentation) -> PresentationFailure {
        guard case .load(let error as any PageFailure) = failure, let status = error.status, let text = page.explanations[status]
        else { return failure }
        let refusal = CountersignError(
            .pageRefused, detail: text, authenticationMethod: method.program.name,
            requestMethod: presentation.form == nil ? "GET" : "POST", origin: error.origin, status: status)
        return .load(refusal)
    }
}

extension LoginPage {
    /// Returns the form with which a browser requests the page; `nil` if the page has no parameters besides its query.
    ///
    /// - Parameter url: The URL of the page, without the query of the spec.
    fileprivate func posted(to url: URL, _ values: [ProgramValue]) -> PageForm? {
        let own = FormParameters(form, values).all
        guard !own.isEmpty else { return nil }
        let names = Set(own.map(\.name))
        let query = parameters(nil, values).all.filter { !names.contains($0.name) }
        return PageForm(url: url, fields: (query + own).map { PageForm.Field(name: $0.name, value: $0.value) })
    }
}

extension ChallengePattern {
    /// Returns the names of the query items that the pattern uses.
    ///
    /// - Parameter areRequired: Whether items that must be absent are left out.
    fileprivate func queryNames(_ values: [ProgramValue], areRequired: Bool = false) -> [String] {
        query.compactMap { areRequired && $0.match == .absent ? nil : $0.name.text(values) }
            + captures.compactMap { capture in
                if case .query(let name) = capture.source { name } else { nil }
            }
    }
}
