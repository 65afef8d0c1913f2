#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What a user needs to allow a device without a browser (RFC 8628, section 3.3): a code, and the address where it is typed.
package struct DeviceCodeView: Sendable {
    private let method: String
    private let userCode: String
    private let verificationURL: URL
    private let completeURL: URL?
    private let deadline: Deadline

    /// Makes a view.
    ///
    /// - Parameters:
    ///   - authenticationMethod: The method's name in its spec.
    ///   - userCode: The code that the user types.
    ///   - verificationURL: Where it is typed.
    ///   - completeURL: The same with the code in it, for the QR code; `nil` if the server has none.
    ///   - end: When the code ends.
    ///   - timeZone: The user's time zone.
    package init(
        authenticationMethod: String, userCode: String, verificationURL: URL, completeURL: URL?, end: Date,
        timeZone: TimeZone = .current
    ) {
        method = authenticationMethod
        self.userCode = userCode
        self.verificationURL = verificationURL
        self.completeURL = completeURL
        deadline = Deadline(date: end, timeZone: timeZone)
    }

    /// Shows the code on a terminal.
    package func show(on terminal: Terminal) {
        terminal.write("\n")
        terminal.write(paragraph: "Login for \(method), in a browser on this or any other device.")
        terminal.write("\n")
        terminal.writeCode(of: (completeURL ?? verificationURL).absoluteString)
        terminal.write("Open this address:\n\n\(verificationURL.absoluteString)\n\nand type this code there: \(shownCode)\n\n")
        terminal.write("Waiting for the login until \(deadline.time). Ctrl-C ends it.\n")
    }

    /// The code without what a terminal would obey: it comes from a server.
    private var shownCode: String {
        String(String.UnicodeScalarView(userCode.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}
