/// How a port of this machine is reached from the machine that a user has logged in from by SSH.
struct PortForwarding: Sendable, Hashable {
    /// The command for that machine.
    let command: String

    /// - Parameters:
    ///   - authority: The address and port that is listened on, such as `127.0.0.1:4321` or `[::1]:4321`.
    ///   - environment: The process's environment; `nil` comes of one without `SSH_CONNECTION`.
    init?(to authority: String, in environment: [String: String]) {
        guard let connection = environment["SSH_CONNECTION"], !connection.isEmpty else { return nil }
        // The client's address and port, and the server's: of a shell's words, only what is an address goes into a command.
        let parts = connection.split(separator: " ")
        let port = authority.utf8.split(separator: UInt8(ascii: ":")).last.map { String(Substring($0)) } ?? ""
        var command = "ssh -N -L \(port):\(authority)"
        var host = "this-machine"
        if parts.count == 4, parts[2].allSatisfy({ $0.isHexDigit || ".:".contains($0) }), let sshPort = UInt16(parts[3]) {
            host = String(parts[2])
            if sshPort != 22 { command += " -p \(sshPort)" }
        }
        let user = [environment["USER"], environment["LOGNAME"]].lazy.compactMap(\.self).first(where: Self.isPlain)
        self.command = "\(command) \(user.map { "\($0)@" } ?? "")\(host)"
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix("-")
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
