#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Shows a page that the user opens, perhaps on another device, and the code that is entered there if there is one (RFC 8628).
struct UserCodeRun {
    let page: LoginPage
    let method: PreparedProgram
    let session: Session
    /// All values by slot.
    let values: [ProgramValue]

    /// Returns a function that shows the page and its code until the task is cancelled.
    ///
    /// - Throws: ``CountersignError``. The returned function throws the method's errors, ``CountersignError`` and
    ///   `CancellationError`.
    func display() throws -> @Sendable () async throws -> Void {
        let place = try url(page.url)
        guard let code = page.code, let text = self.text(of: code) else {
            throw CountersignError(
                .unexpectedAnswer,
                detail:
                    "the server's user code has more than \(Self.maximumLength) characters, or control or format characters",
                origin: Origin(place))
        }
        guard let presenter else {
            throw CountersignError(
                .noPresenter,
                detail:
                    "there is no presenter to show a code; set SessionConfiguration.userCodePresenter, or a presenter that can show codes, such as TerminalPresenter"
            )
        }
        let limit = session.configuration.interactiveTimeout
        let presentation = UserCodePresentation(
            authenticationMethod: method.program.name, userCode: text, verificationURL: place,
            completeURL: try code.complete.flatMap { $0.text(values) == nil ? nil : try url($0) },
            lifetime: min(code.lifetime?.duration(values) ?? limit, limit))
        return { [page, method] in
            try FlightScope.requireWanted()
            do {
                try await presenter.present(presentation)
            } catch let error where error is any AuthenticationError || error is CountersignError || error is CancellationError {
                throw error
            } catch {
                let failure = error as? PresentationFailure ?? .load(error)
                if case .dismissed = failure { FlightScope.noteDismissal() }
                throw method.error(of: failure, on: page, at: Origin(place))
            }
        }
    }

    /// Returns the code to show, which is empty if the page needs none; `nil` if it is absent or cannot be shown.
    private func text(of code: LoginPage.Code) -> String? {
        guard let template = code.text else { return "" }
        guard let text = template.text(values), text.count <= Self.maximumLength,
            !text.unicodeScalars.contains(where: \.isObeyed)
        else { return nil }
        return text
    }

    /// The maximum length of a code. Codes that users type have 8 to 10 characters (RFC 8628, section 6.1).
    private static let maximumLength = 64

    private var presenter: (any UserCodePresenter)? {
        let own = method.presenter() as? any UserCodePresenter
        let named = own ?? session.configuration.userCodePresenter ?? FlightScope.userCodePresenter
        return named ?? (session.configuration.presenter ?? FlightScope.presenter) as? any UserCodePresenter
    }

    private func url(_ template: ProgramTemplate) throws -> URL {
        try method.address(template.url(values), calledAs: method.spelling(of: template))
    }
}

extension Unicode.Scalar {
    /// Whether a display may interpret the character instead of showing it.
    fileprivate var isObeyed: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
