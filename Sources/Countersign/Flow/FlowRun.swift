#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Executes the steps of a flow once: each reads the values, and may leave something for the next.
///
/// What came of it is taken out at the end: cookies, a token, or both.
struct FlowRun<Values: Sendable, Failure: AuthenticationError>: Sendable {
    let context: FlowContext<Failure>
    /// What the steps read.
    var values: Values
    /// The cookies that pages have set so far, on top of those that the run began with.
    private(set) var cookies: CookieJar.Snapshot
    /// The token that a request brought.
    var issued: OAuth2IssuedToken?
    /// What the token is asked to be good for, by the latest `scope` that was sent.
    var requestedScopes: Set<String> = []
    /// The token that is renewed, if one is.
    let renewing: OAuth2Token?

    init(_ context: FlowContext<Failure>, values: Values, cookies: CookieJar.Snapshot, renewing: OAuth2Token? = nil) {
        self.context = context
        self.values = values
        self.cookies = cookies
        self.renewing = renewing
    }

    /// Runs the steps.
    ///
    /// - Throws: the method's errors; ``OAuth2TokenFailure``; ``CountersignError``; `CancellationError`.
    mutating func run(_ steps: [Step<Values, Failure>]) async throws {
        for step in steps {
            switch step {
            case .generate: context.report(.ran(step: "generate"))
            case .present(let step):
                try await present(step)
                context.report(.ran(step: "present"))
            case .request(let step):
                issued = try await request(step)
                context.report(.ran(step: "request"))
            case .fail(let failure): throw failure
            }
        }
    }
}

// MARK: - Pages

extension FlowRun {
    private mutating func present(_ step: PresentStep<Values, Failure>) async throws {
        switch step.finish {
        case .at(let template, let match):
            let url = step.url.value(values)
            let finish = FinishRule(template.value(values), match: match)
            try context.check(url, calledAs: step.url.text)
            try context.check(finish.url, calledAs: template.text)
            let presentation = WebPresentation(
                authenticationMethod: context.authenticationMethod, url: url, finish: finish, jar: jar(),
                transport: context.session.transport)
            let result = try await show(presentation, for: step)
            try check(result, endsAt: finish)
            cookies = result.cookies
        case .redirect(let finish): try await present(step, until: finish)
        }
    }

    private mutating func present(
        _ step: PresentStep<Values, Failure>, until finish: RedirectFinish<Values, Failure>
    ) async throws {
        try context.check(step.url.value(values), calledAs: step.url.text)
        let registered = finish.url.value(values)
        try context.check(redirect: registered, calledAs: finish.url.text)
        let state = finish.verify.first { $0.name == "state" }?.value.value(values)
        let redirect = WebRedirect(to: registered, state: state) { [values] url in
            var values = values
            finish.move(&values, url)
            return step.url.value(values).merging(FormParameters(step.query, values))
        }
        let presentation = WebPresentation(
            authenticationMethod: context.authenticationMethod, redirect: redirect, jar: jar(),
            transport: context.session.transport)
        let result = try await show(presentation, for: step)
        let used = result.redirectURL ?? registered
        guard used == registered || (used.isLoopback && registered.isLoopback && used.path() == registered.path()) else {
            throw context.error(.presenterFailed, "the presenter came back to another redirect URL than it may choose")
        }
        try check(result, endsAt: FinishRule(used, match: .path))
        if used != registered { finish.move(&values, used) }
        noteScopes(of: FormParameters(step.query, values))
        try take(result.finishURL, by: finish)
    }

    /// Takes what a redirect brings, once it is known to belong to this run.
    private mutating func take(_ url: URL, by finish: RedirectFinish<Values, Failure>) throws {
        do {
            for (capture, value) in zip(finish.capture, try answer(url, to: finish)) { capture.store(&values, value) }
        } catch .server(let error) {
            throw finish.failure(.server(error))
                ?? context.error(.refusedByServer, error.errorDescription ?? "the authorization server refused")
        } catch {
            if case .missing(let name) = error, let failure = finish.failure(.missing(name)) { throw failure }
            throw context.error(.answerRefused, error.summary)
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

    private func jar() -> CookieJar {
        let jar = context.session.cookies.fork()
        jar.adopt(cookies, since: jar.snapshot())
        return jar
    }

    private func check(_ result: WebPresentationResult, endsAt finish: FinishRule) throws {
        guard finish.accepts(result.finishURL) else {
            throw context.error(
                .presenterFailed, "the presenter ended at a URL that does not end the flow", at: Origin(result.finishURL))
        }
    }

    private func show(
        _ presentation: WebPresentation, for step: PresentStep<Values, Failure>
    ) async throws -> WebPresentationResult {
        guard let presenter = context.presenter ?? context.session.configuration.presenter else {
            throw context.error(
                .noPresenter,
                "there is no presenter to show a login page; set SessionConfiguration.presenter, or give the authenticator one")
        }
        try FlightScope.requireWanted()
        let failure: PresentationFailure
        do {
            return try await presenter.present(presentation)
        } catch let error as PresentationFailure {
            failure = error
        } catch let error where error is any AuthenticationError || error is CountersignError || error is CancellationError {
            throw error
        } catch {
            failure = .load(error)
        }
        throw step.failure(failure) ?? context.error(.presenterFailed, failure.summary, at: Origin(presentation.url))
    }
}

extension PresentationFailure {
    /// What happened, without what a presenter put into its error.
    fileprivate var summary: String {
        switch self {
        case .dismissed: "the login page was closed before the login ended"
        case .load: "the login page could not be shown"
        case .reloaded: "the login page was loaded anew, and the login cannot go on from there"
        case .background: "the app is in the background, where no login page can be shown"
        }
    }
}

extension URL {
    /// Whether it leads to this machine, where a presenter may choose the port (RFC 8252, section 7.3).
    fileprivate var isLoopback: Bool { scheme == "http" && Origin(self)?.isLoopback == true }
}

extension FormParameters {
    /// The parameters that the templates give for some values; those that give `nil` are left out.
    init<Values>(_ templates: [NamedTemplate<Values>], _ values: Values) {
        self.init()
        for template in templates { self[template.name] = template.value.value(values) }
    }
}
