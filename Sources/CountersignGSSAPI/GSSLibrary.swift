internal import CGSSAPI
@_spi(Generated) internal import Countersign
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// The functions of a GSSAPI library (RFC 2744) that was loaded at run time.
///
/// `@unchecked Sendable`: it contains only pointers to functions. They may be called from any thread, and stay valid, because the
/// library is never unloaded.
struct GSSLibrary: @unchecked Sendable {
    var importName: countersign_gss_import_name
    var releaseName: countersign_gss_release_name
    var acquireCredential: countersign_gss_acquire_credential
    var releaseCredential: countersign_gss_release_credential
    /// The function that restricts SPNEGO's mechanisms; `nil` if the library has none.
    var setMechanisms: countersign_gss_set_mechanisms?
    var initiate: countersign_gss_initiate
    var deleteContext: countersign_gss_delete_context
    var releaseBuffer: countersign_gss_release_buffer
    var displayStatus: countersign_gss_display_status

    #if canImport(Darwin)
    static let systemPath = "/System/Library/Frameworks/GSS.framework/GSS"
    private static let advice = "it is part of the system"
    #else
    static let systemPath = "libgssapi_krb5.so.2"
    private static let advice = "install MIT Kerberos, on Debian the package libgssapi-krb5-2"
    #endif

    private static let loaded = Mutex<[String: GSSLibrary]>([:])

    /// Loads a library, once per process.
    ///
    /// - Throws: An error with the code `noLibrary`. The next call tries again.
    static func load(_ path: String) throws(SecurityContextError) -> GSSLibrary {
        let result = loaded.withLock { loaded -> Result<GSSLibrary, SecurityContextError> in
            if let library = loaded[path] { return .success(library) }
            return Result { () throws(SecurityContextError) in
                let library = try GSSLibrary(path)
                loaded[path] = library
                return library
            }
        }
        return try result.get()
    }

    private init(_ path: String) throws(SecurityContextError) {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            let reason = dlerror().map { String(cString: $0) } ?? path
            throw SecurityContextError(
                .noLibrary, detail: GSSStatus.plain("the GSSAPI library cannot be loaded; \(Self.advice): \(reason)"))
        }
        func find<Function>(_ name: String, as type: Function.Type) throws(SecurityContextError) -> Function {
            guard let function = dlsym(handle, name) else {
                throw SecurityContextError(.noLibrary, detail: "the GSSAPI library \(path) has no \(name)")
            }
            // The symbol is a function of RFC 2744, and the type is its declaration there.
            return unsafeBitCast(function, to: type)
        }
        importName = try find("gss_import_name", as: countersign_gss_import_name.self)
        releaseName = try find("gss_release_name", as: countersign_gss_release_name.self)
        acquireCredential = try find("gss_acquire_cred", as: countersign_gss_acquire_credential.self)
        releaseCredential = try find("gss_release_cred", as: countersign_gss_release_credential.self)
        setMechanisms = try? find("gss_set_neg_mechs", as: countersign_gss_set_mechanisms.self)
        initiate = try find("gss_init_sec_context", as: countersign_gss_initiate.self)
        deleteContext = try find("gss_delete_sec_context", as: countersign_gss_delete_context.self)
        releaseBuffer = try find("gss_release_buffer", as: countersign_gss_release_buffer.self)
        displayStatus = try find("gss_display_status", as: countersign_gss_display_status.self)
    }

    /// Calls a function with a buffer of bytes, which is valid only during the call.
    func withBuffer<Value>(
        _ bytes: [UInt8], _ body: (UnsafeMutablePointer<countersign_gss_buffer>) throws -> Value
    ) rethrows -> Value {
        var bytes = bytes
        return try bytes.withUnsafeMutableBytes { bytes in
            var buffer = countersign_gss_buffer(length: bytes.count, value: bytes.baseAddress)
            return try body(&buffer)
        }
    }

    /// Returns the bytes of a buffer of the library, and releases the buffer.
    func take(_ buffer: inout countersign_gss_buffer) -> [UInt8] {
        let bytes = buffer.value.map { Array(UnsafeRawBufferPointer(start: $0, count: buffer.length)) } ?? []
        var minor: UInt32 = 0
        _ = releaseBuffer(&minor, &buffer)
        return bytes
    }
}
