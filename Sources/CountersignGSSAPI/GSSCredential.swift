internal import CGSSAPI
@_spi(Generated) internal import Countersign

/// A credential of the library, which is released with the object. It refers to tickets, or to the credentials of another
/// mechanism.
final class GSSCredential {
    let handle: OpaquePointer
    private let library: GSSLibrary

    /// - Parameter name: The owner of the credential; `nil` for the default.
    /// - Throws: The library's status, which the caller converts to an error.
    init(of name: GSSName?, for mechanism: GSSMechanism, with library: GSSLibrary) throws(GSSStatus) {
        var handle: OpaquePointer?
        var minor: UInt32 = 0
        let major = mechanism.withSet { set in
            library.acquireCredential(&minor, name?.handle, 0, set, Int32(COUNTERSIGN_GSS_INITIATE), &handle, nil, nil)
        }
        let status = GSSStatus(major, minor, of: mechanism, with: library)
        // After an error there is no credential (RFC 2744, section 5.2).
        guard !status.isError, let handle else { throw status }
        self.handle = handle
        self.library = library
    }

    /// Restricts SPNEGO to one mechanism.
    ///
    /// - Returns: Whether the library supports the restriction.
    func restrict(to mechanism: GSSMechanism) throws(GSSStatus) -> Bool {
        guard let setMechanisms = library.setMechanisms else { return false }
        var minor: UInt32 = 0
        let major = mechanism.withSet { setMechanisms(&minor, handle, $0) }
        let status = GSSStatus(major, minor, of: .spnego, with: library)
        if status.isError { throw status }
        return true
    }

    deinit {
        var handle = Optional(handle)
        var minor: UInt32 = 0
        _ = library.releaseCredential(&minor, &handle)
    }
}
