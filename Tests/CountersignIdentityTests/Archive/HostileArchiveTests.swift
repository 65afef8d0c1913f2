import Countersign
import Foundation
import TestTurns
import Testing

@testable import CountersignIdentity

/// Archives with random but reproducible damage: each is read, or causes a typed error, and never traps.
@Suite(.computes) struct `Hostile archives` {
    /// SplitMix64 by Steele, Lea and Flood, which is small and gives the same numbers everywhere.
    struct SeededGenerator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }

        mutating func bytes(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
        }

        /// Changes, inserts, removes, repeats or truncates bytes, one to four times.
        mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
            var bytes = bytes
            for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
                let place = Int.random(in: bytes.indices, using: &self)
                switch Int.random(in: 0..<8, using: &self) {
                case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
                case 1: bytes[place] = UInt8.random(in: .min ... .max, using: &self)
                case 2:
                    bytes[place] =
                        [0x00, 0x01, 0x7F, 0x80, 0x81, 0x84, 0xFF, 0x30, 0x24, 0xA0][Int.random(in: 0..<10, using: &self)]
                case 3: bytes.insert(UInt8.random(in: .min ... .max, using: &self), at: place)
                case 4: bytes.remove(at: place)
                case 5: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...64, using: &self)))
                case 6: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 64)], at: place)
                default: bytes = Array(bytes[..<place])
                }
            }
            return bytes
        }
    }

    private static let rounds = 500

    /// Reads an archive, and returns the outcome.
    private func outcome(_ bytes: [UInt8]) throws -> (code: String, identity: ClientIdentity?) {
        do throws(IdentityError) {
            let archive = try PKCS12Archive(reading: bytes, at: TestIdentity.now)
            // Whatever the archive contains now, key and certificate must match.
            return (
                "read", try ClientIdentity(certificates: archive.identity.certificateChain, privateKey: archive.identity.privateKey)
            )
        } catch {
            return (error.code.rawValue, nil)
        }
    }

    @Test(arguments: [UInt64(1), 2, 3, 4]) func `a damaged archive is the same archive or an error`(seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        let identity = try TestIdentity.unchanging()
        let der = try PKCS12Archive.write(identity, password: "", iterations: 1, random: { generator.bytes($0) }).bytes
        let whole = seed.isMultiple(of: 2) ? der : Structure.indefinite(der)
        var outcomes: [String: Int] = [:]
        for _ in 0..<Self.rounds {
            let (outcome, read) = try outcome(generator.damage(whole))
            outcomes[outcome, default: 0] += 1
            // The MAC covers everything except itself and the outermost structure.
            if let read { #expect(read == identity) }
        }
        for code in [IdentityError.Code.malformed, .truncated, .wrongPassword] {
            #expect(outcomes[code.rawValue] != nil, "the damage reached too little: \(outcomes)")
        }
    }

    @Test(arguments: [UInt64(11), 12, 13, 14]) func `damaged contents with a right code are an identity or an error`(seed: UInt64)
        throws
    {
        var generator = SeededGenerator(state: seed)
        let identity = try TestIdentity.unchanging()
        let contents = Structure.sequence(
            Structure.plain(Structure.key(identity.privateKey), Structure.certificate(identity.certificateChain[0])),
            Structure.plain(Structure.certificate(identity.certificateChain[1])))
        let writer = PKCS12Writer(password: ArchivePassword(""), iterations: 1)
        var outcomes: [String: Int] = [:]
        for _ in 0..<Self.rounds {
            outcomes[try outcome(writer.sealed(generator.damage(contents), salt: [1])).code, default: 0] += 1
        }
        for code in [IdentityError.Code.malformed, .unsupported, .noCertificate] {
            #expect(outcomes[code.rawValue] != nil, "the damage reached too little: \(outcomes)")
        }
    }

    @Test(arguments: [UInt64(21), 22]) func `damaged contents without a code are an identity or an error`(seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        let whole = try PKCS12Archive.write(TestIdentity.unchanging(), password: "", iterations: 1, random: { generator.bytes($0) })
            .bytes
        // The contents of the written archive begin at byte 30, after their length.
        let count = Int(whole[28]) << 8 | Int(whole[29])
        let contents = Array(whole[30..<(30 + count)])
        var outcomes: [String: Int] = [:]
        for _ in 0..<Self.rounds {
            let damaged = Structure.tagged(Structure.octets(generator.damage(contents)))
            let bare = Structure.sequence(Structure.integer(3), Structure.sequence(Structure.data, damaged))
            outcomes[try outcome(bare).code, default: 0] += 1
        }
        for code in [IdentityError.Code.malformed, .wrongPassword, .unsupported] {
            #expect(outcomes[code.rawValue] != nil, "the damage reached too little: \(outcomes)")
        }
    }

    @Test(arguments: [UInt64(31), 32]) func `damaged encryption of old archives is an error`(seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        let contents = Structure.sequence(
            Structure.encrypted(
                [UInt8](repeating: 5, count: 64), algorithm: Structure.tripleDES(salt: [1, 2, 3, 4, 5, 6, 7, 8], iterations: 2)))
        let writer = PKCS12Writer(password: ArchivePassword(""), iterations: 1)
        var outcomes: [String: Int] = [:]
        for _ in 0..<Self.rounds {
            outcomes[try outcome(writer.sealed(generator.damage(contents), salt: [1])).code, default: 0] += 1
        }
        for code in [IdentityError.Code.malformed, .unsupported] {
            #expect(outcomes[code.rawValue] != nil, "the damage reached too little: \(outcomes)")
        }
        #expect(outcomes["read"] == nil)
    }
}
