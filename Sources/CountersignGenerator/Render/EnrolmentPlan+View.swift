extension EnrolmentPlan {
    /// The class.
    var view: View {
        View(
            "enrolment",
            [
                "name": .text(name),
                "methodType": .text(definition.type),
                "parameters": .text(parameters),
                "session": .text(session),
                "label": .text(label),
                "sessionLabel": .text(sessionLabel),
                "properties": .views(
                    properties.map { property in
                        View(
                            "property",
                            [
                                "name": .text(property.name), "slot": .expression(.number(property.slot)),
                                "documentation": .comment(property.documentation.comment),
                            ])
                    }),
                "asks": .flag(asks),
                "superclass": .expression(retires ? "RetirableEnrolment" : "ProgramEnrolment"),
                "documentation": .comment(documentation.comment),
            ])
    }
}
