// The declarations of Alamofire that the guide "Coming from Alamofire" uses, so that its code from before is type-checked where the library
// is not a dependency. Written from the library's public documentation (version 5); nothing happens when one is called. They are within a
// type, since their names are also those of other modules.

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What stands for the module.
enum AlamofireStubs {
    /// A method of HTTP.
    struct HTTPMethod: Sendable {
        static let get = HTTPMethod()
        static let post = HTTPMethod()
    }

    /// Adapts requests, and says which are sent again.
    protocol RequestInterceptor: Sendable {}

    /// A credential with an end.
    protocol AuthenticationCredential {
        var requiresRefresh: Bool { get }
    }

    /// What an `AuthenticationInterceptor` asks.
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

    /// A request that is on its way.
    final class DataRequest: Sendable {
        func validate() -> DataRequest { self }
        func serializingData() -> DataTask<Data> { DataTask() }
        func responseDecodable<Value: Decodable & Sendable>(
            of type: Value.Type, completionHandler: @escaping @Sendable (DataResponse<Value>) -> Void
        ) {}
    }

    /// What has come back.
    struct DataResponse<Value: Sendable>: Sendable {
        let result: Result<Value, any Error>
    }

    /// The same for `await`.
    struct DataTask<Value: Sendable>: Sendable {
        var value: Value { get async throws { throw CancellationError() } }
    }
}
