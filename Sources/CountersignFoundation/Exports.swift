// The configuration of a session contains settings of the runtime and of the transport, so importers of this module need their
// types.
@_exported public import Countersign
@_exported public import CountersignAsyncHTTPClient
