// swift-tools-version: 6.2
import PackageDescription

// A landscape that extends no other, as the article "A landscape from nothing" describes it. The tests of the article build the
// same folder as a target of the package above.
let package = Package(
    name: "FromNothing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-countersign", path: "../../..")],
    targets: [
        .target(
            name: "CityLibrary",
            dependencies: [
                .product(name: "CountersignFoundation", package: "swift-countersign")
            ],
            plugins: [
                .plugin(name: "CountersignPlugin", package: "swift-countersign")
            ])
    ],
    swiftLanguageModes: [.v6]
)
