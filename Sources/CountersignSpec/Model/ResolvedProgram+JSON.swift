// JSON with inserted values, in the bodies of requests and the results of functions.

extension ResolvedProgram {
    /// A JSON value with inserted values. A text whose value is absent is omitted.
    package indirect enum JSON: Sendable, Hashable {
        case text(Template)
        /// A JSON value that a step has computed.
        case value(Int)
        case number(String)
        case flag(Bool)
        case null
        case list([JSON])
        case object([Member])

        package struct Member: Sendable, Hashable {
            package var name: Template
            package var value: JSON
        }
    }
}

extension ResolvedProgram.JSON {
    /// The templates in the JSON.
    var templates: [ResolvedProgram.Template] {
        switch self {
        case .text(let template): [template]
        case .value(let slot): [ResolvedProgram.Template(pieces: [.slot(slot)])]
        case .number, .flag, .null: []
        case .list(let items): items.flatMap(\.templates)
        case .object(let members): members.flatMap { [$0.name] + $0.value.templates }
        }
    }
}
