// swift-tools-version: 6.2
import PackageDescription

// The steps of the article "Keystone in ten steps", each a landscape of its own. The last one is the article's target.
let package = Package(
    name: "TenSteps",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-countersign", path: "../../..")],
    targets: (1...9).map { number in
        .target(
            name: "Step\(number)",
            dependencies: [.product(name: "Countersign", package: "swift-countersign")],
            plugins: [.plugin(name: "CountersignPlugin", package: "swift-countersign")])
    } + [
        .target(
            name: "OpenStack",
            dependencies: [
                .product(name: "Countersign", package: "swift-countersign")
            ],
            plugins: [
                .plugin(name: "CountersignPlugin", package: "swift-countersign")
            ])
    ],
    swiftLanguageModes: [.v6]
)
