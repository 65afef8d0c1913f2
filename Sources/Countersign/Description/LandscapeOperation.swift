/// A call of a landscape outside of any challenge, in one of its versions, filled in for a server: a logout, for instance.
///
/// Generated from a spec; ``Session/perform(_:)`` does it.
public struct LandscapeOperation: Sendable, Hashable {
    /// The name in the spec, such as `logout`.
    public let name: String
    /// The version's name in the spec, such as `v1`.
    public let version: String
    /// One sentence.
    public let summary: String
    /// What the steps know by name.
    public let slots: [ProgramSlot]
    /// The values of the first slots: settings and parameters.
    public let values: [ProgramValue]
    /// The slots of what the steps find out for the application; empty for nothing.
    public let results: [Int]
    /// What servers publish, for the steps.
    public let documents: [ProgramDocument]
    /// What is done.
    public let steps: [ProgramStep]
    /// What ends here once it was asked for.
    public let ends: End

    /// What ends on this side, also if the server could not be reached.
    public enum End: String, Sendable, Hashable, CaseIterable {
        /// Nothing.
        case nothing
        /// Cookies, tokens and running authentications.
        case userSession = "user-session"
    }

    /// Makes an operation.
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

    /// The servers of its requests, as far as their addresses are known before it is done.
    var origins: Set<Origin> { Set(steps.flatMap(\.calls).compactMap { $0.url.url(allValues).flatMap { Origin($0) } }) }

    /// The operation as it is run.
    ///
    /// - Parameters:
    ///   - tools: What its steps need.
    ///   - publications: What servers have published, and operations have fetched.
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
