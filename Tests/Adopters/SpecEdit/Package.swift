// swift-tools-version: 6.2
import PackageDescription

// A copy of Specs/SAPMobileServices and a client of the module that is generated from it. `.ci/spec-edit` edits the copy.
let package = Package(
    name: "SpecEdit",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-countersign", path: "../../..")],
    targets: [
        .target(
            name: "EditedMobileServices", dependencies: [.product(name: "CountersignSAP", package: "swift-countersign")],
            plugins: [.plugin(name: "CountersignPlugin", package: "swift-countersign")]),
        .executableTarget(
            name: "Probe",
            dependencies: ["EditedMobileServices", .product(name: "CountersignSAP", package: "swift-countersign")]),
        .executableTarget(
            name: "TokenProbe",
            dependencies: [
                "EditedMobileServices", .product(name: "CountersignSAP", package: "swift-countersign"),
                .product(name: "CountersignTesting", package: "swift-countersign"),
                .product(name: "SAPMobileServicesTesting", package: "swift-countersign"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
