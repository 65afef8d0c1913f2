// swift-tools-version: 6.2
import PackageDescription

// The landscape of FromNothing in a package that needs neither mock nor command, and resolves what they need no more than it builds it.
let package = Package(
    name: "Lean",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-countersign", path: "../../..", traits: [])],
    targets: [
        .target(
            name: "CityLibrary",
            dependencies: [.product(name: "CountersignFoundation", package: "swift-countersign")],
            plugins: [.plugin(name: "CountersignPlugin", package: "swift-countersign")])
    ],
    swiftLanguageModes: [.v6]
)
