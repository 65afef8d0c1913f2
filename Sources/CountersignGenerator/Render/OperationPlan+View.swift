extension OperationPlan {
    /// The versions and the methods.
    var view: View {
        View(
            "operation",
            [
                "name": .text(name),
                "versionType": .text(versionType),
                "settingsType": .text(settingsType),
                "session": .text(session),
                "usual": .expression(versions.first.map { ".\($0.name)" } ?? ""),
                "typeDocumentation": .comment(typeDocumentation.comment),
                "methodDocumentation": .comment(methodDocumentation.comment),
                "handlerDocumentation": .comment(handlerDocumentation.comment),
                "versions": .views(versions.map(\.view)),
            ])
    }
}

extension OperationPlan.Version {
    fileprivate var view: View {
        View(
            "version",
            [
                "name": .text(name), "documentation": .comment(documentation.comment),
                "operation": .expression(operation, indentation: 12),
            ])
    }
}
