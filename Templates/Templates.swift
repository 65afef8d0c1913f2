/// The texts of the templates, which are part of the tool: it needs no file beside it.
package enum TemplateTexts {
    /// The texts by the templates' names.
    package static var all: [String: String] {
        [
            "Header": text(PackageResources.Header_swift_stencil),
            "Parameters": text(PackageResources.Parameters_swift_stencil),
            "Errors": text(PackageResources.Errors_swift_stencil),
            "Method": text(PackageResources.Method_swift_stencil),
            "Authenticator": text(PackageResources.Authenticator_swift_stencil),
            "Observer": text(PackageResources.Observer_swift_stencil),
            "Grants": text(PackageResources.Grants_swift_stencil),
            "GrantAuthenticator": text(PackageResources.GrantAuthenticator_swift_stencil),
            "GrantObserver": text(PackageResources.GrantObserver_swift_stencil),
            "CredentialObserver": text(PackageResources.CredentialObserver_swift_stencil),
            "ObserverSendable": text(PackageResources.ObserverSendable_swift_stencil),
            "Enrolment": text(PackageResources.Enrolment_swift_stencil),
            "Operation": text(PackageResources.Operation_swift_stencil),
            "Program": text(PackageResources.Program_swift_stencil),
            "Programs": text(PackageResources.Programs_swift_stencil),
            "Landscape": text(PackageResources.Landscape_swift_stencil),
        ]
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
