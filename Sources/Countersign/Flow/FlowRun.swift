#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Executes the steps of a flow once.
struct FlowRun<Parameters: Sendable, Failure: AuthenticationError>: Sendable {
    let authenticator: MethodAuthenticator<Parameters, Failure>
    let steps: [Step<Parameters, Failure>]
    let session: Session

    /// Runs the steps, on cookies of their own, and returns how the session takes over what they brought.
    func run() async throws -> FlightCoordinator.Commit {
        let epoch = session.epoch
        let before = session.cookies.snapshot()
        var cookies = before
        for step in steps {
            switch step {
            case .present(let step):
                cookies = try await present(step, cookies: cookies)
                session.report(SessionEvent(.ran(step: "present"), observer: authenticator.method.name))
            case .fail(let failure):
                throw failure
            }
        }
        return commit(epoch: epoch) { [cookies] in $0.adopt(cookies, since: before) }
    }

    /// Runs the application's own authentication, which leaves the cookies in the jar by itself.
    func run(_ own: @Sendable (Session) async throws -> Void) async throws -> FlightCoordinator.Commit {
        let epoch = session.epoch
        try await own(session)
        return commit(epoch: epoch) { _ in }
    }

    private func commit(epoch: SessionEpoch, _ change: @escaping @Sendable (CookieJar) -> Void) -> FlightCoordinator.Commit {
        { [session] in
            guard session.changeCookies(in: epoch, change) else { throw FlightFailure.sessionEnded }
        }
    }

    private func present(_ step: PresentStep<Parameters, Failure>, cookies: CookieJar.Snapshot) async throws -> CookieJar.Snapshot {
        guard let presenter = authenticator.presenter ?? session.configuration.presenter else {
            throw authenticator.error(
                .noPresenter,
                "there is no presenter to show a login page; set SessionConfiguration.presenter, or give the authenticator one")
        }
        let url = step.url.value(authenticator.parameters)
        let finish = FinishRule(step.finish.value(authenticator.parameters), match: step.match)
        try check(url, calledAs: step.url.text)
        try check(finish.url, calledAs: step.finish.text)
        let jar = session.cookies.fork()
        jar.adopt(cookies, since: jar.snapshot())
        let presentation = WebPresentation(
            authenticationMethod: authenticator.method.name, url: url, finish: finish, jar: jar, transport: session.transport)
        let result = try await show(presentation, with: presenter, for: step)
        guard finish.accepts(result.finishURL) else {
            throw authenticator.error(
                .presenterFailed, "the presenter ended at a URL that does not end the flow", at: Origin(result.finishURL))
        }
        return result.cookies
    }

    private func show(
        _ presentation: WebPresentation, with presenter: any WebPresenter, for step: PresentStep<Parameters, Failure>
    ) async throws -> WebPresentationResult {
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
        throw step.failure(failure) ?? authenticator.error(.presenterFailed, failure.summary, at: Origin(presentation.url))
    }

    private func check(_ url: URL, calledAs name: String) throws {
        guard let origin = Origin(url) else {
            let detail = "\(name) is not an absolute http or https URL"
            throw authenticator.method.invalidArgument?(detail) ?? authenticator.error(.invalidRequest, detail)
        }
        guard origin.isPrivate else {
            let detail = "\(name) leads to \(origin), where credentials would be sent unencrypted"
            throw authenticator.method.invalidArgument?(detail) ?? authenticator.error(.insecureDestination, detail, at: origin)
        }
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
