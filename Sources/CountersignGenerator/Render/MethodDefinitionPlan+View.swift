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
                "values": .expression(.list(values), indentation: 4, after: 35),
                "program": .expression(program, indentation: 4, after: 25),
                "hasValues": .flag(!values.isEmpty),
                "hasTools": .flag(!tools.isEmpty),
                "tools": .expression(tools.arguments),
                "base": .expression(tools.isEmpty ? "ProgramParameters" : "EquippedParameters"),
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
