/// A code sample of a seed, and where it is printed.
struct SeedSample: Sendable {
    /// What is printed in a line, and what has to stand there instead, because a declaration says so or the sample contradicts itself.
    struct Change: Sendable {
        let printed: String
        /// More than one line, or none.
        let written: String

        init(_ printed: String, _ written: String) {
            self.printed = printed
            self.written = written
        }
    }

    /// The seed and a name: `S0-SAML-1`.
    let id: String
    /// The heading in the seed, or what the sample is about.
    let heading: String
    /// The first line as it is printed.
    let first: String
    /// Which one of the seed's lines that read so it is, from 1.
    let occurrence: Int
    /// How many lines are printed, empty ones not counted.
    let lines: Int
    let changes: [Change]

    var seed: String { String(id.prefix { $0 != "-" }) }

    init(
        _ id: String, _ heading: String, first: String, occurrence: Int = 1, lines: Int, changes: [Change] = []
    ) {
        self.id = id
        self.heading = heading
        self.first = first
        self.occurrence = occurrence
        self.lines = lines
        self.changes = changes
    }
}
