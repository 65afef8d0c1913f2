extension DiscoveryPlan {
    /// The class.
    var view: View {
        View(
            "discovery",
            [
                "name": .text(name),
                "flowType": .text(definition.type),
                "parameters": .text(parameters),
                "failure": .text(failure),
                "session": .text(session),
                "label": .text(label),
                "sessionLabel": .text(sessionLabel),
                "hasBearer": .flag(bearer != nil),
                "bearer": .expression(bearer.map { .text($0.name) } ?? ""),
                "bearerSlot": .expression(.number(bearer?.slot ?? 0)),
                "asks": .flag(asks),
                "pinned": .flag(pinned),
                "retires": .flag(retires),
                "documentation": .comment(documentation.comment),
            ])
    }
}
