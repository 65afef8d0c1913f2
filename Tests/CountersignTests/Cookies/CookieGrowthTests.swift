import Countersign
import Foundation
import TestTurns
import Testing

/// Times are compared with each other and never with a fixed value, so the speed of the machine does not matter.
@Suite("How time grows with size", .serialized)
struct CookieGrowthTests {
    /// Returns the ratios of a few tries, one by one: growth that is too fast shows in each, but a disturbance by another program
    /// does not.
    private static func ratios(_ ratio: @escaping () -> Double) -> some Sequence<Double> {
        (0..<3).lazy.map { _ in ratio() }
    }

    @Test(arguments: [
        "x", ";", "=", " ", "\t;", "; Path=/p", "; Expires=Fri, 07 Aug 2019 08:04:19 GMT", ";Domain=.a.b", "a=b;", "é", ", 1",
    ])
    func `reading a long field takes time in proportion`(shape: String) throws {
        let url = try #require(URL(string: "https://h.example/"))
        let jar = CookieJar(limits: .init(pairBytes: .max, attributeBytes: .max))
        func field(_ bytes: Int) -> String { "a=1" + String(repeating: shape, count: bytes / shape.utf8.count) }
        let (small, large) = (field(1 << 13), field(1 << 16))
        // Eight times the size: a ratio of 8 when linear, 64 when quadratic.
        let ratios = Self.ratios {
            processorTime { jar.store([large], from: url) } / processorTime { jar.store([small], from: url) }
        }
        #expect(ratios.contains { $0 < 24 }, "eight times the bytes took more than 24 times as long")
    }

    @Test func `looking up does not grow with the cookies of other domains`() throws {
        let url = try #require(URL(string: "https://www.h500.example/app"))
        func jar(_ domains: Range<Int>) throws -> CookieJar {
            let jar = CookieJar(limits: .init(cookies: 10_000))
            for index in domains {
                let fields = (0..<10).map { "c\($0)=value; Domain=h\(index).example; Path=/" }
                jar.store(fields, from: try #require(URL(string: "https://www.h\(index).example/")))
            }
            return jar
        }
        let (small, large) = (try jar(500..<501), try jar(0..<1000))
        #expect(large.all.count == 10_000)
        #expect(large.header(for: url) == small.header(for: url))
        func look(_ jar: CookieJar) -> Double { processorTime { for _ in 0..<100 { _ = jar.header(for: url) } } }
        // A thousand times the cookies.
        #expect(
            Self.ratios { look(large) / look(small) }.contains { $0 < 8 },
            "a thousand times the cookies took more than 8 times as long")
    }
}
