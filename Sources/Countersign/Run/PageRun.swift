#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Shows one ``LoginPage`` and reads what the browser comes back with.
struct PageRun {
    let page: LoginPage
    /// The method's name in its spec.
    let method: String
    let session: Session
    /// All values by slot.
    let values: [ProgramValue]

    /// - Returns: What the page's answer says, by slot, and the redirect URL if the presenter has chosen another.
    /// - Throws: ``CallRun/Refusal``; ``CountersignError``; an error of the presenter's; `CancellationError`.
    func said() async throws -> [Int: ProgramValue] {
        guard case .url(let registered) = values[page.redirect], let scheme = registered.scheme, !scheme.isEmpty else {
            throw CountersignError(.invalidRequest, detail: "the redirect URL is no absolute URL")
        }
        try check(registered)
        guard let url = page.url.url(values), url.user == nil, Origin(url) != nil else {
            throw CountersignError(.invalidRequest, detail: "the address of a login page is none")
        }
        try check(url)
        let presenter = try presenter()
        let redirect = WebRedirect(to: registered, state: state) { [page, values] redirect in
            var values = values
            values[page.redirect] = .url(redirect)
            return url.merging(page.parameters(values))
        }
        let presentation = WebPresentation(
            authenticationMethod: method, redirect: redirect, jar: session.cookies.fork(),
            transport: session.transport)
        let result = try await show(presentation, by: presenter)
        let used = result.redirectURL ?? registered
        let isOwn = used.isLoopback && registered.isLoopback && used.path() == registered.path()
        guard used == registered || isOwn else {
            throw CountersignError(
                .presenterFailed, detail: "the presenter came back to another redirect URL than it may choose")
        }
        guard FinishRule(used, match: .path).accepts(result.finishURL) else {
            throw CountersignError(
                .presenterFailed, detail: "the presenter ended at a URL that does not end the login",
                origin: Origin(result.finishURL))
        }
        var said = try answer(result.finishURL, shownAt: url)
        if used != registered { said[page.redirect] = .url(used) }
        return said
    }

    /// What the answer is known by, for a presenter that listens itself.
    private var state: String? {
        page.verify.first { $0.name.text(values) == "state" }?.value.text(values)
    }

    /// Codes and pages travel encrypted, or stay on this machine; a scheme of the application's own does, too.
    private func check(_ url: URL) throws {
        guard let origin = Origin(url), !origin.isPrivate else { return }
        throw CountersignError(.insecureDestination, detail: "a login would be sent unencrypted", origin: origin)
    }

    private func presenter() throws -> any WebPresenter {
        guard let presenter = session.configuration.presenter ?? FlightScope.presenter else {
            throw CountersignError(
                .noPresenter, detail: "there is no presenter to show a login page; set SessionConfiguration.presenter")
        }
        return presenter
    }

    private func show(_ presentation: WebPresentation, by presenter: any WebPresenter) async throws -> WebPresentationResult {
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
        if case .dismissed = failure {
            FlightScope.noteDismissal()
            throw CountersignError(.cancelled, detail: failure.summary, origin: Origin(presentation.url))
        }
        throw CountersignError(
            .presenterFailed, detail: [failure.summary, failure.explanation].compactMap(\.self).joined(separator: ": "),
            origin: Origin(presentation.url))
    }

    private func answer(_ url: URL, shownAt address: URL) throws -> [Int: ProgramValue] {
        var reading: ResponseReading
        do {
            let answer = try OAuth2AuthorizationResponse(url)
            let expected = page.verify.compactMap { member in
                member.name.text(values).flatMap { name in member.value.text(values).map { (name, $0) } }
            }
            guard !expected.isEmpty else {
                throw CountersignError(
                    .answerRefused, detail: "nothing tells whether the answer is to this login", origin: Origin(address))
            }
            for (name, value) in expected { try answer.require(name, toBe: value) }
            reading = ResponseReading(
                query: try answer.parameters(expecting: page.answers.flatMap(\.pattern.queryNames)), from: address)
        } catch let error as OAuth2CallbackError {
            throw CountersignError(.answerRefused, detail: error.summary, origin: Origin(address))
        }
        for answer in page.answers {
            guard let pattern = CompiledChallenge(answer.pattern, values), pattern.matches(&reading) else { continue }
            guard !answer.isRefusal else {
                throw CallRun.Refusal(call: nil, origin: Origin(address), status: nil, code: reading.query["error"]?.asErrorCode)
            }
            return try pattern.values(&reading)
        }
        throw CountersignError(
            .unexpectedAnswer, detail: "the login page's answer is none that the spec knows", origin: Origin(address))
    }
}

extension ChallengePattern {
    /// The names in a query that it looks at.
    fileprivate var queryNames: [String] {
        query.map(\.name)
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
