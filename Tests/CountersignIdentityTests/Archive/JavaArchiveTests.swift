import Countersign
import CountersignIdentity
import TestTurns
import Testing

/// The archives of Java's key stores.
@Suite(
    .takesTurns, .enabled(if: KeyTool.isThere, "there is no keytool here; install a Java runtime to see what Java reads and writes")
)
struct `Archives of Java` {
    @Test(arguments: [[], ["-J-Dkeystore.pkcs12.legacy"]] as [[String]])
    func `what Java writes is read, modern and legacy`(options: [String]) throws {
        let arguments = [
            "-genkeypair", "-alias", "ada", "-keyalg", "RSA", "-keysize", "2048", "-dname", "CN=Ada", "-validity", "3000",
            "-storetype", "PKCS12", "-keystore", "archive.p12", "-storepass", "geheim",
        ]
        let result = try Program.run(["keytool"] + options + arguments, returning: "archive.p12")
        let bytes = try #require(result.file, "\(result.text)\(result.errors)")
        let archive = try PKCS12Archive(reading: bytes, password: "geheim", at: TestIdentity.now)
        #expect(archive.identity.certificateChain.count == 1)
    }

    @Test func `Java reads what is written, with the chain`() throws {
        let identity = try TestIdentity.Family().identity
        let bytes = try PKCS12Archive.write(identity, password: "geheim", iterations: 2048)
        let result = try Program.run(
            ["keytool", "-list", "-v", "-storetype", "PKCS12", "-keystore", "archive.p12", "-storepass", "geheim"],
            files: ["archive.p12": bytes.bytes])
        #expect(result.status == 0, "\(result.text)")
        #expect(result.text.contains("PrivateKeyEntry"), "\(result.text)")
        #expect(result.text.contains("Certificate chain length: 3"), "\(result.text)")
    }
}
