internal import Countersign
internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension URLRequest {
    /// Creates the request with which a browser posts a form.
    init(posting form: PageForm) {
        self.init(url: form.url)
        httpMethod = "POST"
        setValue(PageForm.contentType, forHTTPHeaderField: "Content-Type")
        httpBody = Data(form.body.utf8)
    }
}
