internal import CGSSAPI

/// A mechanism, or what SPNEGO negotiates one with.
enum GSSMechanism: CaseIterable {
    case spnego, kerberos, ntlm

    /// A constant of the process.
    var identifier: UnsafePointer<countersign_gss_oid> {
        switch self {
        case .spnego: countersign_gss_mechanism_spnego()
        case .kerberos: countersign_gss_mechanism_kerberos()
        case .ntlm: countersign_gss_mechanism_ntlm()
        }
    }

    /// - Parameter identifier: The library's, valid during the call.
    /// - Returns: `nil` for none and for one that is not known here.
    init?(_ identifier: UnsafePointer<countersign_gss_oid>?) {
        guard let identifier else { return nil }
        let bytes = Self.bytes(identifier)
        guard let mechanism = Self.allCases.first(where: { Self.bytes($0.identifier).elementsEqual(bytes) }) else { return nil }
        self = mechanism
    }

    /// Lends the set that has this mechanism alone.
    func withSet<Value>(_ body: (UnsafeMutablePointer<countersign_gss_oid_set>) -> Value) -> Value {
        var element = identifier.pointee
        return withUnsafeMutablePointer(to: &element) { element in
            var set = countersign_gss_oid_set(count: 1, elements: element)
            return body(&set)
        }
    }

    private static func bytes(_ identifier: UnsafePointer<countersign_gss_oid>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: identifier.pointee.elements, count: Int(identifier.pointee.length))
    }
}
