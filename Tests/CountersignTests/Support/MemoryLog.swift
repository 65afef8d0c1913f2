import Logging
import Synchronization

/// Keeps log lines in memory, with all data that a handler receives.
final class MemoryLog: Sendable {
    private let collected = Mutex<[String]>([])

    var lines: [String] { collected.withLock { $0 } }

    /// A logger that writes here, at every level.
    func logger() -> Logger {
        var logger = Logger(label: "SAP.Foundation.Authentication") { _ in Handler(log: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let log: MemoryLog
        var logLevel: Logger.Level = .trace
        var metadata: Logger.Metadata = [:]
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            log.collected.withLock { $0.append("\(event.level) \(event.message) \(metadata.joined(separator: " "))") }
        }
    }
}
