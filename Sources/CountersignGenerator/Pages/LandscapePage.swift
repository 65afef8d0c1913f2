import CountersignSpec

/// The root page of a landscape's module.
struct LandscapePage {
    let landscape: ResolvedLandscape
    let methods: [MethodPage.Method]
    /// Articles that are written by hand.
    let articles: [String]
    /// The public types of the landscape's own generated file.
    let types: [String]

    var file: GeneratedFile {
        GeneratedFile(name: "\(landscape.name.value).md", text: MarkdownText.page(lines))
    }

    private var lines: [String] {
        var lines = [
            "# ``\(landscape.name.value)``", "", MarkdownText.line(landscape.documentation.summary), "",
            LandscapePages.marker(Planning.file(landscape.name.location)), "", "## Overview", "",
        ]
        if let discussion = landscape.documentation.discussion { lines += MarkdownText.paragraphs(discussion) + [""] }
        lines += table + order + settings + operations + trying
        return lines + topics
    }

    private var table: [String] {
        ["| Method | Answers | By |", "|---|---|---|"]
            + methods.map { method in
                let words = ProgramWords(method.program, in: .markdown)
                let challenges = words.challenges.map(\.words)
                let answers =
                    challenges.isEmpty
                    ? method.program.credential.isForApplication
                        ? "none: the application obtains the credential" : "none: all requests carry the credential"
                    : challenges.joined(separator: "; or ")
                return
                    "| <doc:\(MethodPage.reference(to: method.name))> | \(MarkdownText.cell(answers)) | \(MarkdownText.cell(method.documentation.summary)) |"
            } + [""]
    }

    private var order: [String] {
        let names = Set(methods.map(\.name))
        let groups = landscape.overlaps.map { $0.filter(names.contains) }.filter { $0.count > 1 }
        let second = methods.filter { $0.surface?.isSecondFactor == true }
        var lines = [
            "## In which order they are asked", "",
            """
            A session asks its observers in the order of their registration, and the first that recognises a challenge answers it. Any \
            number of them can be registered: each request is challenged by as many as it needs.
            """, "",
        ]
        for group in groups {
            lines += [
                "One response can challenge \(Self.listed(group.map { "<doc:\(MethodPage.reference(to: $0))>" })): register the preferred one first.",
                "",
            ]
        }
        for method in second {
            lines += [
                "<doc:\(MethodPage.reference(to: method.name))> is a second factor: register it behind the method that comes first.",
                "",
            ]
        }
        return methods.count > 1 ? lines : []
    }

    private var settings: [String] {
        guard let settings = landscape.settings else { return [] }
        return ["## The settings", "", "``\(settings.name.value)`` has what all methods share:", ""]
            + ParameterTable(settings).lines + [""]
    }

    private var operations: [String] {
        guard !landscape.operations.isEmpty else { return [] }
        var lines = ["## Operations", "", "Calls of the session outside of any challenge:", ""]
        for operation in landscape.operations {
            lines += ["### \(operation.name.value)", "", MarkdownText.line(operation.documentation.summary), ""]
            if let discussion = operation.documentation.discussion { lines += MarkdownText.paragraphs(discussion) + [""] }
            for version in operation.versions {
                if operation.versions.count > 1 {
                    lines += ["Version `\(version.name.value)`: \(MarkdownText.line(version.program.documentation.summary))", ""]
                }
                lines +=
                    MethodPage.list(
                        ProgramWords(version.program, in: .markdown).steps(version.program.acquire), version.program.slots) + [""]
            }
        }
        return lines
    }

    private var trying: [String] {
        guard let mock = landscape.mockCommand else { return [] }
        return [
            "## A server to try it with", "",
            "The command `countersign` runs a mock of its servers on this machine, and shows each request:", "",
        ] + MethodPage.block("console", ["$ \(mock)"])
    }

    private var topics: [String] {
        var lines = ["## Topics", ""]
        if !methods.isEmpty {
            lines += ["### Methods", ""] + methods.map { "- <doc:\(MethodPage.reference(to: $0.name))>" } + [""]
        }
        if !articles.isEmpty { lines += ["### Articles", ""] + articles.map { "- <doc:\($0)>" } + [""] }
        if !types.isEmpty { lines += ["### The landscape", ""] + types.map { "- ``\($0)``" } }
        return lines
    }

    private static func listed(_ items: [String]) -> String {
        guard items.count > 1, let last = items.last else { return items.joined() }
        return "\(items.dropLast().joined(separator: ", ")) and \(last)"
    }
}
