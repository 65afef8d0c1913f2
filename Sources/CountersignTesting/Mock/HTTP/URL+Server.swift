import Foundation

extension URL {
    /// Creates the URL of a mock server.
    ///
    /// - Parameters:
    ///   - port: The port that the system chose.
    ///   - path: The path, which begins with a slash; empty for a URL without a path.
    init(serverAt port: Int, path: String = "/", scheme: String = "http", host: String = "127.0.0.1") {
        guard let url = URL(string: "\(scheme)://\(host):\(port)\(path)") else {
            // The parts are constants of the mocks, except for the port, and form a valid URL with every port.
            preconditionFailure("invalid URL from scheme \(scheme), host \(host), port \(port) and path \(path)")
        }
        self = url
    }
}
