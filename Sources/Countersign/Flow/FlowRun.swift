#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// Executes the steps of a flow once: each reads the values, and may leave something for the next.
///
/// What came of it, a token, is taken out at the end.
struct FlowRun<Values: Sendable, Failure: AuthenticationError>: Sendable {
    let context: FlowContext<Failure>
    /// What the steps read.
    var values: Values
    /// The token that a request brought.
    var issued: OAuth2IssuedToken?
    /// What the token is asked to be good for, by the latest `scope` that was sent.
    var requestedScopes: Set<String> = []
    /// The token that is renewed, if one is.
    let renewing: OAuth2Token?

    init(_ context: FlowContext<Failure>, values: Values, renewing: OAuth2Token? = nil) {
        self.context = context
        self.values = values
        self.renewing = renewing
    }

    /// Runs the steps.
    ///
    /// - Throws: the method's errors; ``OAuth2TokenFailure``; ``CountersignError``; `CancellationError`.
    mutating func run(_ steps: [Step<Values, Failure>]) async throws {
        for (index, step) in steps.enumerated() {
            switch step {
            case .generate: context.report(.ran(step: "generate"))
            case .present(let step):
                try await present(step)
                context.report(.ran(step: "present"))
            case .request(let step):
                do {
                    issued = try await request(step)
                } catch let failure as OAuth2TokenFailure {
                    throw failure.completed(step: index)
                }
                context.report(.ran(step: "request"))
            }
        }
    }
}

// MARK: - Pages

extension FlowRun {
    private mutating func present(_ step: PresentStep<Values, Failure>) async throws {
        let finish = step.finish
        let presenter = try presenter()
        let page = page(of: step, in: presenter)
        try context.check(page.url, calledAs: page.text)
        let registered = finish.url.value(values)
        try context.check(redirect: registered, calledAs: finish.url.text)
        let presentation: WebPresentation
        if let query = page.query {
            presentation = WebPresentation(
                authenticationMethod: context.authenticationMethod, url: page.url.merging(FormParameters(query, values)),
                finish: FinishRule(registered, match: .path), jar: context.session.cookies.fork(),
                transport: context.session.transport)
        } else {
            let state = finish.verify.first { $0.name == "state" }?.value.value(values)
            let redirect = WebRedirect(to: registered, state: state) { [values] url in
                var values = values
                finish.move(&values, url)
                return page.template(values).merging(FormParameters(step.query, values))
            }
            presentation = WebPresentation(
                authenticationMethod: context.authenticationMethod, redirect: redirect, jar: context.session.cookies.fork(),
                transport: context.session.transport)
        }
        let result = try await show(presentation, by: presenter, for: step)
        let used = result.redirectURL ?? registered
        let isMovable = presentation.redirect != nil
        guard used == registered || (isMovable && used.isLoopback && registered.isLoopback && used.path() == registered.path())
        else {
            throw context.error(.presenterFailed, "the presenter came back to another redirect URL than it may choose")
        }
        try check(result, endsAt: FinishRule(used, match: .path))
        if used != registered { finish.move(&values, used) }
        noteScopes(of: FormParameters(page.query ?? step.query, values))
        try take(result.finishURL, by: finish, shownAt: Origin(page.url))
    }

    /// Takes what a redirect brings, once it is known to belong to this run.
    private mutating func take(_ url: URL, by finish: RedirectFinish<Values, Failure>, shownAt origin: Origin?) throws {
        do {
            for (capture, value) in zip(finish.capture, try answer(url, to: finish)) { capture.store(&values, value) }
        } catch .server(let error) {
            throw finish.failure(.server(error.completed(origin: origin)))
                ?? context.error(
                    .refusedByServer, error.errorDescription ?? "the authorization server refused", at: origin)
        } catch {
            if case .missing(let name) = error, let failure = finish.failure(.missing(name)) { throw failure }
            throw context.error(.answerRefused, error.summary, at: origin)
        }
    }

    private func answer(
        _ url: URL, to finish: RedirectFinish<Values, Failure>
    ) throws(OAuth2CallbackError) -> [String] {
        let answer = try OAuth2AuthorizationResponse(url)
        for expected in finish.verify {
            if let value = expected.value.value(values) { try answer.require(expected.name, toBe: value) }
        }
        return try answer.values(of: finish.capture.map(\.name))
    }

    private func check(_ result: WebPresentationResult, endsAt finish: FinishRule) throws {
        guard finish.accepts(result.finishURL) else {
            throw context.error(
                .presenterFailed, "the presenter ended at a URL that does not end the flow", at: Origin(result.finishURL))
        }
    }

    private func presenter() throws -> any WebPresenter {
        guard let presenter = context.presenter ?? context.session.configuration.presenter ?? FlightScope.presenter else {
            throw context.error(
                .noPresenter,
                "there is no presenter to show a login page; set SessionConfiguration.presenter, or give the authenticator one")
        }
        return presenter
    }

    /// The first page of a step that there is and that the presenter can open; the values are made ready for it.
    private mutating func page(of step: PresentStep<Values, Failure>, in presenter: any WebPresenter) -> ChosenPage<Values> {
        for page in step.alternatives {
            guard let url = page.url.value(values) else { continue }
            guard presenter.isEmbeddedWebView || !page.isOnlyEmbedded else {
                context.report(.passedOver(page: page.url.text))
                continue
            }
            page.adjust(&values)
            return ChosenPage(
                url: url, text: page.url.text, query: page.query,
                template: { [url = page.url] in url.value($0) ?? step.url.value($0) })
        }
        return ChosenPage(url: step.url.value(values), text: step.url.text, query: nil, template: step.url.value)
    }

    private func show(
        _ presentation: WebPresentation, by presenter: any WebPresenter, for step: PresentStep<Values, Failure>
    ) async throws -> WebPresentationResult {
        try FlightScope.requireWanted()
        let failure: PresentationFailure
        do {
            return try await presenter.present(presentation)
        } catch let error as PresentationFailure {
            if case .dismissed = error { FlightScope.noteDismissal() }
            failure = explained(error, step.explanations)
        } catch let error where error is any AuthenticationError || error is CountersignError || error is CancellationError {
            throw error
        } catch {
            failure = .load(error)
        }
        throw step.failure(failure) ?? context.error(.presenterFailed, failure.summary, at: Origin(presentation.url))
    }

    /// The failure with what the spec has to say about the server's status.
    private func explained(_ failure: PresentationFailure, _ explanations: [Int: String]) -> PresentationFailure {
        guard case .load(let error as any PageFailure) = failure, let status = error.status, let text = explanations[status] else {
            return failure
        }
        let page = context.error(.pageRefused, text, at: error.origin, status: status)
        return .load(page.completed(requestMethod: .get))
    }
}

/// The page that is opened.
private struct ChosenPage<Values: Sendable> {
    let url: URL
    /// What the spec calls it.
    let text: String
    /// What is put into its query; `nil` for what the step says.
    let query: [NamedTemplate<Values>]?
    /// The page for other values.
    let template: @Sendable (Values) -> URL
}

extension PresentationFailure {
    /// What happened, without what a presenter put into its error.
    var summary: String {
        switch self {
        case .dismissed: "the login page was closed before the login ended"
        case .load: "the login page could not be shown"
        case .refused: "the login page was shown and refused what was entered"
        case .reloaded: "the login page was loaded anew, and the login cannot go on from there"
        case .background: "the app is in the background, where no login page can be shown"
        }
    }
}

extension FormParameters {
    /// The parameters that the templates give for some values; those that give `nil` are left out.
    init<Values>(_ templates: [NamedTemplate<Values>], _ values: Values) {
        self.init()
        for template in templates { self[template.name] = template.value.value(values) }
    }
}
