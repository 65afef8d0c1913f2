/// The groups of methods that one response may challenge intentionally, as a landscape names them under `overlaps`.
struct IntendedOverlaps {
    private let groups: [Set<String>]

    init(of documents: LandscapeDocuments) {
        let items = documents.landscape?["overlaps"]?.items ?? []
        groups = items.map { Set($0.items.compactMap { $0.text?.value }) }
    }

    /// Whether two methods are in the same group.
    func contains(_ first: String, _ second: String) -> Bool {
        groups.contains { $0.contains(first) && $0.contains(second) }
    }

    /// Reports names that are not those of methods. An inherited group may name a method that the landscape omits.
    static func check(_ documents: LandscapeDocuments, into diagnostics: inout DiagnosticCollector) {
        let names = documents.methods.compactMap { $0.root["method"]?.text?.value }
        let known = Set(names)
        for group in documents.landscape?["overlaps"]?.items ?? [] {
            for item in group.items {
                guard let name = item.text, !known.contains(name.value), !documents.provenance.isInherited(name.location) else {
                    continue
                }
                diagnostics.report(
                    .unknownReference, "there is no method '\(name.value)'", at: item.span, meaning: name.value, among: names)
            }
            if group.items.count == 1, let item = group.items.first {
                diagnostics.report(
                    .invalidValue, "a group needs at least two methods; add another one, or remove the group", at: item.span)
            }
        }
    }
}
