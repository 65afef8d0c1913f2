extension LandscapeConstantPlan {
    /// The constant.
    var view: View {
        View(
            "landscape",
            [
                "documentation": .comment(documentation.comment),
                "name": .text(name),
                "call": .expression(call, indentation: 4, after: 21 + name.source.count),
            ])
    }
}
