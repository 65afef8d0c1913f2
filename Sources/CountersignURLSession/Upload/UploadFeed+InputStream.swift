internal import Foundation

#if canImport(Security)
internal import Security

extension UploadFeed {
    /// Returns the body as a stream, into which a thread of its own writes.
    func makeInputStream() -> InputStream? {
        var (input, output): (InputStream?, OutputStream?)
        Stream.getBoundStreams(withBufferSize: 64 * 1024, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        let pump = BodyPump(feed: self, output: output)
        Thread.detachNewThread { pump.run() }
        return input
    }
}

/// Writes a body into one end of a pair of streams. Unchecked, because one thread uses the stream.
private final class BodyPump: @unchecked Sendable {
    private let feed: UploadFeed
    private let output: OutputStream

    init(feed: UploadFeed, output: OutputStream) {
        self.feed = feed
        self.output = output
    }

    func run() {
        output.open()
        defer { output.close() }
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = buffer.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { feed.read($0, maxLength: buffer.count) } ?? -1
            }
            guard count > 0 else { return }
            var written = 0
            while written < count {
                // Waits until there is room.
                let more = buffer.withUnsafeBufferPointer { buffer in
                    buffer.baseAddress.map { output.write($0 + written, maxLength: count - written) } ?? -1
                }
                guard more > 0 else { return feed.abort() }
                written += more
            }
        }
    }
}
#endif
