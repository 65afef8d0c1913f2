internal import Countersign
internal import Foundation

extension Error {
    /// Whether a server could not be reached: that of the request, or the token endpoint of a renewal that comes before it.
    var isOffline: Bool {
        switch self {
        case let error as URLError: error.isOfUnreachableServer
        case let error as TransportError: error.isOfUnreachableServer
        // A login that its user did not end in time has the same code, and names its method. So does a renewal without the user, whose
        // time limit can be reached before that of its request.
        case let error as CountersignError:
            error.code == .timedOut && (error.authenticationMethod == nil || error.isSilenceOfServer)
        case let error as any DescribedError: (error.occurrence.error as? TransportError)?.isOfUnreachableServer ?? false
        default: false
        }
    }
}

extension URLError {
    fileprivate var isOfUnreachableServer: Bool {
        switch code {
        case .notConnectedToInternet, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .networkConnectionLost, .timedOut:
            true
        default: false
        }
    }
}

extension TransportError {
    fileprivate var isOfUnreachableServer: Bool {
        switch reason {
        case .connect, .nameResolution, .proxy, .connectionLost, .timeout: true
        default: false
        }
    }
}
