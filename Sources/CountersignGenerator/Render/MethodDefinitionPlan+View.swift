extension MethodDefinitionPlan {
    /// The type that the runtime executes.
    var view: View {
        View(
            "method",
            [
                "definitionDocumentation": .comment(documentation.comment),
                "definitionType": .text(type),
                "members": .views(
                    members.map { View("member", ["name": .text($0.name), "type": .expression($0.type)]) }),
                "values": .views(
                    values.map {
                        View(
                            "value",
                            [
                                "slot": .expression(.number($0.slot)),
                                "value": .expression($0.value, indentation: 8, after: 8 + "\($0.slot)".count),
                            ])
                    }),
                "program": .expression(program, indentation: 4, after: 25),
                "mock": .expression(mock, indentation: 4, after: 22),
                "hasErrors": .flag(!errors.isEmpty),
                "errors": .views(
                    errors.map {
                        View("error", ["number": .expression(.number($0.number)), "value": .expression($0.value)])
                    }),
            ])
    }
}
