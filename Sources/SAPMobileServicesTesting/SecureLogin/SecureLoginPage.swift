internal import CountersignTesting

/// A page of a login, with its texts and fields.
struct SecureLoginPage: Sendable {
    /// A field of the page.
    struct Field: Sendable {
        let name: String
        let prompt: String
        var isHidden = true
        /// The name of the field whose value must be repeated.
        var confirms: String?
    }

    let message: String?
    let messageType: String?
    let disclaimer: String?
    let fields: [Field]

    init(_ round: MockSecureLoginOptions.Round) {
        switch round {
        case .password:
            self.init(
                "Log in with your name and password.", "information",
                fields: [Field(name: "user", prompt: "User name", isHidden: false), Field(name: "password", prompt: "Password")])
        case .passcode:
            self.init(
                "Enter the passcode that was sent to you.", "information", fields: [Field(name: "passcode", prompt: "Passcode")])
        case .newPassword:
            self.init(
                "Your password has expired.", "warning",
                fields: [
                    Field(name: "new", prompt: "New password"),
                    Field(name: "again", prompt: "Repeat the new password", confirms: "new"),
                ])
        case .disclaimer(let text): self.init(nil, nil, disclaimer: text, fields: [])
        }
    }

    private init(_ message: String?, _ messageType: String?, disclaimer: String? = nil, fields: [Field]) {
        self.message = message
        self.messageType = messageType
        self.disclaimer = disclaimer
        self.fields = fields
    }

    /// Sets the members of a response.
    func write(to members: inout JSONMembers) {
        if let message { members.set("clientMessage", to: message) }
        if let messageType { members.set("messageType", to: messageType) }
        if let disclaimer { members.set("disclaimer", to: disclaimer) }
        let fields = fields.map { field in
            var members = JSONMembers()
            members.set("fieldName", to: field.name)
            members.set("prompt", to: field.prompt)
            if !field.isHidden { members.set("preset", to: "") }
            members.set("type", to: field.isHidden ? "hidden" : "plain")
            if let confirmed = field.confirms { members.set("confirmField", to: confirmed) }
            return members.text
        }
        members.set("inputFields", toJSON: "[" + fields.joined(separator: ",") + "]")
    }
}
