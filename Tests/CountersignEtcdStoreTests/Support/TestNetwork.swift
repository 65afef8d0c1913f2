import Foundation
import TestTurns
import Testing

/// Machines whose connections a test can cut: network namespaces of this kernel.
///
/// Each machine is connected with the others by a switch, and with this machine twice, so that the clients of one side can be cut
/// off while the others are not. A connection that is cut drops packets silently, and retransmitted packets arrive when it is
/// restored, as in a real network.
struct TestNetwork {
    /// A machine.
    struct Machine {
        let namespace: String
        /// The address at which the other machines reach it.
        let peerAddress: String
        /// The addresses at which this machine reaches it, one for each side.
        let addresses: [String]

        /// The command that starts a program on the machine.
        var wrapper: [String] { ["ip", "netns", "exec", namespace] }
    }

    let machines: [Machine]

    private static let bridge = "countersign-switch"

    /// Whether namespaces can be made, which requires root and the program `ip`.
    static let isPossible: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["sh", "-c", "PATH=$PATH:/usr/sbin; ip -V && unshare -n true"]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Makes a network, runs a test, and removes the network.
    static func run(_ count: Int, _ body: (TestNetwork) async throws -> Void) async throws {
        let machines = (0..<count).map { number in
            Machine(
                namespace: "countersign-\(number)", peerAddress: "10.213.200.\(number + 1)",
                addresses: (0..<2).map { "10.213.\(number).\(4 * $0 + 2)" })
        }
        let names = machines.map(\.namespace) + [bridge]
        // A run that was killed may have left its namespaces.
        let remove = names.map { "ip netns del \($0) 2>/dev/null || true" }
        var commands = remove + names.map { "ip netns add \($0)" }
        commands += ["ip -n \(bridge) link add br0 type bridge", "ip -n \(bridge) link set dev br0 up"]
        for (number, machine) in machines.enumerated() {
            let ip = "ip -n \(machine.namespace)"
            commands += [
                "\(ip) link set dev lo up",
                "\(ip) link add peer0 type veth peer name port\(number) netns \(bridge)",
                "ip -n \(bridge) link set dev port\(number) master br0", "ip -n \(bridge) link set dev port\(number) up",
                "\(ip) addr add \(machine.peerAddress)/24 dev peer0", "\(ip) link set dev peer0 up",
            ]
            for (side, address) in machine.addresses.enumerated() {
                let here = "csign\(number)s\(side)"
                commands += [
                    "ip link add \(here) type veth peer name side\(side) netns \(machine.namespace)",
                    "ip addr add 10.213.\(number).\(4 * side + 1)/30 dev \(here)", "ip link set dev \(here) up",
                    "\(ip) addr add \(address)/30 dev side\(side)", "\(ip) link set dev side\(side) up",
                ]
            }
        }
        do {
            try await shell(commands)
            try await body(TestNetwork(machines: machines))
        } catch {
            try await shell(remove)
            throw error
        }
        try await shell(remove)
    }

    /// Cuts or restores the connection of one side's clients with all machines.
    func set(side: Int, isUp: Bool) async throws {
        try await Self.shell(machines.map { "ip -n \($0.namespace) link set dev side\(side) \(isUp ? "up" : "down")" })
    }

    /// Cuts or restores the connection of a machine with the others. Its clients still reach it.
    func set(machine: Int, isUp: Bool) async throws {
        try await Self.shell(["ip -n \(machines[machine].namespace) link set dev peer0 \(isUp ? "up" : "down")"])
    }

    private static func shell(_ commands: [String]) async throws {
        let script = (["PATH=$PATH:/usr/sbin"] + commands).joined(separator: "\n")
        _ = try await ForeignProgram.output(of: ["sh", "-ec", script])
    }
}
