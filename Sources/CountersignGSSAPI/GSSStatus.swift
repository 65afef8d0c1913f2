internal import CGSSAPI
@_spi(Generated) internal import Countersign

/// The status of a call: its codes, and the library's text for them, without control characters and at most 300 characters long.
struct GSSStatus: Error, Sendable, Hashable {
    /// The library's text for both codes; empty for success.
    let text: String
    private let major: UInt32
    private let minor: UInt32

    /// Creates a status and reads its text. It must be called on the thread of the failed call and before any other, since the
    /// library keeps the text of the mechanism only until then.
    init(_ major: UInt32, _ minor: UInt32, of mechanism: GSSMechanism?, with library: GSSLibrary) {
        self.major = major
        self.minor = minor
        guard major >> 16 != 0 else {
            text = ""
            return
        }
        var texts: [String] = []
        // The code for "failure" only means that the minor code has the reason.
        if Self.routineError(major) != UInt32(COUNTERSIGN_GSS_FAILURE) || minor == 0 {
            texts += Self.texts(of: major, kind: COUNTERSIGN_GSS_GSS_CODE, mechanism: nil, with: library)
        }
        if minor != 0 {
            texts += Self.texts(of: minor, kind: COUNTERSIGN_GSS_MECHANISM_CODE, mechanism: mechanism, with: library)
        }
        text = Self.plain(texts.filter { !$0.isEmpty }.joined(separator: ": "))
    }

    var isError: Bool { major >> 16 != 0 }

    /// Whether the library needs another token of the server.
    var needsToken: Bool { !isError && major & UInt32(COUNTERSIGN_GSS_CONTINUE_NEEDED) != 0 }

    /// Converts the status of a Kerberos call to an error for the caller. The minor codes of SPNEGO cannot be interpreted, since
    /// they are arbitrary numbers of the library.
    ///
    /// - Parameter service: The service of the context.
    func error(for service: String) -> SecurityContextError {
        let minor = Int(Int32(bitPattern: minor))
        switch (Int(Self.routineError(major)), minor) {
        case (Int(COUNTERSIGN_GSS_CREDENTIALS_EXPIRED), _), (_, Int(COUNTERSIGN_KRB5_TICKET_EXPIRED)):
            return SecurityContextError(.expiredTicket, detail: "the Kerberos ticket has expired; get another with kinit: \(text)")
        case (_, Int(COUNTERSIGN_KRB5_SERVER_UNKNOWN)):
            return SecurityContextError(.unknownServer, detail: "the KDC does not know the service \(Self.plain(service)): \(text)")
        case (Int(COUNTERSIGN_GSS_NO_CREDENTIAL), _), (_, Int(COUNTERSIGN_KRB5_NOT_IN_CACHE)),
            (_, Int(COUNTERSIGN_KRB5_NO_CACHE_FILE)):
            return SecurityContextError(.noTicket, detail: "there is no Kerberos ticket; get one with kinit: \(text)")
        default: return SecurityContextError(.failed, detail: "GSSAPI failed: \(text)")
        }
    }

    /// Returns a text without control characters, truncated to 300 characters.
    static func plain(_ text: String) -> String {
        let scalars = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        let plain = String(String.UnicodeScalarView(scalars))
        return plain.count > 300 ? plain.prefix(299) + "…" : plain
    }

    private static func routineError(_ major: UInt32) -> UInt32 { major >> 16 & 0xFF }

    /// Returns the texts of a code, of which there may be several.
    private static func texts(
        of code: UInt32, kind: Int, mechanism: GSSMechanism?, with library: GSSLibrary
    ) -> [String] {
        var texts: [String] = []
        var position: UInt32 = 0
        repeat {
            var minor: UInt32 = 0
            var buffer = countersign_gss_buffer()
            let major = library.displayStatus(&minor, code, Int32(kind), mechanism?.identifier, &position, &buffer)
            let text = String(decoding: library.take(&buffer), as: UTF8.self)
            guard major >> 16 == 0 else { break }
            texts.append(text)
        } while position != 0 && texts.count < 4
        return texts
    }
}
