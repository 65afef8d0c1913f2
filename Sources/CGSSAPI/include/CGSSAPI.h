// Types of the GSSAPI's C bindings (RFC 2744) that the client's side of a context needs. Nothing here is linked: the functions are
// looked up in the system's library at run time, and these types tell how to call them.

#ifndef COUNTERSIGN_CGSSAPI_H
#define COUNTERSIGN_CGSSAPI_H

#include <stddef.h>
#include <stdint.h>

// Apple's library aligns its structures to two bytes on this architecture.
#if defined(__APPLE__) && defined(__x86_64__)
#pragma pack(push, 2)
#define COUNTERSIGN_GSS_IS_PACKED 1
#endif

/// A string of bytes (RFC 2744, section 3.2).
typedef struct {
    size_t length;
    void *value;
} countersign_gss_buffer;

/// An object identifier: the content of its DER encoding, without tag and length (RFC 2744, section 3.3).
typedef struct {
    uint32_t length;
    void *elements;
} countersign_gss_oid;

/// A set of object identifiers (RFC 2744, section 3.4).
typedef struct {
    size_t count;
    countersign_gss_oid *elements;
} countersign_gss_oid_set;

/// What a context is bound to (RFC 2744, section 3.11).
typedef struct {
    uint32_t initiator_address_type;
    countersign_gss_buffer initiator_address;
    uint32_t acceptor_address_type;
    countersign_gss_buffer acceptor_address;
    countersign_gss_buffer application_data;
} countersign_gss_channel_bindings;

#ifdef COUNTERSIGN_GSS_IS_PACKED
#pragma pack(pop)
#endif

// Objects of the library (RFC 2744, sections 3.5 to 3.7).
typedef struct countersign_gss_name_object *countersign_gss_name;
typedef struct countersign_gss_credential_object *countersign_gss_credential;
typedef struct countersign_gss_context_object *countersign_gss_context;

// Major status codes: calling errors are in the upper 8 bits, routine errors in the 8 bits below, flags in the lower 16 (RFC 2744,
// section 3.9.1).
enum {
    COUNTERSIGN_GSS_NO_CREDENTIAL = 7,
    COUNTERSIGN_GSS_CREDENTIALS_EXPIRED = 11,
    COUNTERSIGN_GSS_FAILURE = 13,
};
enum { COUNTERSIGN_GSS_CONTINUE_NEEDED = 1 };

// Whether a status code is the library's or a mechanism's (RFC 2744, section 5.11).
enum { COUNTERSIGN_GSS_GSS_CODE = 1, COUNTERSIGN_GSS_MECHANISM_CODE = 2 };

// Whether a credential is for the client's side (RFC 2744, section 5.2).
enum { COUNTERSIGN_GSS_INITIATE = 1 };

// A context's flags (RFC 2744, section 5.19).
enum { COUNTERSIGN_GSS_MUTUAL = 2 };

// An address type that names no address (RFC 2744, section 3.11).
enum { COUNTERSIGN_GSS_UNSPECIFIED_ADDRESS = 0 };

// Minor status codes of Kerberos: the error numbers of RFC 4120, section 7.5.9, from the base that MIT and Heimdal count them from;
// the last two are the libraries' own.
enum {
    COUNTERSIGN_KRB5_SERVER_UNKNOWN = -1765328384 + 7,
    COUNTERSIGN_KRB5_TICKET_EXPIRED = -1765328384 + 32,
    COUNTERSIGN_KRB5_NOT_IN_CACHE = -1765328243,
    COUNTERSIGN_KRB5_NO_CACHE_FILE = -1765328189,
};

/// `gss_import_name` (RFC 2744, section 5.16).
typedef uint32_t (*countersign_gss_import_name)(
    uint32_t *minor_status, countersign_gss_buffer *text, const countersign_gss_oid *type, countersign_gss_name *name);
/// `gss_release_name` (RFC 2744, section 5.28).
typedef uint32_t (*countersign_gss_release_name)(uint32_t *minor_status, countersign_gss_name *name);
/// `gss_acquire_cred` (RFC 2744, section 5.2).
typedef uint32_t (*countersign_gss_acquire_credential)(
    uint32_t *minor_status, countersign_gss_name name, uint32_t time, countersign_gss_oid_set *mechanisms, int usage,
    countersign_gss_credential *credential, countersign_gss_oid_set **actual_mechanisms, uint32_t *actual_time);
/// `gss_release_cred` (RFC 2744, section 5.27).
typedef uint32_t (*countersign_gss_release_credential)(uint32_t *minor_status, countersign_gss_credential *credential);
/// `gss_set_neg_mechs` (RFC 4178, appendix A): the mechanisms that SPNEGO may negotiate.
typedef uint32_t (*countersign_gss_set_mechanisms)(
    uint32_t *minor_status, countersign_gss_credential credential, const countersign_gss_oid_set *mechanisms);
/// `gss_init_sec_context` (RFC 2744, section 5.19).
typedef uint32_t (*countersign_gss_initiate)(
    uint32_t *minor_status, countersign_gss_credential credential, countersign_gss_context *context, countersign_gss_name target,
    const countersign_gss_oid *mechanism, uint32_t flags, uint32_t time, countersign_gss_channel_bindings *bindings,
    countersign_gss_buffer *input, countersign_gss_oid **actual_mechanism, countersign_gss_buffer *output, uint32_t *actual_flags,
    uint32_t *actual_time);
/// `gss_delete_sec_context` (RFC 2744, section 5.9).
typedef uint32_t (*countersign_gss_delete_context)(
    uint32_t *minor_status, countersign_gss_context *context, countersign_gss_buffer *output);
/// `gss_release_buffer` (RFC 2744, section 5.26).
typedef uint32_t (*countersign_gss_release_buffer)(uint32_t *minor_status, countersign_gss_buffer *buffer);
/// `gss_display_status` (RFC 2744, section 5.11).
typedef uint32_t (*countersign_gss_display_status)(
    uint32_t *minor_status, uint32_t status, int kind, const countersign_gss_oid *mechanism, uint32_t *position,
    countersign_gss_buffer *text);

// Object identifiers, which live as long as the process.

/// SPNEGO, 1.3.6.1.5.5.2 (RFC 4178).
const countersign_gss_oid *countersign_gss_mechanism_spnego(void) __attribute__((returns_nonnull));
/// Kerberos, 1.2.840.113554.1.2.2 (RFC 4121).
const countersign_gss_oid *countersign_gss_mechanism_kerberos(void) __attribute__((returns_nonnull));
/// NTLM, 1.3.6.1.4.1.311.2.2.10 (MS-NLMP).
const countersign_gss_oid *countersign_gss_mechanism_ntlm(void) __attribute__((returns_nonnull));
/// Host-based service names, 1.2.840.113554.1.2.1.4 (RFC 2744, section 4.1).
const countersign_gss_oid *countersign_gss_name_service(void) __attribute__((returns_nonnull));
/// User names, 1.2.840.113554.1.2.1.1 (RFC 2744, section 4.2).
const countersign_gss_oid *countersign_gss_name_user(void) __attribute__((returns_nonnull));
/// Kerberos' principals, 1.2.840.113554.1.2.2.1 (RFC 1964, section 2.1.1).
const countersign_gss_oid *countersign_gss_name_principal(void) __attribute__((returns_nonnull));

#endif
