/// An operation of a landscape outside of any challenge, such as a logout, in one of its versions and filled in for a server.
///
/// Generated from a spec and executed by ``Session/perform(_:)``.
public struct LandscapeOperation: Sendable, Hashable {
    /// The name in the spec, such as `logout`.
    public let name: String
    /// The name of the version in the spec, such as `v1`.
    public let version: String
    /// A one-sentence summary.
    public let summary: String
    /// The variables of the steps.
    public let slots: [ProgramSlot]
    /// The values of the first slots: settings and parameters.
    public let values: [ProgramValue]
    /// The slots of the operation's results; empty if it has none.
    public let results: [Int]
    /// The documents of servers that the steps use.
    public let documents: [ProgramDocument]
    /// The steps.
    public let steps: [ProgramStep]
    /// The effect of the operation on the local session.
    public let ends: End

    /// The effect of an operation on the local session, even if the server could not be reached.
    public enum End: String, Sendable, Hashable, CaseIterable {
        /// Nothing is ended.
        case nothing
        /// Cookies, tokens and running authentications are dropped.
        case userSession = "user-session"
    }

    /// Creates an operation.
    public init(
        name: String, version: String, summary: String, slots: [ProgramSlot] = [], values: [ProgramValue] = [],
        results: [Int] = [], documents: [ProgramDocument] = [], steps: [ProgramStep], ends: End = .nothing
    ) {
        self.name = name
        self.version = version
        self.summary = summary
        self.slots = slots
        self.values = values
        self.results = results
        self.documents = documents
        self.steps = steps
        self.ends = ends
    }

    /// The servers of the requests, as far as their URLs are known before the operation runs.
    var origins: Set<Origin> { Set(steps.flatMap(\.calls).compactMap { $0.url.url(allValues).flatMap { Origin($0) } }) }

    /// Returns the operation in the form that the runtime executes.
    ///
    /// - Parameters:
    ///   - tools: The tools of the steps.
    ///   - publications: The documents and keys that operations have fetched from servers.
    func prepared(with tools: ProgramTools, _ publications: Publications) -> PreparedProgram {
        PreparedProgram(
            MethodProgram(
                name: name, summary: summary, slots: slots, challenges: [], credential: CredentialShape(destinations: []),
                documents: documents, acquire: steps),
            values: allValues, isOperation: true, tools: tools, publications: publications
        ) { _, _, _ in nil }
    }

    private var allValues: [ProgramValue] { values + slots.dropFirst(values.count).map { _ in .absent } }
}
