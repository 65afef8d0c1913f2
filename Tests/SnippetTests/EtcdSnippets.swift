import Countersign
import CountersignAsyncHTTPClient
import CountersignEtcdStore
import CountersignFileStore
import Foundation

// snippet: etcd
/// The credentials of a tenant, in a cluster of three members.
func fleetStore(
    members: [URL], password: SecretBytes, key: StoreKey
) throws -> EtcdCredentialStore {
    var etcd = EtcdConfiguration(
        endpoints: members, landscape: "OAuth", tenant: "acme")
    etcd.user = .init(name: "countersign", password: password)
    return try EtcdCredentialStore(
        etcd, key: key, transport: AsyncHTTPClientTransport())
}
// end
