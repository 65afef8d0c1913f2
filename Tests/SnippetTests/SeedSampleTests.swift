import Foundation
import TestTurns
import Testing

/// M37: every code sample of the seeds is in a test target for each language mode, in its printed form.
@Suite(.takesTurns) struct `Samples of the seeds` {
    private func lines(_ mode: SeedSampleFile.Mode) throws -> [String: [String]] {
        let samples = try SeedSampleFile.all(mode).flatMap(\.samples)
        return Dictionary(samples.map { ($0.id, $0.lines) }) { first, _ in
            Issue.record("a sample is there twice: \(first.first ?? "")")
            return first
        }
    }

    @Test(arguments: SeedSampleFile.Mode.allCases)
    func `each sample is there once, in both language modes`(mode: SeedSampleFile.Mode) throws {
        let found = try Set(lines(mode).keys)
        let expected = Set(SeedSample.all.map(\.id))
        #expect(found == expected, "\(found.symmetricDifference(expected).sorted())")
        #expect(SeedSample.all.count == Set(SeedSample.all.map(\.id)).count)
        #expect(SeedSample.all.count == 54)
    }

    @Test func `Swift 6 mode adds nothing but "@unchecked Sendable"`() throws {
        let (old, new) = (try SeedSampleFile.all(.swift5), try SeedSampleFile.all(.swift6))
        #expect(old.map(\.name) == new.map(\.name))
        for (old, new) in zip(old, new) {
            #expect(old.text == new.text.replacing(", @unchecked Sendable", with: ""), "\(old.name)")
        }
    }

    @Test(.enabled(if: SeedDocument.areThere, SeedDocument.whereTheyAre))
    func `each sample stands there as it is printed, its placeholders filled in`() throws {
        let lines = try lines(.swift5)
        for sample in SeedSample.all {
            let seed = try SeedDocument(sample.seed)
            let range = try #require(seed.range(of: sample), "\(sample.id) is not in the seed")
            var changes = sample.changes
            var expected: [String] = []
            for line in seed.lines[range] where !line.isEmpty && line != "..." {
                guard let index = changes.firstIndex(where: { line.contains($0.printed) }) else {
                    expected.append(line)
                    continue
                }
                let change = changes.remove(at: index)
                expected += line.replacing(change.printed, with: change.written).split(separator: "\n").map(String.init)
            }
            #expect(changes.isEmpty, "\(sample.id) is changed where it need not be")
            let written = lines[sample.id] ?? []
            #expect(written.count == expected.count, "\(sample.id)")
            for (line, printed) in zip(written, expected) {
                #expect(SeedSampleFile.line(line, fills: printed), "\(sample.id)\nprinted: \(printed)\nwritten: \(line)")
            }
        }
    }

    @Test(.enabled(if: SeedDocument.areThere, SeedDocument.whereTheyAre), arguments: ["S0", "S1", "S2", "S3", "S4"])
    func `no code of the seeds is lost`(name: String) throws {
        let seed = try SeedDocument(name)
        var left = Set(seed.code)
        for sample in SeedSample.all where sample.seed == name {
            let range = try #require(seed.range(of: sample), "\(sample.id) is not in the seed")
            #expect(!left.isDisjoint(with: range), "\(sample.id) is where another one is")
            left.subtract(range)
        }
        #expect(left.isEmpty, "\(left.sorted().map { "\(name), line \($0 + 1): \(seed.lines[$0])" }.joined(separator: "\n"))")
    }

    @Test func `a line fills a printed one only if everything but the placeholders agrees`() {
        func fills(_ line: String, _ printed: String) -> Bool { SeedSampleFile.line(line, fills: printed) }
        #expect(fills("let a = b(c: d)", "let a = b(c: <#C#>)"))
        #expect(fills("let a = b(c: d)", "let a = b( ... )"))
        #expect(fills("f([1, 2], g: 3)", "f([<Obfuscated byte array>], g: <#Int#>)"))
        #expect(!fills("let a = b(e: d)", "let a = b(c: <#C#>)"))
        #expect(!fills("let a = b(c: )", "let a = b(c: <#C#>)"))
        #expect(!fills("let x = b(c: d)", "let a = b(c: <#C#>)"))
        #expect(!fills("let a = b(c: d) + 1", "let a = b(c: <#C#>)"))
        #expect(fills("a", "a") && !fills("a ", "a"))
    }

    @Test func `the documentation lists each sample, and none that is not there`() throws {
        let path = "Specs/SAPMobileServices/SAPMobileServices.docc/SamplesOfTheSDK.md"
        let text = try String(contentsOf: SeedSampleFile.root.appending(path: path), encoding: .utf8)
        let listed = text.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^\| (S\d-[\w-]+) \|/).map { String($0.1) }
        }
        #expect(listed.sorted() == SeedSample.all.map(\.id).sorted())
    }
}
