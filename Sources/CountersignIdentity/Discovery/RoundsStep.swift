public import Countersign

/// Asks the application what the server's last answer wants to know, sends that, and goes on until the server asks for no more.
public struct RoundsStep<Values: Sendable, Failure: AuthenticationError>: Sendable {
    /// What the values are sent with, where to, and what is taken out of the last answer.
    public let call: CallStep<Values, Failure>
    /// The member of the JSON object that has the values; `nil` in a form, where they stand beside what it has.
    public let values: String?
    /// How an answer says what it asks for.
    public let page: LoginPage
    /// The most rounds.
    public let limit: Int
    /// How long one answer of the application may take.
    public let within: Duration

    /// Makes a step.
    public init(
        _ call: CallStep<Values, Failure>, values: String? = nil, page: LoginPage, limit: Int = 10, within: Duration = .seconds(120)
    ) {
        self.call = call
        self.values = values
        self.page = page
        self.limit = limit
        self.within = within
    }
}
