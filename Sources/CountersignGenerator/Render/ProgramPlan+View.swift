extension ProgramPlan {
    /// The program, the prompts and the observer.
    var view: View {
        View(
            "program",
            [
                "parameters": .text(parameters),
                "observer": .text(observer),
                "program": .expression(program, indentation: 4, after: 28),
                "values": .expression(.list(values), indentation: 4, after: 42),
                "isStored": .flag(isStored),
                "hasTools": .flag(!tools.isEmpty),
                "tools": .expression(tools.arguments),
                "hasPrompts": .flag(prompting != nil),
                "prompting": .view(prompting?.view ?? View("absent", [:])),
                "isAdoptable": .flag(adoption != nil),
                "adoption": .view(adoption?.view ?? View("absent", [:])),
                "hasCredential": .flag(credential != nil),
                "credential": .view(credential?.view ?? View("absent", [:])),
                "programDocumentation": .comment(programDocumentation.comment),
                "observerDocumentation": .comment(observerDocumentation.comment),
                "initialiserDocumentation": .comment(initialiserDocumentation.comment),
            ])
    }
}

extension CredentialPlan {
    fileprivate var view: View {
        View(
            "credential",
            [
                "type": .text(type),
                "documentation": .comment(documentation.comment),
                "properties": .views(properties.map(\.view)),
                "hasExpiry": .flag(hasExpiry),
                "visibleParts": .expression(visibleParts, indentation: 4, after: 59),
                "readingDocumentation": .comment(readingDocumentation.comment),
                "isForOneServer": .flag(isForOneServer),
            ])
    }
}

extension CredentialPlan.Property {
    fileprivate var view: View {
        View(
            "property",
            [
                "name": .text(name), "type": .expression(type), "value": .expression(value), "isOptional": .flag(isOptional),
                "documentation": .comment(documentation.comment),
            ])
    }
}

extension AdoptionPlan {
    fileprivate var view: View {
        View(
            "adoption",
            [
                "documentation": .comment(documentation.comment),
                "parameters": .expression(.parameterList(parameters), indentation: 4, after: 18 + 16),
                "values": .expression(values, indentation: 8, after: 27 + 16),
                "isForOneServer": .flag(isForOneServer),
            ])
    }
}

extension PromptingPlan {
    fileprivate var view: View {
        View(
            "prompting",
            [
                "name": .text(name),
                "prompter": .text(prompter),
                "isOptional": .flag(isOptional),
                "asksPages": .flag(asksPages),
                "base": .expression(asksPages ? "LoginInputSource" : "Sendable"),
                "hasFields": .flag(!prompts.isEmpty),
                "documentation": .comment(documentation.comment),
                "prompts": .views(
                    prompts.map { prompt in
                        View(
                            "prompt",
                            [
                                "number": .expression(.number(prompt.number)),
                                "name": .text(prompt.name),
                                "documentation": .comment(prompt.documentation.comment),
                                "answer": .expression(prompt.answer),
                                "values": .expression(prompt.values, indentation: 12, after: 7),
                            ])
                    }),
            ])
    }
}

extension ProgramsPlan {
    /// The enumeration with the programs of the landscape.
    var view: View {
        View(
            "programs",
            [
                "name": .text(name), "documentation": .comment(documentation.comment),
                "programs": .expression(programs, indentation: 4, after: 46),
            ])
    }
}
