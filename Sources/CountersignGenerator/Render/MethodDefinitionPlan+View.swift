extension MethodDefinitionPlan {
    /// The type that the runtime executes.
    var view: View {
        View(
            "method",
            [
                "definitionDocumentation": .comment(documentation.comment),
                "definitionType": .text(type),
                "hasMembers": .flag(!members.isEmpty),
                "members": .views(
                    members.map { View("member", ["name": .text($0.name), "type": .expression($0.type)]) }),
                "values": .views(values.map { $0.view() }),
                "program": .expression(program, indentation: 4, after: 25),
                "hasMock": .flag(mock != nil),
                "mock": .expression(mock ?? "", indentation: 4, after: 22),
                "hasErrors": .flag(!errors.isEmpty),
                "errors": .views(
                    errors.map {
                        View(
                            "error",
                            [
                                "number": .expression(.number($0.number)),
                                "value": .expression($0.value, indentation: 8, after: 8 + "\($0.number)".count),
                            ])
                    }),
            ])
    }
}

extension MethodDefinitionPlan.SlotValue {
    /// A case of a `switch` over slots.
    func view(indentation: Int = 8) -> View {
        View(
            "value",
            [
                "slot": .expression(.number(slot)),
                "value": .expression(value, indentation: indentation, after: 8 + "\(slot)".count),
            ])
    }
}
