import Foundation
import TestTurns
import Testing

@Suite(.computes) struct `Module graph` {
    private let manifest: PackageManifest

    init() throws { manifest = try PackageManifest.load() }

    /// The allowed dependencies of each module. A new dependency is a decision, and is added here first.
    private static let allowed: [String: Set<String>] = [
        "CountersignSpec": ["Yams"],
        "CountersignTemplates": [],
        "CountersignGenerator": ["CountersignSpec", "CountersignTemplates", "Stencil"],
        "CountersignProof": ["CountersignGenerator", "SwiftSyntax", "SwiftParser", "SwiftParserDiagnostics", "SwiftDiagnostics"],
        "countersign-generator": ["CountersignGenerator", "CountersignSpec", "ArgumentParser"],
        "CountersignPlugin": ["countersign-generator"],
        "SpecLibraryPlugin": ["countersign-generator"],
        "DocumentationPlugin": ["countersign-generator"],
        "Countersign": ["Crypto", "CryptoExtras", "HTTPTypes", "Logging", "SwiftASN1"],
        "CGSSAPI": [],
        "CountersignGSSAPI": ["CGSSAPI", "Countersign"],
        "CountersignAsyncHTTPClient": [
            "Countersign", "AsyncHTTPClient", "HTTPTypes", "NIOCore", "NIOPosix", "NIOHTTP1", "NIOHTTP2", "NIOHPACK",
            "NIOSSL",
        ],
        "CountersignURLSession": ["Countersign", "CountersignIdentity", "HTTPTypes"],
        "CountersignCookies": ["Countersign"],
        "CountersignFoundation": [
            "Countersign", "CountersignAsyncHTTPClient", "CountersignCookies", "HTTPTypes", "HTTPTypesFoundation",
        ],
        "CountersignFileStore": ["Countersign", "Crypto"],
        "FileStoreContender": ["Countersign", "CountersignAsyncHTTPClient", "CountersignFileStore", "HTTPTypes"],
        "FleetMember": [
            "Countersign", "CountersignAsyncHTTPClient", "CountersignEtcdStore", "CountersignFileStore", "OAuth", "HTTPTypes",
        ],
        "CountersignMetrics": ["Countersign", "CoreMetrics"],
        "CountersignTracing": ["Countersign", "Tracing"],
        "CountersignEtcdStore": ["Countersign", "CountersignFileStore", "Etcd", "HTTPTypes"],
        "ChromiumContender": ["Countersign", "CountersignBrowser"],
        "SeedSampleSupport": ["SAPMobileServices", "SAPMobileServicesTesting", "Countersign", "CountersignTesting"],
        "TestTurns": [],
        "TestServers": ["NIOCore", "NIOPosix", "NIOSSL"],
        "CountersignBrowser": ["Countersign", "NIOCore", "NIOPosix", "NIOHTTP1"],
        "CountersignIdentity": ["Countersign", "Crypto", "CryptoExtras", "HTTPTypes", "SwiftASN1", "X509"],
        "CountersignWebKit": ["Countersign", "CountersignCookies"],
        "CountersignSAP": ["CountersignFoundation", "CountersignIdentity", "CountersignWebKit", "Countersign"],
        "SAPMobileServices": ["CountersignSAP", "CountersignPlugin"],
        "AmazonWebServices": ["Countersign", "CountersignPlugin"],
        "CAS": ["Countersign", "CountersignPlugin"],
        "ContainerRegistry": ["Countersign", "CountersignPlugin"],
        "HTTPAuthentication": ["Countersign", "CountersignGSSAPI", "CountersignPlugin"],
        "Etcd": ["Countersign", "CountersignPlugin"],
        "FormLogin": ["Countersign", "CountersignPlugin"],
        "JWTBearer": ["Countersign", "CountersignJWT", "CountersignPlugin"],
        "Keystone": ["Countersign", "CountersignPlugin"],
        "Matrix": ["Countersign", "CountersignPlugin"],
        "ModelContextProtocol": ["Countersign", "CountersignJWT", "CountersignPlugin"],
        "OAuth": ["Countersign", "CountersignPlugin"],
        "OpenIDConnect": ["Countersign", "CountersignJWT", "CountersignPlugin"],
        "SAMLECP": ["Countersign", "CountersignPlugin"],
        "Transmission": ["Countersign", "CountersignPlugin"],
        "Auth0": ["Countersign", "CountersignJWT", "OpenIDConnect", "CountersignPlugin"],
        "EntraID": ["Countersign", "CountersignJWT", "OpenIDConnect", "CountersignPlugin"],
        "GitHub": ["Countersign", "OAuth", "CountersignPlugin"],
        "GitLab": ["Countersign", "CountersignJWT", "OpenIDConnect", "CountersignPlugin"],
        "Google": ["Countersign", "CountersignJWT", "OpenIDConnect", "CountersignPlugin"],
        "Keycloak": ["Countersign", "CountersignJWT", "OpenIDConnect", "CountersignPlugin"],
        "Okta": ["Countersign", "CountersignJWT", "OpenIDConnect", "CountersignPlugin"],
        "CityLibrary": ["CountersignFoundation", "CountersignPlugin"],
        "Ledger": ["Countersign", "CountersignJWT", "CountersignPlugin"],
        "CountersignTesting": [
            "Countersign", "CountersignIdentity", "HTTPTypes", "NIOCore", "NIOPosix", "NIOHTTP1", "NIOSSL", "Crypto", "SwiftASN1",
            "X509",
        ],
        "SAPMobileServicesTesting": [
            "Countersign", "CountersignIdentity", "CountersignTesting", "HTTPTypes", "SwiftASN1", "X509",
        ],
        "CountersignDynamic": ["CountersignSpec", "Countersign", "CountersignGSSAPI", "CountersignIdentity", "CountersignJWT"],
        "CountersignJWT": ["Countersign", "Crypto", "JWTKit"],
        "CountersignCLI": [
            "CountersignSpec", "CountersignGenerator", "CountersignDynamic", "Countersign",
            "CountersignBrowser",
            "CountersignIdentity", "SpecLibraryPlugin",
            "CountersignFileStore", "CountersignAsyncHTTPClient", "CountersignTesting", "SAPMobileServices",
            "SAPMobileServicesTesting", "AmazonWebServices", "ContainerRegistry", "Etcd", "FormLogin", "HTTPAuthentication",
            "Keystone", "ModelContextProtocol", "OAuth", "OpenIDConnect", "SAMLECP", "Transmission",
            "ArgumentParser", "Crypto", "HTTPTypes",
        ],
    ]

    @Test func `each target depends only on what the architecture lets it`() {
        for target in manifest.targets where target.type != "test" {
            let allowed = Self.allowed[target.name]
            #expect(allowed != nil, "\(target.name) is not in the graph of this test")
            let surplus = Set(target.dependencies.map(\.name)).subtracting(Self.handedOn(by: allowed ?? []))
            #expect(surplus.isEmpty, "\(target.name) must not depend on \(surplus.sorted())")
        }
        #expect(Set(Self.allowed.keys).isSubset(of: manifest.targets.map(\.name)), "the test names a target that is gone")
    }

    /// The modules that each module re-exports, by the files beside the generated ones. A landscape that extends one with
    /// Foundation's surface re-exports all of it.
    private static let exports: Result<[String: Set<String>], any Error> = Result {
        var exports: [String: Set<String>] = ["SAPMobileServices": ["CountersignSAP"]]
        for file in try SourceFiles.swift(under: "Sources") {
            let module = file.path.split(separator: "/")[1]
            exports[String(module), default: []].formUnion(file.exports)
        }
        return exports
    }

    /// Returns the modules with all modules that they re-export.
    private static func handedOn(by modules: Set<String>) -> Set<String> {
        let exports = (try? exports.get()) ?? [:]
        var all = modules
        while true {
            let more = all.union(all.flatMap { exports[$0] ?? [] })
            if more == all { return all }
            all = more
        }
    }

    @Test func `a target that names a module names all that it hands on, or it is not compiled anew with them`() throws {
        #expect(try Self.exports.get()["CountersignSAP"]?.contains("Countersign") == true)
        for target in manifest.targets {
            let named = Set(target.dependencies.map(\.name))
            let missing = Self.handedOn(by: named).subtracting(named).subtracting([target.name])
            #expect(missing.isEmpty, "\(target.name) has to depend on \(missing.sorted())")
        }
    }

    @Test func `a library is linked with all that its module hands on`() throws {
        #expect(!manifest.libraries.isEmpty)
        for (name, targets) in manifest.libraries {
            let missing = Self.handedOn(by: [name]).subtracting(targets)
            #expect(missing.isEmpty, "the library \(name) needs \(missing.sorted())")
        }
    }

    @Test func `the plugin's tool links neither swift-syntax nor the HTTP stack nor a server`() {
        let closure = manifest.closure(of: "countersign-generator")
        let heavy = closure.filter { name in
            ["SwiftSyntax", "SwiftParser", "AsyncHTTPClient", "HTTPTypes", "NIO", "Hummingbird"].contains { name.hasPrefix($0) }
        }
        #expect(heavy.isEmpty, "\(heavy.sorted())")
        #expect(closure.contains("Yams"), "the closure was not computed")
    }

    @Test func `an adopter's client compiles no server`() {
        let closure = manifest.closure(of: "SAPMobileServices").subtracting(manifest.closure(of: "countersign-generator"))
        #expect(!closure.contains { $0.hasPrefix("Hummingbird") || $0.hasSuffix("Testing") })
        #expect(closure.contains("AsyncHTTPClient"), "the closure was not computed")
    }

    @Test func `an application with the system's HTTP stack links neither SwiftNIO nor its client`() {
        // The products of the guide "Apps for iOS and macOS", and what SwiftPM links with each of them.
        let products = [
            "CountersignURLSession", "CountersignWebKit", "CountersignFileStore", "OpenIDConnect", "OAuth", "FormLogin",
        ]
        for product in products {
            let linked = linked(with: product)
            let network = linked.filter { $0.hasPrefix("NIO") || $0.hasSuffix("AsyncHTTPClient") }
            #expect(network.isEmpty, "\(product) links \(network.sorted())")
            #expect(linked.isSuperset(of: [product, "Countersign", "HTTPTypes"]), "the closure was not computed")
        }
        // Checks the search itself.
        #expect(linked(with: "CountersignFoundation").isSuperset(of: ["AsyncHTTPClient", "NIOCore"]))
    }

    /// Returns the targets of a library, and all that they depend on, without the tools of plugins.
    private func linked(with library: String) -> Set<String> {
        let targets = manifest.libraries[library] ?? []
        let all = targets.union(targets.flatMap { manifest.closure(of: $0) })
        return all.subtracting(manifest.closure(of: "countersign-generator"))
    }

    @Test func `the mock servers and the command need no server of another package`() {
        let closure = manifest.closure(of: "CountersignCLI")
        #expect(!closure.contains { $0.hasPrefix("Hummingbird") })
        #expect(closure.isSuperset(of: ["CountersignTesting", "NIOHTTP1"]), "the closure was not computed")
    }

    @Test func `the runtime core knows neither the transport nor Foundation's networking`() throws {
        let closure = manifest.closure(of: "Countersign")
        #expect(closure == ["Crypto", "CryptoExtras", "HTTPTypes", "Logging", "SwiftASN1"])
        for file in try SourceFiles.swift(under: "Sources/Countersign") {
            #expect(!file.imports.contains("FoundationNetworking"), "\(file.path)")
        }
    }

    @Test(arguments: [
        ("Yams", "CountersignSpec"), ("Stencil", "CountersignGenerator"), ("SwiftSyntax", "CountersignProof"),
        ("SwiftParser", "CountersignProof"), ("AsyncHTTPClient", "CountersignAsyncHTTPClient"),
    ])
    func `a library has one module that imports it`(library: String, module: String) throws {
        let importers = try SourceFiles.swift(under: "Sources").filter { $0.imports.contains(library) }
        #expect(!importers.isEmpty)
        for file in importers {
            #expect(file.path.hasPrefix("Sources/\(module)/"), "\(file.path) imports \(library)")
        }
    }
}
