import Foundation
import TestTurns
import Testing

@testable import CountersignTesting

/// The files that a folder's server serves, and those that it does not.
@Suite(.takesTurns) struct FileServerTests {
    /// Serves the folder `site`, next to which is a folder with a file that must not be served.
    private func serve(
        _ body: (_ answer: (_ target: String, _ method: String) async throws -> String) async throws -> Void
    ) async throws {
        let files = FileManager.default
        let place = files.temporaryDirectory.appending(path: "countersign-files-\(UUID().uuidString)")
        defer { try? files.removeItem(at: place) }
        func write(_ text: String, to path: String) throws {
            let file = place.appending(path: path)
            try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try write("secret", to: "site-secret/index.html")
        try write("home", to: "site/index.html")
        try write("function", to: "site/documentation/open(_:at:)/index.html")
        try write("a and b", to: "site/a b.txt")
        try write("icon", to: "site/favicon.ico")
        try write("font", to: "site/fonts/Text.WOFF2")
        try write("blob", to: "site/blob")
        try files.createDirectory(at: place.appending(path: "site/empty/index.html"), withIntermediateDirectories: true)
        for (link, target) in [("out", "../site-secret"), ("out.html", "../site-secret/index.html"), ("in", "documentation")] {
            try files.createSymbolicLink(atPath: place.path + "/site/" + link, withDestinationPath: target)
        }
        try await FileServer.run(folder: place.path + "/site", port: 0) { port in
            try await body { target, method in
                try await Wire.answer("\(method) \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", port: port)
            }
        }
    }

    @Test func `files come with their types, by decoded names`() async throws {
        let expected = [
            ("/", "text/html", "home"), ("/index.html?a=b", "text/html", "home"),
            ("/a%20b.txt", "text/plain; charset=utf-8", "a and b"),
            ("/favicon.ico", "image/vnd.microsoft.icon", "icon"), ("/fonts/Text.WOFF2", "font/woff2", "font"),
            ("/blob", "application/octet-stream", "blob"), ("/documentation/open(_:at:)/", "text/html", "function"),
            ("/in/open(_:at:)/", "text/html", "function"), ("/fonts/../index.html", "text/html", "home"),
        ]
        try await serve { answer in
            for (target, type, body) in expected {
                let text = try await answer(target, "GET")
                #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(target)")
                #expect(text.contains("\r\nContent-Type: \(type)\r\n"), "\(target)")
                #expect(text.contains("content-length: \(body.utf8.count)\r\n"), "\(target)")
                #expect(text.hasSuffix("\r\n\r\n\(body)"), "\(target)")
            }
        }
    }

    @Test func `HEAD gets all but the body, and other methods are not allowed`() async throws {
        try await serve { answer in
            let head = try await answer("/", "HEAD")
            #expect(head.hasPrefix("HTTP/1.1 200 ") && head.contains("content-length: 4\r\n") && head.hasSuffix("\r\n\r\n"))
            let post = try await answer("/", "POST")
            #expect(post.hasPrefix("HTTP/1.1 405 ") && post.contains("Allow: GET, HEAD\r\n"))
        }
    }

    @Test func `a folder is redirected to its own path with a slash`() async throws {
        try await serve { answer in
            let plain = try await answer("/documentation/open(_:at:)", "GET")
            #expect(plain.hasPrefix("HTTP/1.1 301 ") && plain.contains("Location: /documentation/open(_:at:)/\r\n"))
            #expect(try await answer("/empty?a=%20", "GET").contains("Location: /empty/?a=%20\r\n"))
        }
    }

    @Test(arguments: [
        "/none", "/empty/", "/fonts/", "/blob/", "/index.html/", "/site-secret/", "//documentation", "/%zz", "/a%00b", "/%00", "*",
        "/../site-secret/index.html", "/%2e%2e/site-secret/index.html", "/..%2fsite-secret/index.html", "/fonts/../../site-secret/",
        "/..", "/../", "/%2E%2E", "/../../../../../../../../etc/hostname", "/out/", "/out", "/out/index.html", "/out.html",
    ])
    func `nothing else is there, and no way leads out of the folder`(target: String) async throws {
        try await serve { answer in
            let text = try await answer(target, "GET")
            #expect(text.hasPrefix("HTTP/1.1 404 ") && text.hasSuffix("\r\n\r\nnot found\n"), "\(text)")
        }
    }
}
