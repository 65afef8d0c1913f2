// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Compiles the generator's output: `Tests/Goldens` as modules, in the language mode that GOLDENS_LANGUAGE_MODE names.
let mode: SwiftLanguageMode = ProcessInfo.processInfo.environment["GOLDENS_LANGUAGE_MODE"] == "5" ? .v5 : .v6
let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Goldens").path(percentEncoded: false)
let goldens = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()

let package = Package(
    name: "Goldens",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-countersign", path: "../../..")],
    targets: goldens.map { golden in
        // Each target is a link to the golden's folder, because two modules cannot share one.
        .target(
            name: "Golden\(golden)",
            dependencies: [
                .product(name: "CountersignSAP", package: "swift-countersign"),
                .product(name: "CountersignIdentity", package: "swift-countersign"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .treatAllWarnings(as: .error),
            ])
    },
    swiftLanguageModes: [mode]
)
