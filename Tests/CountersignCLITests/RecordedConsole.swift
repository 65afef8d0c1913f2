import Synchronization

@testable import CountersignCLI

/// A console that keeps what is written, to look at it afterwards.
final class RecordedConsole: Sendable {
    private let outputText = Mutex("")
    private let messageText = Mutex("")
    private let isTerminal: Bool

    init(isTerminal: Bool = false) { self.isTerminal = isTerminal }

    var output: String { outputText.withLock { $0 } }
    var messages: String { messageText.withLock { $0 } }

    var console: Console {
        Console(
            output: Console.Stream(isTerminal: isTerminal) { bytes in
                self.outputText.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
            },
            messages: Console.Stream(isTerminal: isTerminal) { bytes in
                self.messageText.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
            })
    }
}
