#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import Logging
import Synchronization

/// Functions for generated code only; not for direct use.
///
/// The name is the version of the interface between generator and runtime. Every generated file refers to it, so code of another
/// version fails to compile and names the missing version. A change that breaks generated code renames this type.
public enum GeneratedCodeVersion3 {
    /// Returns a URL that is a literal in a spec.
    ///
    /// It is not part of the `Generated` interface because default arguments of initialisers use it.
    public static func url(_ text: StaticString) -> URL {
        guard let url = URL(string: String(describing: text)) else {
            // The generator has made the same call with the same text, and rejects a text that is not a URL.
            preconditionFailure("The generated text '\(text)' is not a URL")
        }
        return url
    }

    /// Returns a value of a closed set as a value of another one, which has all values of the first.
    @_spi(Generated)
    public static func choice<Given: RawRepresentable<String>, Choice: RawRepresentable<String>>(_ given: Given) -> Choice {
        guard let choice = Choice(rawValue: given.rawValue) else {
            // The reader of the specs rejects a value that the other set lacks.
            preconditionFailure("The value '\(given.rawValue)' of a generated type is not one of '\(Choice.self)'")
        }
        return choice
    }

    /// Returns parameters that are filled with the examples of a spec.
    @_spi(Generated)
    public static func example<Value>(_ value: () throws -> Value) -> Value {
        do {
            return try value()
        } catch {
            // An initialiser throws for an empty text, which the generator never writes.
            preconditionFailure("An example of the spec cannot be used: \(error)")
        }
    }

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
        let place = answer(from: url.flatMap { Origin($0) }, status: status)
        let reason = error.map(isRefusal) == true ? nil : reason
        return sentences([reason, detail, error.flatMap(text), place])
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
            metadata: ["authentication": "\(method)", "reason": "\(text(of: error) ?? "\(type(of: error))")"])
    }

    /// Logs the error under the prefix of a landscape.
    @_spi(Generated)
    public static func log(_ error: (any Error)?, of method: String, under prefix: String) {
        log(error, of: method, to: Logger(label: prefix))
    }

    /// Waits until an application's own authentication calls its completion handler. Only the first call counts.
    ///
    /// - Parameters:
    ///   - start: Starts the authentication.
    ///   - cancel: Cancels it; called when the waiting task is cancelled.
    /// - Throws: The error that the completion handler receives; `CancellationError`; ``CountersignError`` if the handler is
    ///   released without being called.
    @_spi(Generated)
    public static func completion(
        of start: @Sendable (@escaping @Sendable ((any Error)?) -> Void) -> Void, cancel: @escaping @Sendable () -> Void
    ) async throws {
        try await result(
            of: { complete in start { error in complete(error.map { .failure($0) } ?? .success(())) } }, cancel: cancel)
    }

    /// Waits for an authentication whose completion handler receives a token.
    @_spi(Generated)
    public static func token(
        of start: @Sendable (@escaping @Sendable (OAuth2Token?, (any Error)?) -> Void) -> Void,
        cancel: @escaping @Sendable () -> Void
    ) async throws -> OAuth2Token {
        try await result(
            of: { complete in
                start { token, error in
                    if let token, error == nil { return complete(.success(token)) }
                    complete(
                        .failure(
                            error
                                ?? CountersignError(
                                    .refusedByObserver,
                                    detail: "the application's authentication ended with neither a token nor an error")))
                }
            }, cancel: cancel)
    }

    /// Waits for an answer of the application of any type.
    package static func answer<Value: Sendable>(
        _ start: @Sendable (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
    ) async throws -> Value {
        try await result(of: start, cancel: {})
    }

    private static func result<Value: Sendable>(
        of start: @Sendable (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void,
        cancel: @escaping @Sendable () -> Void
    ) async throws -> Value {
        let pending = PendingCompletion<Value>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard pending.wait(with: continuation) else { return }
                let handler = CompletionHandler(pending)
                start { handler.complete($0) }
            }
        } onCancel: {
            cancel()
            // The application may call late or never, and no caller waits for it any more.
            pending.complete(.failure(CancellationError()))
        }
    }

    /// Returns scopes as sent in requests (RFC 6749, section 3.3), in a stable order; `nil` if there are none.
    @_spi(Generated)
    public static func text(of scopes: Set<String>) -> String? {
        scopes.isEmpty ? nil : scopes.sorted().joined(separator: " ")
    }

    /// Returns a list of texts joined by commas; `nil` if the list is empty.
    @_spi(Generated)
    public static func text(of texts: [String]) -> String? {
        texts.isEmpty ? nil : texts.joined(separator: ",")
    }

    /// Returns the printable parts of a failed token response; `nil` if there was no response, or if the failure has another cause.
    @_spi(Generated)
    public static func outline(of failure: any Error) -> ResponseOutline? {
        switch failure as? RequestFailure {
        case .status(let outline), .unreadable(let outline, _): outline
        case .network, .noResponse, .server, nil: nil
        }
    }

    private static func isRefusal(_ error: any Error) -> Bool {
        if case PresentationFailure.refused = error { true } else { false }
    }

    /// Joins texts as sentences; `nil` if there are none.
    private static func sentences(_ texts: [String?]) -> String? {
        let texts = texts.compactMap { $0 }.filter { !$0.isEmpty }.map(\.asSentence)
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }

    private static func text(of error: any Error) -> String? {
        switch error {
        case let error as any SecretFreeError: error.description
        case let error as any PageFailure:
            sentences([error.explanation, answer(from: error.origin, status: error.status)])
        case let error as OAuth2ServerError: [error.errorDescription, error.failureReason].compactMap { $0 }.joined(separator: " ")
        case let failure as PresentationFailure:
            switch failure {
            case .dismissed: "The page was closed."
            case .load(let error): text(of: error) ?? "A page could not be loaded."
            case .refused(let error): text(of: error) ?? "The page did not accept what was entered."
            case .reloaded: "The page was reloaded."
            case .background: "The application was in the background."
            }
        default: nil
        }
    }

    /// Returns a sentence with the origin and the status of a response; `nil` if neither is known.
    private static func answer(from origin: Origin?, status: Int?) -> String? {
        switch (origin, status) {
        case (let origin?, let status?): "\(origin) answered with status \(status)."
        case (let origin?, nil): "The page was at \(origin)."
        case (nil, let status?): "The server answered with status \(status)."
        case (nil, nil): nil
        }
    }
}

/// A continuation that is resumed once, with the first result.
private final class PendingCompletion<Value: Sendable>: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Value, any Error>)
        case done(Result<Value, any Error>)
    }

    private let state = Mutex(State.idle)

    /// - Returns: `false` if there already was a result, with which the continuation was resumed.
    func wait(with continuation: CheckedContinuation<Value, any Error>) -> Bool {
        let result: State = state.withLock { state in
            if case .idle = state { state = .waiting(continuation) }
            return state
        }
        guard case .done(let result) = result else { return true }
        continuation.resume(with: result)
        return false
    }

    func complete(_ result: Result<Value, any Error>) {
        let before = state.withLock { state in
            defer { if case .done = state {} else { state = .done(result) } }
            return state
        }
        if case .waiting(let continuation) = before { continuation.resume(with: result) }
    }
}

/// The completion handler that an application retains. If it is released without a call, the wait ends with an error.
private final class CompletionHandler<Value: Sendable>: Sendable {
    private let pending: PendingCompletion<Value>

    init(_ pending: PendingCompletion<Value>) {
        self.pending = pending
    }

    deinit {
        pending.complete(
            .failure(
                CountersignError(
                    .refusedByObserver, detail: "the application's authentication ended without calling its completion handler")))
    }

    func complete(_ result: Result<Value, any Error>) { pending.complete(result) }
}

@_spi(Generated)
extension ConfigurationValues {
    /// Returns a required value of the configuration, or its default.
    public func required<Value>(_ value: Value?, key: String) throws(ConfigurationError) -> Value {
        guard let value else { throw .missingKey(key, source: source) }
        return value
    }

    /// Returns a required value that the landscape's settings could provide. If it is missing because the settings are invalid,
    /// their error is the reason.
    public func required<Value, Settings>(_ value: Value?, key: String, or settings: Result<Settings, any Error>) throws -> Value {
        if let value { return value }
        _ = try settings.get()
        return try required(value, key: key)
    }

    /// Returns a required text of the configuration or of the landscape's settings in it. If it is missing because the settings are
    /// invalid, their error is the reason.
    public func requiredString<Derived>(
        _ keys: [String], or derived: Result<Derived, any Error>, _ field: KeyPath<Derived, String>
    ) throws -> String {
        try text(keys) ?? derived.get()[keyPath: field]
    }

    /// Returns a required URL of the configuration or of the landscape's settings in it. If it is missing because the settings are
    /// invalid, their error is the reason.
    public func requiredURL<Derived>(
        _ keys: [String], or derived: Result<Derived, any Error>, _ field: KeyPath<Derived, URL>
    ) throws -> URL {
        try url(keys) ?? derived.get()[keyPath: field]
    }

    /// Returns a required value that the landscape's settings provide. If it is missing because the settings are invalid, their
    /// error is thrown.
    public func derived<Value, Settings>(_ value: Value?, field: String, or settings: Result<Settings, any Error>) throws -> Value {
        if let value { return value }
        _ = try settings.get()
        return try derived(value, field: field)
    }

    /// Returns a required value that no key of the configuration provides.
    public func derived<Value>(_ value: Value?, field: String) throws(ConfigurationError) -> Value {
        guard let value else { throw .invalidStructure(detail: "there is no value for '\(field)'", source: source) }
        return value
    }

    /// Returns the name of a header field (RFC 9110, section 5.1).
    public func header(_ keys: [String]) throws(ConfigurationError) -> String? {
        try value(keys, "the name of a header field") { text in
            let isToken = text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
            return isToken && !text.isEmpty ? text : nil
        }
    }

    /// Returns `true` or `false`.
    public func boolean(_ keys: [String]) throws(ConfigurationError) -> Bool? {
        try value(keys, "true or false") { Bool($0) }
    }

    /// Returns a value of a closed set.
    public func choice<Choice: RawRepresentable & CaseIterable>(
        _ keys: [String], of type: Choice.Type
    ) throws(ConfigurationError) -> Choice? where Choice.RawValue == String {
        let values = type.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return try value(keys, "one of \(values)") { Choice(rawValue: $0) }
    }

    /// Returns names separated by white space or commas.
    public func scopes(_ keys: [String]) throws(ConfigurationError) -> Set<String>? {
        try value(keys, "a list of scopes", asList: true) { text in
            Set(text.split { $0.isWhitespace || $0 == "," }.map(String.init))
        }
    }

    /// Returns texts separated by commas; an empty list for an empty text.
    public func texts(_ keys: [String]) throws(ConfigurationError) -> [String]? {
        try value(keys, "a list of strings", asList: true) { text in
            // Spaces around a comma are allowed for readability.
            let texts = text.split(separator: ",").map { piece in
                String(piece.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
            }.filter { !$0.isEmpty }
            return texts.isEmpty && !text.isEmpty ? nil : texts
        }
    }

    private func value<Value>(
        _ keys: [String], _ shape: String, asList isList: Bool = false, _ read: (String) -> Value?
    ) throws(ConfigurationError) -> Value? {
        guard let (key, text) = try found(keys, asList: isList) else { return nil }
        guard let value = read(text) else {
            throw .invalidStructure(detail: "'\(key)' is not \(shape)", source: source)
        }
        return value
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
