extension DiscoveryPlan {
    /// The steps and the class.
    var view: View {
        View(
            "discovery",
            [
                "name": .text(name),
                "flowType": .text(flowType),
                "parameters": .text(parameters),
                "failure": .text(failure),
                "session": .text(session),
                "label": .text(label),
                "sessionLabel": .text(sessionLabel),
                "hasBearer": .flag(bearer != nil),
                "bearer": .expression(bearer.map { .text($0) } ?? ""),
                "asks": .flag(asks),
                "pinned": .flag(pinned),
                "retires": .flag(retires),
                "documentation": .comment(documentation.comment),
                "flowDocumentation": .comment(flowDocumentation.comment),
                "valuesDocumentation": .comment(valuesDocumentation.comment),
                "hasCaptures": .flag(!captures.isEmpty),
                "captures": .views(captures.map { View("capture", ["name": .text($0)]) }),
                "definition": .expression(definition, indentation: 4, after: 24),
                "obtain": .expression(obtain, indentation: 4, after: 50),
                "retire": .expression(retire, indentation: 4, after: 50),
            ])
    }
}
