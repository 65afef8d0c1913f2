import ArgumentParser

/// The certificate authorities and the proxy of connections to servers.
struct ConnectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A PEM file with certificate authorities to trust in addition to the system's.", valueName: "file"),
        completion: .file())
    var caFile: String?

    @Option(
        help: ArgumentHelp(
            "The proxy, such as http://proxy.example:3128 or socks5://127.0.0.1:1080, or 'none'; by default that of HTTPS_PROXY or ALL_PROXY, which can have a password. This machine and the names, addresses and networks in NO_PROXY are reached directly.",
            valueName: "url"))
    var proxy: String?
}
