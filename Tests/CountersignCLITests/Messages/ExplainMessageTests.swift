import ArgumentParser
import CountersignSpec
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// `countersign explain CS0201` and `countersign reference --messages`.
@Suite(.computes) struct ExplainMessageTests {
    private func explain(_ arguments: String...) throws -> RecordedConsole {
        let recorded = RecordedConsole()
        try ExplainCommand.parse(arguments).run(console: recorded.console)
        return recorded
    }

    @Test func `a code is explained by its rule, its message and both examples`() throws {
        let recorded = try explain("CS0201")
        #expect(recorded.messages == "")
        #expect(recorded.output.hasPrefix("CS0201: unknown key\n"))
        for part in [
            "  A construct has only the keys of the language.", "  The construct: 'A method' in 'countersign reference'.\n",
            "\nThe message\n",
            "    ReaderKey.yaml:3:1: error: a method has no key 'tittle'; did you mean\n      'title'? [CS0201]\n",
            "    3 | tittle: Reader key\n      | ^~~~~~\n", "\nIncorrect\n", "    tittle: Reader key\n", "\nCorrected\n",
            "  `ReaderKey.yaml`, changed in line 3:\n", "    title: Reader key\n", "\nWhy, and what to do\n",
        ] { #expect(recorded.output.contains(part), "\(part)") }
    }

    @Test(arguments: DiagnosticCode.allCases)
    func `each code is explained in 80 columns, without what a terminal would obey`(code: DiagnosticCode) throws {
        let output = try explain(code.rawValue).output
        #expect(output.hasPrefix("\(code.rawValue): "))
        for line in output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        #expect(!output.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
        #expect(!output.contains("<doc:"))
    }

    @Test(arguments: [
        (["a", "b", "c"], ["a", "x", "c"], "changed in line 2"), (["a", "b", "c"], ["a", "c"], "without line 2"),
        (["a", "c"], ["a", "b", "b", "c"], "changed in lines 2 to 3"), (["a", "a", "a"], ["a"], "without lines 2 to 3"),
        (["a"], ["a", "a"], "changed in line 2"), ([], ["a"], "changed in line 1"), (["a"], ["a"], nil),
    ])
    func `the lines that differ are named`(old: [String], new: [String], words: String?) {
        #expect(LineChange(from: old, to: new)?.words == words)
    }

    @Test func `without arguments all methods are listed`() throws {
        let recorded = try explain()
        #expect(recorded.messages == "")
        for name in ["AmazonWebServices.AccessKey: ", "OAuth.DeviceCode: ", "Transmission.TransmissionSession: "] {
            #expect(recorded.output.contains("\n\(name)") || recorded.output.hasPrefix(name))
        }
        for line in recorded.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }

    @Test func `a misspelt method has the nearest as its remedy`() throws {
        let recorded = RecordedConsole()
        #expect(throws: CommandExit.usage) {
            try ExplainCommand.parse(["OAuth.AutorizationCode"]).run(console: recorded.console)
        }
        #expect(
            recorded.messages == """
                error: There is no method 'OAuth.AutorizationCode'.
                help: Did you mean 'OAuth.AuthorizationCode'? 'countersign explain' lists the methods.

                """)
    }

    @Test func `for a landscape its methods are named`() throws {
        let recorded = RecordedConsole()
        #expect(throws: CommandExit.usage) { try ExplainCommand.parse(["cas"]).run(console: recorded.console) }
        #expect(
            recorded.messages == """
                error: 'cas' is a landscape, and not a method.
                help: Its methods: CAS.CASBrowser, CAS.CASPassword.

                """)
    }

    @Test func `small letters do as well`() throws {
        let small = try explain("cs0602").output
        let capital = try explain("CS0602").output
        #expect(small == capital)
    }

    @Test(arguments: [
        ("CS0210", "CS0209, CS0208, CS0207"), ("CS0504", "CS0503, CS0505, CS0502"), ("cs201", "CS0201, CS0202, CS0203"),
        ("CS9999", "CS0709, CS0708, CS0707"), ("CS99999999999999999999999", "CS0709, CS0708, CS0707"),
    ])
    func `a code that there is not is wrong usage, with the nearest ones`(argument: String, nearest: String) throws {
        let recorded = RecordedConsole()
        #expect(throws: CommandExit.usage) { try ExplainCommand.parse([argument]).run(console: recorded.console) }
        #expect(recorded.output == "")
        #expect(
            recorded.messages == """
                error: There is no message code '\(argument)'.
                help: The nearest are \(nearest). 'countersign reference' has all of them.

                """)
    }

    @Test func `with a landscape the argument is a method`() throws {
        let recorded = RecordedConsole()
        #expect(throws: (any Error).self) {
            try ExplainCommand.parse(["--landscape", "OAuth", "CS0201"]).run(console: recorded.console)
        }
        #expect(recorded.messages.contains("method"))
    }

    @Test func `the help and the completion know codes`() {
        #expect(ExplainCommand.helpMessage(columns: 80).contains("countersign explain CS0201"))
        #expect(CountersignCommand.completionScript(for: .bash).contains("CS0201"))
    }

    @Test func `the pages are written to a folder, and a second time are as they were`() throws {
        let folder = try SpecFolder()
        for _ in 1...2 {
            let recorded = RecordedConsole()
            try ReferenceCommand.parse(["--messages", folder.path + "/pages"]).run(console: recorded.console)
            #expect(recorded.output == "\(DiagnosticCode.allCases.count) pages\n")
            #expect(folder.names(in: "pages") == DiagnosticCode.allCases.map { "\($0.rawValue).md" }.sorted())
        }
    }

    @Test func `a folder that cannot be made has an exit status of its own`() throws {
        let folder = try SpecFolder()
        try "".write(toFile: folder.path + "/pages", atomically: true, encoding: .utf8)
        let recorded = RecordedConsole()
        #expect(throws: CommandExit.cannotCreate) {
            try ReferenceCommand.parse(["--messages", folder.path + "/pages"]).run(console: recorded.console)
        }
        #expect(recorded.messages.contains("cannot be written"))
    }
}
