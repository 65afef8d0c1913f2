import Countersign
import Foundation
import Testing

@Suite struct `Lifetimes of tokens` {
    private static func moment(_ elapsed: Duration, _ date: Double = 1000) -> TokenLifetime.Moment {
        TokenLifetime.Moment(elapsed: elapsed, date: Date(timeIntervalSince1970: date))
    }

    @Test(
        arguments: [
            (3600, 60.0), (600, 60), (599, 59.9), (300, 30), (10, 1), (1, 0.1), (86_400 * 365, 60),
        ] as [(Int, Double)])
    func `the margin is the smaller of a minute and a tenth of the lifetime`(lifetime: Int, margin: Double) {
        let life = TokenLifetime(.seconds(lifetime), from: .seconds(50), jitter: 0)
        let end: Duration = .seconds(50 + lifetime)
        #expect(life.expiry == end)
        #expect(life.renewal.map { abs((end - $0) / .seconds(1) - margin) < 1e-6 } == true)
    }

    @Test func `a token is fresh, then renewable, then expired`() {
        let life = TokenLifetime(.seconds(100), from: .seconds(7), jitter: 0)
        #expect(life.phase(at: .seconds(7)) == .fresh)
        #expect(life.phase(at: .seconds(97) - .nanoseconds(1)) == .fresh)
        #expect(life.phase(at: .seconds(97)) == .renewable)
        #expect(life.phase(at: .seconds(107) - .nanoseconds(1)) == .renewable)
        #expect(life.phase(at: .seconds(107)) == .expired)
        #expect(life.phase(at: .seconds(1_000_000)) == .expired)
    }

    @Test func `jitter makes the renewal earlier by at most a quarter of the margin, and the end not at all`() {
        func renewal(_ jitter: Double) -> Duration? { TokenLifetime(.seconds(1000), from: .zero, jitter: jitter).renewal }
        #expect(renewal(0) == .seconds(940))
        #expect(renewal(0.5) == .seconds(932.5))
        #expect(renewal(1) == .seconds(925))
        #expect(renewal(7) == .seconds(925))
        #expect(renewal(-3) == .seconds(940))
        #expect(renewal(.nan) == .seconds(940))
        #expect(renewal(.infinity) == .seconds(925))
        #expect(TokenLifetime(.seconds(1000), from: .zero, jitter: 1).expiry == .seconds(1000))
    }

    @Test(arguments: [nil, .zero, .seconds(-1), .seconds(Int64.min)] as [Duration?])
    func `RT-26 without a statement a token is fresh until it is challenged`(duration: Duration?) {
        let life = TokenLifetime(duration, from: .seconds(5), jitter: 0.3)
        #expect(life.expiry == nil)
        #expect(life.renewal == nil)
        #expect(life.phase(at: .seconds(Int64(Int32.max))) == .fresh)
        #expect(TokenLifetime.expiryDate(duration, from: Date(timeIntervalSince1970: 0)) == nil)
    }

    @Test func `RT-26 a huge lifetime is cut to one that dates can bear`() {
        #expect(TokenLifetime(.seconds(Int64.max), from: .zero, jitter: 0).expiry == TokenLifetime.maximum)
        #expect(TokenLifetime.duration(seconds: 1e300) == TokenLifetime.maximum)
        #expect(TokenLifetime.duration(seconds: .infinity) == TokenLifetime.maximum)
        #expect(TokenLifetime.duration(seconds: .nan) == nil)
        #expect(TokenLifetime.duration(seconds: -.infinity) == nil)
        let date = TokenLifetime.expiryDate(.seconds(Int64.max), from: Date(timeIntervalSince1970: 0))
        #expect(date == Date(timeIntervalSince1970: Double(Int32.max)))
    }

    @Test func `RT-27 a wall clock that is put back or forward changes nothing within a process`() {
        // No phase uses a date: the token is valid for 3600 s of the timeline, whatever the wall clock does.
        let life = TokenLifetime(.seconds(3600), from: .seconds(100), jitter: 0)
        #expect(life.phase(at: .seconds(3639)) == .fresh)
        #expect(life.phase(at: .seconds(3640)) == .renewable)
        #expect(life.phase(at: .seconds(3700)) == .expired)
    }

    @Test(
        arguments: [
            (-3600.0, 7200), (0, 3600), (3599, 1), (3600, 0), (7200, 0),
        ] as [(Double, Int)])
    func `RT-27 after a restart what is left is counted by the wall clock, from the moment of reading`(clock: Double, left: Int) {
        let end = Date(timeIntervalSince1970: 1000 + 3600)
        let life = TokenLifetime(until: end, restoredAt: Self.moment(.seconds(20), 1000 + clock), jitter: 0)
        #expect(life.expiry == .seconds(20 + left))
        #expect(life.phase(at: .seconds(20)) == (left == 0 ? .expired : .fresh))
        #expect(life.phase(at: .seconds(20 + left)) == .expired)
    }

    @Test func `a stored token without a date is fresh, and one with a date that is none is not older for it`() {
        #expect(TokenLifetime(until: nil, restoredAt: Self.moment(.zero), jitter: 0).phase(at: .seconds(9)) == .fresh)
        let far = TokenLifetime(until: .distantFuture, restoredAt: Self.moment(.zero), jitter: 0)
        #expect(far.expiry == TokenLifetime.maximum)
        #expect(TokenLifetime(until: .distantPast, restoredAt: Self.moment(.zero), jitter: 0).phase(at: .zero) == .expired)
        let none = Date(timeIntervalSinceReferenceDate: .nan)
        #expect(TokenLifetime(until: none, restoredAt: Self.moment(.zero), jitter: 0).expiry == nil)
    }

    @Test(arguments: [0.05, 1, 5, 59, 60]) func `RT-28 a token that lives shorter than the skew is fresh when it arrives`(
        seconds: Double
    ) {
        let life = TokenLifetime(.seconds(seconds), from: .seconds(3), jitter: 1)
        #expect(life.phase(at: .seconds(3)) == .fresh)
        #expect(life.phase(at: .seconds(3) + .seconds(seconds) * 0.8) == .fresh)
        #expect(life.phase(at: .seconds(3) + .seconds(seconds) * 0.95) == .renewable)
    }
}
