internal import CGSSAPI
@_spi(Generated) internal import Countersign
internal import Foundation
internal import Testing

@testable @_spi(Generated) internal import CountersignGSSAPI

/// The server's side of a context: the library's own acceptor, with the service's key.
final class Acceptor {
    /// The result of a leg of the server.
    struct Leg {
        /// The upper half of the major status: 0 for no error, 4 for other channel bindings (RFC 2744, section 3.9.1).
        let error: UInt32
        let isComplete: Bool
        let token: [UInt8]?
        /// The name of the client; `nil` until it is known.
        let client: String?
    }

    private typealias Accept =
        @convention(c) (
            UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<OpaquePointer?>?, OpaquePointer?,
            UnsafeMutablePointer<countersign_gss_buffer>?, UnsafeMutablePointer<countersign_gss_channel_bindings>?,
            UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<UnsafeMutablePointer<countersign_gss_oid>?>?,
            UnsafeMutablePointer<countersign_gss_buffer>?, UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<UInt32>?,
            UnsafeMutablePointer<OpaquePointer?>?
        ) -> UInt32
    private typealias DisplayName =
        @convention(c) (
            UnsafeMutablePointer<UInt32>?, OpaquePointer?, UnsafeMutablePointer<countersign_gss_buffer>?,
            UnsafeMutablePointer<UnsafeMutablePointer<countersign_gss_oid>?>?
        ) -> UInt32

    private let library: GSSLibrary
    private let bindings: [UInt8]?
    private let accept: Accept
    private let displayName: DisplayName
    private var context: OpaquePointer?

    init(bindings: [UInt8]? = nil) throws {
        library = try GSSLibrary.load(GSSLibrary.systemPath)
        self.bindings = bindings
        let handle = try #require(dlopen(GSSLibrary.systemPath, RTLD_NOW))
        // The functions as RFC 2744 declares them, in sections 5.1 and 5.10.
        accept = unsafeBitCast(try #require(dlsym(handle, "gss_accept_sec_context")), to: Accept.self)
        displayName = unsafeBitCast(try #require(dlsym(handle, "gss_display_name")), to: DisplayName.self)
    }

    deinit { library.delete(&context) }

    func answer(to token: [UInt8]?) throws -> Leg {
        let token = try #require(token)
        var minor: UInt32 = 0
        var output = countersign_gss_buffer()
        var client: OpaquePointer?
        let major = library.withBuffer(token) { input in
            library.withBuffer(bindings ?? []) { data in
                var structure = countersign_gss_channel_bindings()
                structure.application_data = data.pointee
                return withUnsafeMutablePointer(to: &structure) { structure in
                    accept(
                        &minor, &context, nil, input, bindings == nil ? nil : structure, &client, nil, &output, nil, nil, nil)
                }
            }
        }
        let answer = library.take(&output)
        let isComplete = major == 0
        var name: String?
        if isComplete {
            var text = countersign_gss_buffer()
            _ = displayName(&minor, client, &text, nil)
            // A name of NTLM ends with a zero byte.
            name = String(decoding: library.take(&text).filter { $0 != 0 }, as: UTF8.self)
        }
        _ = library.releaseName(&minor, &client)
        return Leg(error: major >> 16, isComplete: isComplete, token: answer.isEmpty ? nil : answer, client: name)
    }
}

extension SecurityContext {
    /// Completes all legs with a server.
    ///
    /// - Returns: The client's name according to the server, and the number of tokens that the client has sent.
    func complete(with acceptor: Acceptor) async throws -> (client: String?, tokens: Int) {
        var step = try await next(after: nil)
        var tokens = 0
        var client: String?
        while let token = step.token {
            tokens += 1
            let answer = try acceptor.answer(to: token)
            try #require(answer.error == 0)
            client = answer.client
            if step.isComplete { break }
            step = try await next(after: answer.token)
        }
        #expect(step.isComplete)
        return (client, tokens)
    }
}
