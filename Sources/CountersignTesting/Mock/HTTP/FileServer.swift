internal import Foundation
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// Serves the files of a folder on 127.0.0.1, such as a documentation archive.
package enum FileServer {
    /// Serves a folder for as long as `body` runs.
    ///
    /// A path that names a folder is answered with the `index.html` in it; a redirect adds the slash at its end.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - port: From 0 to 65535; with 0 the system chooses one.
    ///   - body: Gets the port.
    /// - Throws: ``FileServerError``, or what `body` throws.
    @discardableResult
    package static func run<Value>(folder: String, port: Int, _ body: (_ port: Int) async throws -> Value) async throws -> Value {
        let router = Router()
        router.add(middleware: FileMiddleware(folder, searchForIndexHtml: true, logger: silent))
        let (ports, bound) = AsyncThrowingStream.makeStream(of: Int.self)
        let application = Application(
            responder: router.buildResponder(),
            server: HTTPServerBuilder { AcceptedChannel(HTTP1Channel(responder: $0)) },
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                if let number = channel.localAddress?.port { bound.yield(number) }
            },
            logger: silent)
        let running = Task {
            do {
                try await application.run()
                bound.finish()
            } catch {
                bound.finish(throwing: error)
            }
        }
        let result: Result<Value, any Error>
        do {
            let number: Int?
            do {
                number = try await ports.first { _ in true }
            } catch {
                throw FileServerError(port: port, isInUse: (error as? IOError)?.errnoCode == EADDRINUSE)
            }
            guard let number else { throw CancellationError() }
            result = .success(try await body(number))
        } catch {
            result = .failure(error)
        }
        running.cancel()
        await running.value
        return try result.get()
    }

    private static var silent: Logger { Logger(label: "countersign.files") { _ in SwiftLogNoOpLogHandler() } }
}

/// The port of a ``FileServer`` could not be opened.
package struct FileServerError: Error, Hashable {
    /// The port that was asked for.
    package let port: Int
    /// Whether another process listens on it.
    package let isInUse: Bool

    package init(port: Int, isInUse: Bool) {
        self.port = port
        self.isInUse = isInUse
    }
}
