// The declarations of Alamofire that the guide "Coming from Alamofire" uses, so that its earlier code is type-checked without the
// library. Written from the library's public documentation (version 5), and without effect when called. They are in a type,
// because other modules have the same names.

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Stands for the module.
enum AlamofireStubs {
    /// An HTTP method.
    struct HTTPMethod: Sendable {
        static let get = HTTPMethod()
        static let post = HTTPMethod()
    }

    /// Adapts requests, and decides which are retried.
    protocol RequestInterceptor: Sendable {}

    /// A credential that expires.
    protocol AuthenticationCredential {
        var requiresRefresh: Bool { get }
    }

    /// The delegate of an `AuthenticationInterceptor`.
    protocol Authenticator: AnyObject, Sendable {
        associatedtype Credential: AuthenticationCredential & Sendable

        func apply(_ credential: Credential, to urlRequest: inout URLRequest)
        func refresh(
            _ credential: Credential, for session: Session, completion: @escaping @Sendable (Result<Credential, any Error>) -> Void)
        func didRequest(
            _ urlRequest: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError error: any Error
        ) -> Bool
        func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Credential) -> Bool
    }

    /// Attaches a credential, and refreshes it once for all requests.
    final class AuthenticationInterceptor<AuthenticatorType: Authenticator>: RequestInterceptor {
        init(authenticator: AuthenticatorType, credential: AuthenticatorType.Credential? = nil) {}
    }

    /// Sends requests.
    final class Session: Sendable {
        init(interceptor: (any RequestInterceptor)? = nil) {}

        func request(
            _ url: URL, method: HTTPMethod = .get, parameters: [String: String]? = nil
        ) -> DataRequest { DataRequest() }
    }

    /// A request in progress.
    final class DataRequest: Sendable {
        func validate() -> DataRequest { self }
        func serializingData() -> DataTask<Data> { DataTask() }
        func responseDecodable<Value: Decodable & Sendable>(
            of type: Value.Type, completionHandler: @escaping @Sendable (DataResponse<Value>) -> Void
        ) {}
    }

    /// The response.
    struct DataResponse<Value: Sendable>: Sendable {
        let result: Result<Value, any Error>
    }

    /// The response for `await`.
    struct DataTask<Value: Sendable>: Sendable {
        var value: Value { get async throws { throw CancellationError() } }
    }
}
