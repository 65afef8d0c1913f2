#include "CGSSAPI.h"

// The library takes pointers to what it does not change, so that the bytes may be constant.
#define COUNTERSIGN_GSS_OID(name, ...)                                                                                             \
    const countersign_gss_oid *name(void) {                                                                                        \
        static const unsigned char bytes[] = {__VA_ARGS__};                                                                        \
        static const countersign_gss_oid identifier = {sizeof bytes, (void *)bytes};                                               \
        return &identifier;                                                                                                        \
    }

COUNTERSIGN_GSS_OID(countersign_gss_mechanism_spnego, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x02)
COUNTERSIGN_GSS_OID(countersign_gss_mechanism_kerberos, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 0x01, 0x02, 0x02)
COUNTERSIGN_GSS_OID(countersign_gss_mechanism_ntlm, 0x2b, 0x06, 0x01, 0x04, 0x01, 0x82, 0x37, 0x02, 0x02, 0x0a)
COUNTERSIGN_GSS_OID(countersign_gss_name_service, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 0x01, 0x02, 0x01, 0x04)
COUNTERSIGN_GSS_OID(countersign_gss_name_user, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 0x01, 0x02, 0x01, 0x01)
COUNTERSIGN_GSS_OID(countersign_gss_name_principal, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 0x01, 0x02, 0x02, 0x01)
