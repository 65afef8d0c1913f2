import TestTurns
import Testing

@testable import CountersignBrowser

@Suite(.takesTurns) struct `Port forwarding` {
    private func command(_ connection: String?, user: String? = "alice", authority: String = "127.0.0.1:4321") -> String? {
        PortForwarding(to: authority, in: ["SSH_CONNECTION": connection, "USER": user].compactMapValues(\.self))?.command
    }

    @Test func `the command names the port, the user and the machine`() {
        #expect(command("198.51.100.7 51000 203.0.113.5 22") == "ssh -N -L 4321:127.0.0.1:4321 alice@203.0.113.5")
        #expect(command("198.51.100.7 51000 203.0.113.5 2222") == "ssh -N -L 4321:127.0.0.1:4321 -p 2222 alice@203.0.113.5")
        #expect(
            command("2001:db8::7 51000 2001:db8::5 22", authority: "[::1]:4321") == "ssh -N -L 4321:[::1]:4321 alice@2001:db8::5")
        #expect(command("198.51.100.7 51000 203.0.113.5 22", user: nil) == "ssh -N -L 4321:127.0.0.1:4321 203.0.113.5")
    }

    @Test(arguments: ["a b $(id) 22", "a b ;reboot 22", "one", "a b 203.0.113.5 ssh", "a b -oProxyCommand=id 22"])
    func `nothing of the environment becomes a word of a shell but an address`(connection: String) {
        #expect(command(connection, user: "alice; reboot") == "ssh -N -L 4321:127.0.0.1:4321 this-machine")
    }

    @Test func `without SSH there is none`() {
        #expect(command(nil) == nil)
        #expect(command("") == nil)
    }
}
