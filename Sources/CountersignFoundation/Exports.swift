// A session's configuration has settings of the runtime and of the transport: code that imports this module can name them.
@_exported public import Countersign
@_exported public import CountersignAsyncHTTPClient
