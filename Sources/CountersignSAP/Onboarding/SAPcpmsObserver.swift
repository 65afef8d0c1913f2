internal import Countersign
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Adds the identifiers of application and device to requests to one server: `X-SMP-APPID` and `X-SMP-DEVICEID`.
public final class SAPcpmsObserver: SAPURLSessionObserving {
    private let origin: Origin?
    private let fields: [String: String]

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - applicationID: The application's identifier at the server.
    ///   - deviceID: The device's identifier; `nil` sends none.
    ///   - backendURL: The server. Requests to other servers are unchanged. `nil` means every server.
    public init(applicationID: String, deviceID: String? = nil, backendURL: URL? = nil) {
        origin = backendURL.flatMap { Origin($0) }
        var fields = ["X-SMP-APPID": applicationID]
        fields["X-SMP-DEVICEID"] = deviceID
        self.fields = fields
    }

    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void
    ) {
        var request = request
        if origin == nil || request.url.flatMap({ Origin($0) }) == origin {
            for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        }
        completionHandler(.use(request))
    }
}
