internal import Foundation
internal import HTTPTypes
internal import NIOCore

/// Serves the files of a folder on 127.0.0.1, such as a documentation archive.
package enum FileServer {
    /// Serves a folder for as long as `body` runs.
    ///
    /// The response to the path of a folder is its `index.html`, after a redirect that appends a missing slash. Neither `..` nor
    /// a symbolic link leads out of the folder.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - port: From 0 to 65535; with 0 the system chooses one.
    ///   - body: Receives the port.
    /// - Throws: ``FileServerError``, or what `body` throws.
    @discardableResult
    package static func run<Value>(folder: String, port: Int, _ body: (_ port: Int) async throws -> Value) async throws -> Value {
        let listener: HTTPListener
        do {
            (listener, _) = try await HTTPListener.start(port: port) { _ in ((), { response(to: $0, in: folder) }) }
        } catch let error as IOError {
            throw FileServerError(port: port, isInUse: error.errnoCode == EADDRINUSE)
        }
        let result: Result<Value, any Error>
        do { result = .success(try await body(listener.port)) } catch { result = .failure(error) }
        await listener.stop()
        return try result.get()
    }

    /// Returns the response to a request. It reads files synchronously, since it does not run on the event loop and the files are
    /// small.
    private static func response(to request: MockRequest, in folder: String) -> MockResponse {
        guard request.method == .get || request.method == .head else { return .notAllowed(allow: "GET, HEAD") }
        let missing = MockResponse.text("not found\n", status: .notFound)
        // A path that begins with two slashes would redirect to another host.
        guard let path = request.path.removingPercentEncoding, path.hasPrefix("/"), !request.path.hasPrefix("//"),
            var file = resolve(path, in: folder)
        else { return missing }
        let isFolder = kind(of: file) == .typeDirectory
        if isFolder, !path.hasSuffix("/") {
            let location = request.path + "/" + (request.query.map { "?\($0)" } ?? "")
            return MockResponse(status: .movedPermanently, fields: [.location: location, .cacheControl: "no-cache"])
        }
        if isFolder {
            guard let index = resolve(path + "index.html", in: folder) else { return missing }
            file = index
        }
        guard isFolder == path.hasSuffix("/"), kind(of: file) == .typeRegular,
            let bytes = FileManager.default.contents(atPath: file)
        else { return missing }
        let type = types[URL(filePath: file).pathExtension.lowercased()] ?? "application/octet-stream"
        return MockResponse(status: .ok, fields: [.contentType: type, .cacheControl: "no-cache"], body: bytes)
    }

    /// Returns the path of an item in the folder with symbolic links resolved; `nil` if it does not exist or is outside the
    /// folder.
    private static func resolve(_ path: String, in folder: String) -> String? {
        guard !path.utf8.contains(0), let root = realPath(folder), let found = realPath(folder + path) else { return nil }
        return "\(found)/".utf8.starts(with: (root == "/" ? root : "\(root)/").utf8) ? found : nil
    }

    private static func realPath(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    private static func kind(of path: String) -> FileAttributeType? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    }

    /// The media types by file extension, for the files that DocC generates or copies from a catalog.
    private static let types = [
        "avif": "image/avif", "css": "text/css", "gif": "image/gif", "htm": "text/html", "html": "text/html",
        "ico": "image/vnd.microsoft.icon", "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript",
        "json": "application/json", "map": "application/json", "md": "text/markdown", "mjs": "text/javascript",
        "mov": "video/quicktime", "mp4": "video/mp4", "otf": "font/otf", "pdf": "application/pdf", "png": "image/png",
        "svg": "image/svg+xml", "ttf": "font/ttf", "txt": "text/plain; charset=utf-8", "wasm": "application/wasm",
        "webm": "video/webm", "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2", "xml": "application/xml",
        "zip": "application/zip",
    ]
}

/// The port of a ``FileServer`` could not be opened.
package struct FileServerError: Error, Hashable {
    /// The requested port.
    package let port: Int
    /// Whether another process listens on it.
    package let isInUse: Bool

    package init(port: Int, isInUse: Bool) {
        self.port = port
        self.isInUse = isInUse
    }
}
