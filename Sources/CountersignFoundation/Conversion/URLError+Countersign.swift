internal import Countersign
internal import Foundation
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension FoundationSession {
    /// Returns the error for a task of an invalidated session.
    static func invalidated(_ request: URLRequest?) -> CountersignError {
        CountersignError(
            .sessionInvalidated, detail: "the session was invalidated and accepts no more requests",
            requestMethod: request?.httpMethod,
            origin: request?.url.flatMap { Origin($0) })
    }
}

extension Error {
    /// The error in Foundation's types. It contains neither URL nor header fields, since both can contain secrets.
    var forFoundation: any Error {
        switch self {
        case is CancellationError: URLError(.cancelled)
        case let error as TransportError:
            URLError(error.code, userInfo: [NSUnderlyingErrorKey: error, NSLocalizedDescriptionKey: error.description])
        default: self
        }
    }
}

extension TransportError {
    fileprivate var code: URLError.Code {
        switch reason {
        case .connect, .proxy: .cannotConnectToHost
        case .tls: .secureConnectionFailed
        case .pinMismatch: .serverCertificateUntrusted
        case .clientCertificate: .clientCertificateRequired
        case .nameResolution: .cannotFindHost
        case .timeout: .timedOut
        case .connectionLost: .networkConnectionLost
        case .malformed: .badServerResponse
        case .shutDown: .cancelled
        case .other: .unknown
        }
    }
}
