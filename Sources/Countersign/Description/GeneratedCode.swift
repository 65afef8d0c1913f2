#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import Logging
import Synchronization

/// What generated code uses beyond the runtime's documented interface; not for direct use.
///
/// The name is the handshake between generator and runtime: every generated file names it, so that code of another version does not
/// compile and says which version is missing. A change that breaks generated code renames it.
public enum GeneratedCodeVersion3 {
    /// A URL that a spec has as literal text.
    ///
    /// Not part of the `Generated` interface, because default arguments of public initialisers use it.
    public static func url(_ text: StaticString) -> URL {
        guard let url = URL(string: String(describing: text)) else {
            // The generator has made the same call with the same text and accepts only what it can read.
            preconditionFailure("The generated text '\(text)' is not a URL")
        }
        return url
    }

    /// Parameters that are made of a spec's examples.
    @_spi(Generated)
    public static func example<Value>(_ value: () throws -> Value) -> Value {
        do {
            return try value()
        } catch {
            // An initialiser throws for an empty text; the generator writes none.
            preconditionFailure("An example of the spec cannot be used: \(error)")
        }
    }

    /// The summary of an error case for pages: the spec's text, unless the page was shown and refused what was entered.
    ///
    /// - Parameters:
    ///   - summary: The text in the spec, for a page that could not be shown.
    ///   - error: The carried error.
    @_spi(Generated)
    public static func errorDescription(_ summary: String, error: any Error) -> String {
        isRefusal(error) ? "The login was refused." : summary
    }

    /// The recovery suggestion of an error case for pages, in the same way.
    ///
    /// - Parameters:
    ///   - recovery: The text in the spec, for a page that could not be shown.
    ///   - error: The carried error.
    @_spi(Generated)
    public static func recoverySuggestion(_ recovery: String?, error: any Error) -> String? {
        isRefusal(error) ? "Check what was entered, such as user name, password or passcode, then try again." : recovery
    }

    /// The failure reason of an error case: the spec's text, then what the carried values may say.
    ///
    /// - Parameters:
    ///   - reason: The text in the spec; left out where the carried error is a refusal, which is another reason.
    ///   - detail: The carried `detail`.
    ///   - error: The carried error. Errors of others can hold a token or a page, so only the runtime's own speak for themselves.
    ///   - url: Where the carried response came from; its origin is shown.
    ///   - status: The carried response's status.
    @_spi(Generated)
    public static func failureReason(
        _ reason: String?, detail: String? = nil, error: (any Error)? = nil, url: URL? = nil, status: Int? = nil
    ) -> String? {
        let place = answer(from: url.flatMap { Origin($0) }, status: status)
        let reason = error.map(isRefusal) == true ? nil : reason
        return sentences([reason, detail, error.flatMap(text), place])
    }

    /// Logs the error of an authentication that no caller waits for.
    ///
    /// - Parameters:
    ///   - error: The error, if there was one. Of errors that are not the runtime's own only the type is logged.
    ///   - method: The method's name in its spec.
    ///   - logger: Where to; generated code makes it of the landscape's prefix.
    @_spi(Generated)
    public static func log(_ error: (any Error)?, of method: String, to logger: Logger) {
        guard let error else { return }
        logger.error(
            "an authentication failed",
            metadata: ["authentication": "\(method)", "reason": "\(text(of: error) ?? "\(type(of: error))")"])
    }

    /// The same under the prefix of a landscape.
    @_spi(Generated)
    public static func log(_ error: (any Error)?, of method: String, under prefix: String) {
        log(error, of: method, to: Logger(label: prefix))
    }

    /// Waits for an application's own authentication to call its completion handler: the first call counts.
    ///
    /// - Parameters:
    ///   - start: Starts the authentication.
    ///   - cancel: Ends it; called when the waiting task is cancelled.
    /// - Throws: what the completion handler is called with; `CancellationError`; ``CountersignError`` if the handler goes without having
    ///   been called.
    @_spi(Generated)
    public static func completion(
        of start: @Sendable (@escaping @Sendable ((any Error)?) -> Void) -> Void, cancel: @escaping @Sendable () -> Void
    ) async throws {
        try await result(
            of: { complete in start { error in complete(error.map { .failure($0) } ?? .success(())) } }, cancel: cancel)
    }

    /// The same for an authentication whose completion handler gets a token.
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

    /// The same for an application's answer of any kind.
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
            // The application may take its time, or never call: no caller waits for it any more.
            pending.complete(.failure(CancellationError()))
        }
    }

    /// Scopes as requests carry them (RFC 6749, section 3.3), in an order of their own; `nil` if there are none.
    @_spi(Generated)
    public static func text(of scopes: Set<String>) -> String? {
        scopes.isEmpty ? nil : scopes.sorted().joined(separator: " ")
    }

    /// A list of texts where one text is sent, with commas between them; `nil` if there are none.
    @_spi(Generated)
    public static func text(of texts: [String]) -> String? {
        texts.isEmpty ? nil : texts.joined(separator: ",")
    }

    /// What may be shown of the answer that a token request has failed by; `nil` if there was none, or it was something else that failed.
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

    /// Texts behind each other; `nil` if there are none.
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
            case .reloaded: "The page was loaded anew."
            case .background: "The application was in the background."
            }
        default: nil
        }
    }

    /// Which origin answered, and with which status; `nil` if neither is known.
    private static func answer(from origin: Origin?, status: Int?) -> String? {
        switch (origin, status) {
        case (let origin?, let status?): "\(origin) answered with status \(status)."
        case (let origin?, nil): "The page was one of \(origin)."
        case (nil, let status?): "The server answered with status \(status)."
        case (nil, nil): nil
        }
    }
}

/// A continuation that is resumed once, by whatever comes first.
private final class PendingCompletion<Value: Sendable>: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Value, any Error>)
        case done(Result<Value, any Error>)
    }

    private let state = Mutex(State.idle)

    /// - Returns: `false` if it is complete already, and the continuation resumed.
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

/// What an application holds: when it lets go without a call, the wait ends, too.
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
    /// A value that has to be there, from the file or from what stands in for it.
    public func required<Value>(_ value: Value?, key: String) throws(ConfigurationError) -> Value {
        guard let value else { throw .missingKey(key, source: source) }
        return value
    }

    /// The same for a value that the landscape's settings could give: what is wrong with them is the reason that it is missing.
    public func required<Value, Settings>(_ value: Value?, key: String, or settings: Result<Settings, any Error>) throws -> Value {
        if let value { return value }
        _ = try settings.get()
        return try required(value, key: key)
    }

    /// A text that has to be there, from the file or from the landscape's settings in it; what is wrong with these is the reason that it is
    /// missing.
    public func requiredString<Derived>(
        _ keys: [String], or derived: Result<Derived, any Error>, _ field: KeyPath<Derived, String>
    ) throws -> String {
        try text(keys) ?? derived.get()[keyPath: field]
    }

    /// The same for a URL.
    public func requiredURL<Derived>(
        _ keys: [String], or derived: Result<Derived, any Error>, _ field: KeyPath<Derived, URL>
    ) throws -> URL {
        try url(keys) ?? derived.get()[keyPath: field]
    }

    /// The same for a value that the landscape's settings could give: what is wrong with them is the reason that it is missing.
    public func derived<Value, Settings>(_ value: Value?, field: String, or settings: Result<Settings, any Error>) throws -> Value {
        if let value { return value }
        _ = try settings.get()
        return try derived(value, field: field)
    }

    /// A value that has to be there although no key of the file gives it.
    public func derived<Value>(_ value: Value?, field: String) throws(ConfigurationError) -> Value {
        guard let value else { throw .invalidStructure(detail: "nothing gives '\(field)'", source: source) }
        return value
    }

    /// The name of a header field (RFC 9110, section 5.1).
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

    /// `true` or `false`.
    public func boolean(_ keys: [String]) throws(ConfigurationError) -> Bool? {
        try value(keys, "true or false") { Bool($0) }
    }

    /// Names between white space or commas.
    public func scopes(_ keys: [String]) throws(ConfigurationError) -> Set<String>? {
        try value(keys, "a list of scopes", asList: true) { text in
            Set(text.split { $0.isWhitespace || $0 == "," }.map(String.init))
        }
    }

    /// Texts between commas; none for an empty text.
    public func texts(_ keys: [String]) throws(ConfigurationError) -> [String]? {
        try value(keys, "a list of texts", asList: true) { text in
            // Spaces around a comma are for people.
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
    /// A text as it stands between others: it begins with a capital letter, unless it begins with a name or an address, and it ends.
    fileprivate var asSentence: String {
        let firstWord = prefix { $0 != " " }
        let isWord = !firstWord.isEmpty && firstWord.allSatisfy { $0.isLowercase }
        let begun = isWord ? prefix(1).uppercased() + dropFirst() : self
        guard let last, !".!?]".contains(last) else { return begun }
        return begun + "."
    }
}
