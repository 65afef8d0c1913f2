import CountersignSpec

/// At least one broken landscape for each code.
enum BrokenSpecs {
    static let all =
        files + shapes + choices + omittedValues + schemes + names + references + parameters + methods + variants + operations
        + results
        + credentials
        + callbacks + enrolments + inheritance + overlaps + errors + surfaces + programs + calls + steps + cookies + pages + pushes
        + postedForms
        + endingPages
        + eager + recipients + signatures + computedSignatures + assertions + elements + tickets + proofs + devices
        + publications

    /// Codes that no text of a spec can cause, with the tests that cover them.
    static let coveredElsewhere: [DiagnosticCode: String] = [
        .unreadableFile: "SpecFileTests", .missingDependency: "CountersignGeneratorTests.ToolTests",
    ]

    /// The text as the method's file.
    private static func raw(_ code: DiagnosticCode, _ title: String, _ text: String, alongside: [DiagnosticCode] = []) -> BrokenSpec
    {
        BrokenSpec(code, title, SpecSources(method: text), alongside: alongside)
    }

    static let files: [BrokenSpec] = [
        BrokenSpec(
            .fileTooLarge, "a file over the limit",
            SpecSources(method: "«#»" + String(repeating: "#", count: 1 << 20) + "\n" + ValidSpec.method)),
        BrokenSpec(
            .invalidUTF8, "a byte that is not UTF-8, after a character of two bytes",
            SpecSources(own: [
                SpecFile("landscape.yaml", ValidSpec.landscape),
                SpecFile(path: "Web.yaml", bytes: Array("countersign: 2\nsummary: ä«".utf8) + [0xFF] + Array("»".utf8)),
            ])),
        raw(.invalidCharacter, "a control character", "countersign: 2\nsummary: a«\u{0}»b\n"),
        raw(.invalidCharacter, "a byte order mark in the middle", "countersign: 2\nsummary: a«\u{FEFF}»b\n"),
        raw(.invalidYAML, "a bracket that is not closed", "countersign: 2\nsummary: [a\nmethod«:» Web\n"),
        raw(.invalidYAML, "an alias without its anchor", "countersign: 2\nsummary: «*»nothing\n"),
        raw(.tab, "a tab as indentation", "countersign: 2\nparameters:\n«\t»WebParameters: {}\n"),
        raw(.emptyFile, "no bytes", "«»"),
        raw(.emptyFile, "comments alone", "«#» nothing\n"),
        raw(.severalDocuments, "a second document", ValidSpec.method + "«-»--\ncountersign: 2\n"),
        .method(.duplicateKey, "a key twice", "method: Web", "method: Web\n«method»: Other"),
        .method(
            .duplicateKey, "a key twice, once in quotes", "credential: { cookies: shared }",
            "credential: { cookies: shared }\n\"«credential»\": x"),
        .method(.duplicateKey, "a failure twice", "load: page }", "load: page, «dismissed»: busy }"),
        .method(.tag, "a tag before a value", "summary: A web login.", "summary: «!»!str A web login."),
        .method(.tag, "a tag before a key", "credential:", "«!»!str credential:"),
        .method(.mergeKey, "a merge key", "load: page }", "load: page, «<<»: { dismissed: busy } }"),
        raw(.nestingTooDeep, "ten thousand flow sequences", "a: " + nested(10_000, markedAt: 1)),
        raw(.nestingTooDeep, "a hundred flow sequences", "a: " + nested(100, markedAt: 99)),
        raw(
            .nestingTooDeep, "a hundred and one block sequences",
            "a:\n" + String(repeating: "- ", count: 99) + "«-» b\n"),
        raw(.tooManyNodes, "nine aliases of nine aliases of nine …", tower(of: "[", "]", marked: (level: 7, alias: 3))),
        raw(.tooManyNodes, "the same as keys, which Yams would hash", tower(of: "{ [", "]: x }", marked: (level: 7, alias: 3))),
        raw(
            .tooManyNodes, "aliases as keys, with texts that look like aliases before them",
            tower(of: "{ [\"*a0\", ", "]: x }", marked: (level: 7, alias: 2))),
        raw(
            .tooManyNodes, "aliases as keys, whose anchors follow a tag and comments",
            tower(of: "{ [", "]: x }", behind: "!t # &b\n  # c\n\n  ", marked: (level: 7, alias: 3))),
        raw(.tooManyNodes, "a long list", "a: [" + String(repeating: "x,", count: 19_998) + "«x»,x]\n"),
    ]

    private static func nested(_ count: Int, markedAt index: Int) -> String {
        String(repeating: "[", count: index) + "«[»" + String(repeating: "[", count: count - index - 1)
            + String(repeating: "]", count: count) + "\n"
    }

    /// Returns levels of collections, each with nine aliases of the level before.
    ///
    /// - Parameter properties: The text before each anchor.
    private static func tower(
        of opening: String, _ closing: String, behind properties: String = "", marked: (level: Int, alias: Int)
    ) -> String {
        var text = "a0: &a0 x\n"
        for level in 1...12 {
            let aliases = (0..<9).map { alias in
                (level, alias) == marked ? "«*»a\(level - 1)" : "*a\(level - 1)"
            }
            .joined(separator: ", ")
            text += "a\(level): \(properties)&a\(level) \(opening)\(aliases)\(closing)\n"
        }
        return text
    }
}
