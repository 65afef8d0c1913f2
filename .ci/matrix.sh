# A Matrix homeserver (Synapse) for the lab: sourced after lab.sh, not run. `matrix` follows `lab`, whose copy has the certificate
# authority.

# matrix   installs Synapse, starts it on loopback, makes its users, exports MATRIX_…, and stops it when the script ends
#
# MATRIX_URL        the base URL of the homeserver
# MATRIX_TTL        seconds that an access token lives
# MATRIX_ADMIN      the name of an administrator, whose password is that of alice
# COUNTERSIGN_SYNAPSE   a virtual environment with Synapse; without it, one is made
matrix() {
    local folder=$LAB/matrix venv=${COUNTERSIGN_SYNAPSE:-$LAB/venv-matrix} port=9531
    export MATRIX_URL=https://localhost:$port MATRIX_TTL=5 MATRIX_ADMIN=root
    mkdir -p "$folder"
    if [ ! -x "$venv/bin/synapse_homeserver" ]; then
        python3 -m venv "$venv"
        "$venv/bin/pip" install -q --disable-pip-version-check matrix-synapse==1.163.2
    fi
    # The key signs nothing, as the server knows no other. Limits and hashes are such that tests need not wait for them.
    cat >"$folder/homeserver.yaml" <<YAML
server_name: localhost
public_baseurl: $MATRIX_URL/
listeners:
  - { port: $port, bind_addresses: [127.0.0.1], type: http, tls: true, resources: [{ names: [client] }] }
tls_certificate_path: $LAB/ca/server.crt
tls_private_key_path: $LAB/ca/server.key
database: { name: sqlite3, args: { database: $folder/homeserver.db } }
media_store_path: $folder/media
signing_key_path: $folder/signing.key
log_config: $folder/log.yaml
trusted_key_servers: []
federation_domain_whitelist: []
report_stats: false
registration_shared_secret: lab
macaroon_secret_key: lab
form_secret: lab
bcrypt_rounds: 4
presence: { enabled: false }
refreshable_access_token_lifetime: ${MATRIX_TTL}s
login_via_existing_session: { enabled: true, require_ui_auth: true }
# Each request that needs it is confirmed for itself.
ui_auth: { session_timeout: 0 }
rc_login:
  address: &unlimited { per_second: 1000, burst_count: 1000 }
  account: *unlimited
  failed_attempts: *unlimited
YAML
    cat >"$folder/log.yaml" <<YAML
version: 1
formatters: { line: { format: "%(asctime)s %(levelname)s %(name)s %(message)s" } }
handlers: { file: { class: logging.FileHandler, filename: $LAB/log/matrix.log, formatter: line } }
root: { level: INFO, handlers: [file] }
disable_existing_loggers: false
YAML
    matrix_logged "$venv/bin/synapse_homeserver" -c "$folder/homeserver.yaml" --generate-keys
    # What the lab does at its end is done after this.
    eval "set -- $(trap -p EXIT)"
    trap "matrix_stop; ${3:-}" EXIT
    setsid "$venv/bin/synapse_homeserver" -c "$folder/homeserver.yaml" >>"$LAB/log/matrix-setup.log" 2>&1 </dev/null &
    MATRIX_PID=$!
    matrix_logged curl -sS -m 60 -o /dev/null --retry 60 --retry-delay 1 --retry-all-errors --cacert "$LAB/ca/root.crt" \
        "$MATRIX_URL/_matrix/client/versions"
    matrix_user alice wonderland
    # The name jürgen, as user IDs have it (Matrix appendices, section 4.3.1).
    matrix_user j=c3=bcrgen pässwörd€
    matrix_user "$MATRIX_ADMIN" wonderland --admin
}

# matrix_user NAME PASSWORD [--admin]
matrix_user() {
    REQUESTS_CA_BUNDLE=$LAB/ca/root.crt matrix_logged "${COUNTERSIGN_SYNAPSE:-$LAB/venv-matrix}/bin/register_new_matrix_user" \
        -c "$LAB/matrix/homeserver.yaml" -u "$1" -p "$2" "${3:---no-admin}" "$MATRIX_URL"
}

# matrix_logged COMMAND…   a command that is heard of only if it fails
matrix_logged() {
    "$@" >>"$LAB/log/matrix-setup.log" 2>&1 || { cat "$LAB/log/matrix-setup.log" >&2; exit 1; }
}

# matrix_stop   stops the homeserver, and waits for its end for at most 10 s
matrix_stop() {
    local pid=${MATRIX_PID:-}
    [ -n "$pid" ] || return 0
    MATRIX_PID=
    kill "$pid" 2>/dev/null || return 0
    for _ in $(seq 50); do
        kill -0 "$pid" 2>/dev/null || return 0
        sleep .2
    done
    kill -9 "$pid" 2>/dev/null || true
}
