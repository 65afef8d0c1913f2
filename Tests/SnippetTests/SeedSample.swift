/// A code sample of a seed, and its position.
struct SeedSample: Sendable {
    /// A printed line, and its correction, because a declaration requires it or the sample contradicts itself.
    struct Change: Sendable {
        let printed: String
        /// The correction, which may have several lines or none.
        let written: String

        init(_ printed: String, _ written: String) {
            self.printed = printed
            self.written = written
        }
    }

    /// The name of the seed, and that of the sample: `S0-SAML-1`.
    let id: String
    /// The heading in the seed, or the subject of the sample.
    let heading: String
    /// The first line as it is printed.
    let first: String
    /// The number of the occurrence among the seed's lines with this text, from 1.
    let occurrence: Int
    /// The number of printed lines, without empty ones.
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
