// The declarations of swift-openapi-runtime that the guide "Requests of other code" uses, so that its transport is compiled without
// the package. Written from the package's public documentation (version 1). They are in a type, because other modules have the
// same names.

import Foundation
import HTTPTypes

/// Stands for the module.
enum OpenAPIStubs {
    /// Performs the operations of a generated client.
    protocol ClientTransport: Sendable {
        func send(
            _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String
        ) async throws -> (HTTPResponse, HTTPBody?)
    }

    /// The number of times that a body can be read.
    enum IterationBehavior: Sendable {
        case single
        case multiple
    }

    /// The body of a request or a response.
    final class HTTPBody: AsyncSequence, Sendable {
        typealias ByteChunk = ArraySlice<UInt8>
        typealias Element = ByteChunk
        typealias Failure = any Error

        /// The length of a body.
        enum Length: Sendable {
            case unknown
            case known(Int64)
        }

        struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var base: any AsyncIteratorProtocol<ByteChunk, any Error>

            mutating func next() async throws -> ByteChunk? { try await base.next(isolation: nil) }
        }

        let length: Length
        let iterationBehavior: IterationBehavior
        private let makeBase: @Sendable () -> any AsyncIteratorProtocol<ByteChunk, any Error>

        init<Bytes: AsyncSequence<ByteChunk, any Error> & Sendable>(
            _ sequence: Bytes, length: Length, iterationBehavior: IterationBehavior
        ) {
            makeBase = { sequence.makeAsyncIterator() }
            self.length = length
            self.iterationBehavior = iterationBehavior
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: makeBase()) }
    }
}
