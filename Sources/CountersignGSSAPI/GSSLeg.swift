internal import CGSSAPI

/// The result of one call of `gss_init_sec_context` (RFC 2744, section 5.19).
struct GSSLeg {
    let status: GSSStatus
    /// The token for the server; `nil` for none. After an error, it reports the error to the server.
    let token: [UInt8]?
    /// Whether the mechanism reports that the server is authenticated.
    let isMutual: Bool
    /// The mechanism that SPNEGO negotiated; `nil` if that is undecided or unknown.
    let mechanism: GSSMechanism?
}

extension GSSLibrary {
    /// Performs one leg, with mutual authentication and without delegation.
    ///
    /// - Parameters:
    ///   - context: The context, `nil` at first. The caller deletes it.
    ///   - credential: The credential; `nil` for the default.
    ///   - input: The server's token, not empty; `nil` at first. MIT Kerberos 1.20 crashes for a begun context without a token.
    func makeLeg(
        of context: inout OpaquePointer?, for target: GSSName, with credential: GSSCredential?, by mechanism: GSSMechanism,
        bindings: [UInt8]?, input: [UInt8]?
    ) -> GSSLeg {
        var minor: UInt32 = 0
        var output = countersign_gss_buffer()
        var flags: UInt32 = 0
        var actual: UnsafeMutablePointer<countersign_gss_oid>?
        let major = withBindings(bindings) { bindings in
            withOptionalBuffer(input) { input in
                initiate(
                    &minor, credential?.handle, &context, target.handle, mechanism.identifier, UInt32(COUNTERSIGN_GSS_MUTUAL), 0,
                    bindings,
                    input, &actual, &output, &flags, nil)
            }
        }
        // The status text must be read first, since releasing the token is another call.
        let status = GSSStatus(major, minor, of: mechanism, with: self)
        let token = take(&output)
        return GSSLeg(
            status: status, token: token.isEmpty ? nil : token, isMutual: flags & UInt32(COUNTERSIGN_GSS_MUTUAL) != 0,
            mechanism: GSSMechanism(actual))
    }

    /// Deletes a context, if there is one.
    func delete(_ context: inout OpaquePointer?) {
        guard context != nil else { return }
        var minor: UInt32 = 0
        _ = deleteContext(&minor, &context, nil)
        context = nil
    }

    /// Calls a function with channel bindings that have no addresses, and the bytes as application data, as is usual for RFC
    /// 5929.
    private func withBindings<Value>(
        _ bytes: [UInt8]?, _ body: (UnsafeMutablePointer<countersign_gss_channel_bindings>?) -> Value
    ) -> Value {
        guard let bytes else { return body(nil) }
        return withBuffer(bytes) { buffer in
            var bindings = countersign_gss_channel_bindings()
            bindings.initiator_address_type = UInt32(COUNTERSIGN_GSS_UNSPECIFIED_ADDRESS)
            bindings.acceptor_address_type = UInt32(COUNTERSIGN_GSS_UNSPECIFIED_ADDRESS)
            bindings.application_data = buffer.pointee
            return body(&bindings)
        }
    }

    private func withOptionalBuffer<Value>(
        _ bytes: [UInt8]?, _ body: (UnsafeMutablePointer<countersign_gss_buffer>?) -> Value
    ) -> Value {
        guard let bytes else { return body(nil) }
        return withBuffer(bytes) { body($0) }
    }
}
