#if os(macOS) || os(Linux)
/// What every message of the DevTools protocol says: whether it answers a command or tells of an event, and of which session.
struct DevToolsMessage: Decodable, Sendable {
    /// The command that it answers.
    let id: Int?
    /// The event's name.
    let method: String?
    /// The page that it is about; `nil` for the browser.
    let sessionId: String?
    /// Why the command was refused.
    let error: Refusal?

    /// Its text may hold what the command did, so it is not read.
    struct Refusal: Decodable, Sendable {}
}

/// A command of the DevTools protocol.
struct DevToolsCommand<Parameters: Encodable>: Encodable {
    let id: Int
    let method: String
    let params: Parameters
    let sessionId: String?
}

/// The answer to a command.
struct DevToolsAnswer<Result: Decodable>: Decodable {
    let result: Result
}

/// Neither parameters nor a result.
struct DevToolsNothing: Codable, Sendable {}
#endif
