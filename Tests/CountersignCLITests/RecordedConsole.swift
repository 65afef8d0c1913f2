import Synchronization

@testable import CountersignCLI

/// A console that records its output.
final class RecordedConsole: Sendable {
    private final class Text: Sendable {
        let text = Mutex("")

        func append(_ bytes: [UInt8]) { text.withLock { $0 += String(decoding: bytes, as: UTF8.self) } }
    }

    private let outputText = Text()
    private let messageText = Text()
    let console: Console

    init(isTerminal: Bool = false, erases: Bool? = nil) {
        console = Console(
            output: Console.Stream(isTerminal: isTerminal) { [outputText] in outputText.append($0) },
            messages: Console.Stream(isTerminal: isTerminal, erases: erases) { [messageText] in messageText.append($0) })
    }

    var output: String { outputText.text.withLock { $0 } }
    var messages: String { messageText.text.withLock { $0 } }
}
