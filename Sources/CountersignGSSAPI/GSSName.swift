internal import CGSSAPI
@_spi(Generated) internal import Countersign

/// A name of the library, which is released with the object.
final class GSSName {
    let handle: OpaquePointer
    private let library: GSSLibrary

    /// - Parameter type: The type of the name, a constant of the process.
    /// - Throws: An error with the code `failed` for an invalid name.
    init(_ text: String, type: UnsafePointer<countersign_gss_oid>, with library: GSSLibrary) throws(SecurityContextError) {
        var handle: OpaquePointer?
        var minor: UInt32 = 0
        let major = library.withBuffer(Array(text.utf8)) { library.importName(&minor, $0, type, &handle) }
        let status = GSSStatus(major, minor, of: nil, with: library)
        guard !status.isError, let handle else {
            throw SecurityContextError(.failed, detail: "the name of the service or the user cannot be used: \(status.text)")
        }
        self.handle = handle
        self.library = library
    }

    deinit {
        var handle = Optional(handle)
        var minor: UInt32 = 0
        _ = library.releaseName(&minor, &handle)
    }
}
