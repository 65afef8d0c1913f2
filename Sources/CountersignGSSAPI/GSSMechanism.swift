internal import CGSSAPI

/// A security mechanism, including SPNEGO, which negotiates one.
enum GSSMechanism: CaseIterable {
    case spnego, kerberos, ntlm

    /// The object identifier, a constant of the process.
    var identifier: UnsafePointer<countersign_gss_oid> {
        switch self {
        case .spnego: countersign_gss_mechanism_spnego()
        case .kerberos: countersign_gss_mechanism_kerberos()
        case .ntlm: countersign_gss_mechanism_ntlm()
        }
    }

    /// - Parameter identifier: The identifier from the library, valid during the call.
    /// - Returns: `nil` for no or an unknown mechanism.
    init?(_ identifier: UnsafePointer<countersign_gss_oid>?) {
        guard let identifier else { return nil }
        let bytes = Self.bytes(identifier)
        guard let mechanism = Self.allCases.first(where: { Self.bytes($0.identifier).elementsEqual(bytes) }) else { return nil }
        self = mechanism
    }

    /// Calls a function with the set of only this mechanism.
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
