#if os(macOS) || os(Linux)
internal import Countersign
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One login in one browser. It performs the steps that ``LoginProgress`` decides on.
final class ChromiumLogin: Sendable {
    /// An error page that is to be examined.
    private struct ErrorPage {
        let session: String
        let document: String
    }

    private let presentation: WebPresentation
    private let configuration: ChromiumConfiguration
    private let limits: ChromiumLimits
    private let hooks: ChromiumHooks
    /// The URLs to which another application moves the page. The subscription begins with the presentation, before there is a
    /// page.
    private let moves: AsyncStream<URL>?
    private let progress: Mutex<LoginProgress>
    private let exchange = Mutex<CookieExchange?>(nil)
    /// The session of the first page.
    private let beginning = SingleResult<String>()
    /// The URL that ended the login, or the error.
    private let ending = SingleResult<URL>()
    private let errorPages: AsyncStream<ErrorPage>
    private let errorPage: AsyncStream<ErrorPage>.Continuation

    init(
        _ presentation: WebPresentation, configuration: ChromiumConfiguration, limits: ChromiumLimits, hooks: ChromiumHooks
    ) {
        self.presentation = presentation
        self.configuration = configuration
        self.limits = limits
        self.hooks = hooks
        moves = presentation.mover?.urls()
        progress = Mutex(
            LoginProgress(
                finish: presentation.finish, isHeadless: configuration.isHeadless, hasForm: presentation.form != nil))
        (errorPages, errorPage) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Handles an event of the browser.
    func take(_ event: PageEvent, from connection: DevToolsConnection) {
        for step in progress.withLock({ $0.steps(after: event) }) { take(step, on: connection) }
    }

    /// Runs the login in a browser that has just been started, until it has ended.
    ///
    /// - Throws: ``ChromiumError``; `PresentationFailure.dismissed`; `CancellationError`.
    func run(in browser: ChromiumProcess, program: String) async throws -> WebPresentationResult {
        watch(browser, program: program)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            let connection = browser.connection
            group.addTask { await self.open(on: connection) }
            group.addTask { await self.examineErrorPages(on: connection) }
            group.addTask { try await self.keepTime(on: connection, program: program) }
            let finishURL = try await ending.value()
            let cookies = try await cookies(of: browser)
            return WebPresentationResult(finishURL: finishURL, cookies: cookies, redirectURL: presentation.redirect?.url)
        }
    }

    // MARK: Events

    private func take(_ step: LoginProgress.Step, on connection: DevToolsConnection) {
        switch step {
        case .begin(let session): beginning.settle(.success(session))
        case .join(let session): connection.prepareLater(session, script: hooks.script)
        case .letThrough(let session, let interception): connection.letThrough(interception, in: session)
        case .post(let session, let interception, let headers):
            connection.letThrough(interception, in: session, posting: presentation.form?.body ?? "", headers: headers)
        case .answerDialog(let session, let accepts): connection.answerDialog(session, accepts: accepts)
        case .examine(let session, let document): errorPage.yield(ErrorPage(session: session, document: document))
        case .finish(let url): ending.settle(.success(url))
        case .dismiss: ending.settle(.failure(PresentationFailure.dismissed))
        case .fail(let error): ending.settle(.failure(error))
        }
    }

    /// Ends the login when the browser has ended.
    private func watch(_ browser: ChromiumProcess, program: String) {
        browser.whenEnded { status in
            let hasBegun = self.progress.withLock { $0.hasBegun }
            let error: any Error =
                switch (browser.connection.failure, hasBegun, status) {
                // The browser exited because the connection was ended with this error.
                case (let failure as ChromiumError, _, _): failure
                case (_, false, _): ChromiumError.endedAtStart(program: program, status: status)
                // The user closed the browser.
                case (_, true, 0): PresentationFailure.dismissed
                case (_, true, _): ChromiumError.browserEnded(status: status)
                }
            self.ending.settle(.failure(error))
            self.beginning.settle(.failure(error))
        }
    }

    // MARK: Pages

    /// Opens the login's page with the session's cookies, and then the URLs from another application.
    private func open(on connection: DevToolsConnection) async {
        do {
            connection.refuseDownloads()
            try await connection.attachToPages()
            let session = try await beginning.value()
            try await connection.prepare(session, script: hooks.script)
            let given = presentation.cookies.cookies
            try await connection.set(given.map { CookieParameter($0) })
            let taken = try await connection.cookies()
            exchange.withLock { $0 = CookieExchange(given: given, taken: taken) }
            async let opening: Void = openFirst(session, on: connection)
            await hooks.shown?(ChromiumPage(connection: connection, session: session))
            if let moves {
                for await url in moves { move(session, to: url, on: connection) }
            }
            try await opening
        } catch is DevToolsConnection.Closed {
            // `watch` reports the reason by the browser's exit status.
        } catch {
            ending.settle(.failure(error))
        }
    }

    private func openFirst(_ session: String, on connection: DevToolsConnection) async throws {
        // A navigation cannot post. Its request is paused, and then continued with the form.
        let navigation = try await connection.navigate(session, to: presentation.form?.url ?? presentation.url)
        let steps = progress.withLock {
            $0.steps(
                afterNavigatingIn: session, navigation.loaderId ?? "", isDownload: navigation.isDownload ?? false)
        }
        for step in steps { take(step, on: connection) }
    }

    private func move(_ session: String, to url: URL, on connection: DevToolsConnection) {
        if presentation.finish.accepts(url) {
            ending.settle(.success(url))
        } else {
            connection.navigateLater(session, to: url)
        }
    }

    /// Ends the login at an error page that neither navigates further nor asks for a password.
    private func examineErrorPages(on connection: DevToolsConnection) async {
        for await page in errorPages {
            try? await Task.sleep(for: limits.errorPageTime)
            // The command fails if the page no longer exists, and the page is then ignored.
            let asks = try? await connection.isTrue("!!document.querySelector('input[type=password]')", in: page.session)
            let steps = progress.withLock {
                $0.steps(afterExamining: page.session, page.document, asksForPassword: asks ?? true)
            }
            for step in steps { take(step, on: connection) }
        }
    }

    // MARK: The end

    /// Ends the login at its time limits.
    private func keepTime(on connection: DevToolsConnection, program: String) async throws {
        let start = min(limits.startTime, configuration.timeout)
        try await Task.sleep(for: start)
        if !progress.withLock({ $0.hasBegun }) { giveUp(.silentAtStart(program: program, after: start), on: connection) }
        try await Task.sleep(for: configuration.timeout - start)
        giveUp(.timedOut(configuration.timeout, origin: progress.withLock { $0.origin }), on: connection)
    }

    private func giveUp(_ error: ChromiumError, on connection: DevToolsConnection) {
        ending.settle(.failure(error))
        connection.giveUp(error)
    }

    private func cookies(of browser: ChromiumProcess) async throws -> CookieJar.Snapshot {
        do {
            let last = try await browser.connection.cookies()
            return exchange.withLock { $0 }?.snapshot(of: last) ?? presentation.cookies
        } catch is DevToolsConnection.Closed {
            throw ChromiumError.browserEnded(status: await browser.status())
        }
    }
}
#endif
