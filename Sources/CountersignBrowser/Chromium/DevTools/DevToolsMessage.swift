#if os(macOS) || os(Linux)
/// The common members of all DevTools messages, which distinguish responses from events and name the session.
struct DevToolsMessage: Decodable, Sendable {
    /// The identifier of the command; `nil` for an event.
    let id: Int?
    /// The name of the event; `nil` for a response.
    let method: String?
    /// The session of the page; `nil` for the browser.
    let sessionId: String?
    /// The error of a refused command.
    let error: Refusal?

    /// An error without its text, which may repeat the command's parameters.
    struct Refusal: Decodable, Sendable {}
}

/// A command of the DevTools protocol.
struct DevToolsCommand<Parameters: Encodable>: Encodable {
    let id: Int
    let method: String
    let params: Parameters
    let sessionId: String?
}

/// The response to a command.
struct DevToolsAnswer<Result: Decodable>: Decodable {
    let result: Result
}

/// Empty parameters, or an empty result.
struct DevToolsNothing: Codable, Sendable {}
#endif
