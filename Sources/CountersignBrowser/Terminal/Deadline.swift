#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The end of a time limit, for display.
struct Deadline: Sendable, Hashable {
    let date: Date
    let timeZone: TimeZone

    /// The time of the day, such as `15:04:05`.
    var time: String {
        date.formatted(Date.ISO8601FormatStyle(timeZone: timeZone).time(includingFractionalSeconds: false))
    }
}

extension Duration {
    /// The duration in words, such as `5 minutes` or `90 seconds`.
    var words: String {
        let seconds = components.seconds
        let (count, unit) = seconds >= 120 && seconds.isMultiple(of: 60) ? (seconds / 60, "minute") : (seconds, "second")
        return "\(count) \(unit)\(count == 1 ? "" : "s")"
    }
}
