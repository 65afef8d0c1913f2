/// The SSH port forwarding by which the user's machine can reach a port of this machine.
struct PortForwarding: Sendable, Hashable {
    /// The command for the user's machine.
    let command: String

    /// - Parameters:
    ///   - authority: The address and port of the listener, such as `127.0.0.1:4321` or `[::1]:4321`.
    ///   - environment: The environment variables of the process. The result is `nil` without `SSH_CONNECTION`.
    init?(to authority: String, in environment: [String: String]) {
        guard let connection = environment["SSH_CONNECTION"], !connection.isEmpty else { return nil }
        // `SSH_CONNECTION` has the address and port of client and server. Only valid values are inserted into the command, which
        // users paste into a shell.
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
