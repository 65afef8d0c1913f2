#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import Logging

// The texts of generated errors. They quote only errors of the runtime, since those of others can contain a token or a page.
extension GeneratedCodeVersion3 {
    /// Returns the description of an error case for pages: the spec's text, unless the page was shown and refused the user's input.
    ///
    /// - Parameters:
    ///   - summary: The text in the spec, for a page that could not be shown.
    ///   - error: The associated error.
    @_spi(Generated)
    public static func errorDescription(_ summary: String, error: any Error) -> String {
        isRefusal(error) ? "The login was refused." : summary
    }

    /// Returns the recovery suggestion of an error case for pages: the spec's text, unless the page was shown and refused the
    /// user's input.
    ///
    /// - Parameters:
    ///   - recovery: The text in the spec, for a page that could not be shown.
    ///   - error: The associated error.
    @_spi(Generated)
    public static func recoverySuggestion(_ recovery: String?, error: any Error) -> String? {
        isRefusal(error) ? "Check what was entered, such as user name, password or passcode, then try again." : recovery
    }

    /// Returns the failure reason of an error case: the spec's text, followed by the details that may be shown.
    ///
    /// - Parameters:
    ///   - reason: The text in the spec; omitted if the associated error is a refusal, which is a different reason.
    ///   - detail: The associated `detail`.
    ///   - error: The associated error. Only the runtime's own errors are quoted, since others can contain a token or a page.
    ///   - url: The URL of the associated response, of which the origin is shown.
    ///   - status: The status of the associated response.
    @_spi(Generated)
    public static func failureReason(
        _ reason: String?, detail: String? = nil, error: (any Error)? = nil, url: URL? = nil, status: Int? = nil
    ) -> String? {
        let place = response(from: url.flatMap { Origin($0) }, status: status)
        let reason = error.map(isRefusal) == true ? nil : reason
        return sentences([reason, detail, error.flatMap(quotable), place])
    }

    /// Logs the error of an authentication that no caller awaits.
    ///
    /// - Parameters:
    ///   - error: The error, if there was one. Only the type is logged for errors of other modules.
    ///   - method: The method's name in its spec.
    ///   - logger: The logger, which generated code creates with the landscape's prefix.
    @_spi(Generated)
    public static func log(_ error: (any Error)?, of method: String, to logger: Logger) {
        guard let error else { return }
        logger.error(
            "an authentication failed",
            metadata: ["authentication": "\(method)", "reason": "\(quotable(error) ?? "\(type(of: error))")"])
    }

    /// Logs the error under the prefix of a landscape.
    @_spi(Generated)
    public static func log(_ error: (any Error)?, of method: String, under prefix: String) {
        log(error, of: method, to: Logger(label: prefix))
    }

    private static func isRefusal(_ error: any Error) -> Bool {
        if case PresentationFailure.refused = error { true } else { false }
    }

    /// Joins texts as sentences; `nil` if there are none.
    private static func sentences(_ texts: [String?]) -> String? {
        let texts = texts.compactMap { $0 }.filter { !$0.isEmpty }.map(\.asSentence)
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }

    /// Returns the description of an error of the runtime; `nil` for others, which can contain a token or a page.
    private static func quotable(_ error: any Error) -> String? {
        switch error {
        case let error as any SecretFreeError: error.description
        case let error as any PageFailure:
            sentences([error.explanation, response(from: error.origin, status: error.status)])
        case let error as OAuth2ServerError: [error.errorDescription, error.failureReason].compactMap { $0 }.joined(separator: " ")
        case let failure as PresentationFailure:
            switch failure {
            case .dismissed: "The page was closed."
            case .load(let error): quotable(error) ?? "A page could not be loaded."
            case .refused(let error): quotable(error) ?? "The page did not accept what was entered."
            case .reloaded: "The page was reloaded."
            case .background: "The application was in the background."
            }
        default: nil
        }
    }

    /// Returns a sentence with the origin and the status of a response; `nil` if neither is known.
    private static func response(from origin: Origin?, status: Int?) -> String? {
        switch (origin, status) {
        case (let origin?, let status?): "\(origin) answered with status \(status)."
        case (let origin?, nil): "The page was at \(origin)."
        case (nil, let status?): "The server answered with status \(status)."
        case (nil, nil): nil
        }
    }
}

extension String {
    /// The text as a sentence: with an initial capital letter, unless it begins with a name or an address, and with a final full
    /// stop.
    fileprivate var asSentence: String {
        let firstWord = prefix { $0 != " " }
        let isWord = !firstWord.isEmpty && firstWord.allSatisfy { $0.isLowercase }
        let begun = isWord ? prefix(1).uppercased() + dropFirst() : self
        guard let last, !".!?]".contains(last) else { return begun }
        return begun + "."
    }
}
