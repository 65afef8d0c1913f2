# A CAS server (django-cas-server) and two applications behind Apache's mod_auth_cas for the lab: sourced after lab.sh, not run. `cas` follows
# `lab`, whose copy has the certificate authority.

# cas   installs them, starts them on loopback, makes users, exports CAS_…, and stops them when the script ends
#
# CAS_URL           the base URL of the CAS server, whose pages end in `/lab/sessions` and `/lab/end` for tests
# CAS_APP_URL       the service URL of an application
# CAS_BRIEF_URL     that of another one, whose sessions live for CAS_TTL seconds
# CAS_FOREIGN_URL   a page of the first application that the CAS server does not know as a service
# COUNTERSIGN_CAS   a virtual environment with django-cas-server and gunicorn; without it, one is made
cas() {
    local folder=$LAB/cas venv=${COUNTERSIGN_CAS:-$LAB/venv-cas} port=9532 app=9533 brief=9534
    export CAS_URL=https://idp.localhost:$port/cas CAS_APP_URL=https://sp.localhost:$app/app/
    export CAS_BRIEF_URL=https://as.localhost:$brief/app/ CAS_FOREIGN_URL=https://sp.localhost:$app/foreign/ CAS_TTL=3
    mkdir -p "$folder"/{cookies,brief,www/app,www/foreign,run}
    if [ ! -e /usr/lib/apache2/modules/mod_auth_cas.so ]; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends apache2 libapache2-mod-auth-cas >/dev/null
    fi
    if [ ! -x "$venv/bin/gunicorn" ]; then
        python3 -m venv "$venv"
        "$venv/bin/pip" install -q --disable-pip-version-check django-cas-server==3.1.0 Django==5.2.19 gunicorn==23.0.0
    fi
    # Cookies have no port, so each server has a name of its own.
    for name in idp sp as; do
        getent hosts $name.localhost >/dev/null || echo "127.0.0.1 $name.localhost" >>/etc/hosts
    done
    cas_server "$folder"
    cas_applications "$folder" $app $brief
    # What the lab does at its end is done after this.
    eval "set -- $(trap -p EXIT)"
    trap "cas_stop; ${3:-}" EXIT
    # One process with threads: an application asks for a ticket while a browser waits for the application.
    PYTHONPATH=$folder setsid "$venv/bin/gunicorn" --bind 127.0.0.1:$port --workers 1 --threads 8 --certfile "$LAB/ca/server.crt" \
        --keyfile "$LAB/ca/server.key" --access-logfile "$LAB/log/cas-access.log" lab_cas:application \
        >>"$LAB/log/cas-setup.log" 2>&1 </dev/null &
    CAS_PID=$!
    setsid apache2 -f "$folder/apache.conf" -D FOREGROUND >>"$LAB/log/cas-setup.log" 2>&1 </dev/null &
    CAS_APACHE_PID=$!
    for url in "$CAS_URL/login" "$CAS_APP_URL" "$CAS_BRIEF_URL"; do
        cas_logged curl -sS -m 60 -o /dev/null --retry 60 --retry-delay 1 --retry-all-errors --cacert "$LAB/ca/root.crt" "$url"
    done
}

# cas_server FOLDER   the project of the CAS server, its database, and its users
cas_server() {
    cat >"$1/lab_cas.py" <<PYTHON
"""The CAS server: settings, URLs and application in one module."""
import sys

import django
from django.conf import settings

if not settings.configured:
    settings.configure(
        SECRET_KEY="lab", ALLOWED_HOSTS=["idp.localhost"], ROOT_URLCONF="lab_cas", USE_TZ=True, STATIC_URL="/static/",
        INSTALLED_APPS=["django.contrib." + name for name in ("auth", "contenttypes", "sessions", "messages", "staticfiles")]
        + ["cas_server"],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.locale.LocaleMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware"],
        TEMPLATES=[{
            "BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
            "OPTIONS": {"context_processors": [
                "django.template.context_processors.request", "django.contrib.messages.context_processors.messages"]}}],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "$1/cas.db", "OPTIONS": {"timeout": 20}}},
        DEFAULT_AUTO_FIELD="django.db.models.AutoField", PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        SESSION_COOKIE_PATH="/cas", CSRF_COOKIE_PATH="/cas", SESSION_COOKIE_SECURE=True, CSRF_COOKIE_SECURE=True,
        # Nothing is looked up elsewhere.
        CAS_NEW_VERSION_HTML_WARNING=False, CAS_NEW_VERSION_EMAIL_WARNING=False,
        CAS_COMPONENT_URLS={name: "" for name in (
            "bootstrap3_css", "bootstrap3_js", "html5shiv", "respond", "bootstrap4_css", "bootstrap4_js", "jquery")})
    django.setup()

from django.core.handlers.wsgi import WSGIHandler  # noqa: E402
from django.http import JsonResponse  # noqa: E402
from django.urls import include, path  # noqa: E402


def sessions(request):
    """The number of a user's sessions."""
    from cas_server.models import User
    return JsonResponse({"sessions": User.objects.filter(username=request.GET["user"]).count()})


def end(request):
    """Ends the sessions of a user, as their end of life would."""
    from django.contrib.sessions.backends.db import SessionStore
    from cas_server.models import User
    users = User.objects.filter(username=request.GET["user"])
    for user in users:
        SessionStore(session_key=user.session_key).flush()
    users.delete()
    return JsonResponse({"sessions": 0})


urlpatterns = [path("cas/lab/sessions", sessions), path("cas/lab/end", end), path("cas/", include("cas_server.urls"))]
application = WSGIHandler()

if __name__ == "__main__":
    from django.core.management import call_command
    call_command("migrate", verbosity=0)
    from cas_server.models import ServicePattern
    from django.contrib.auth.models import User
    for name, password in zip(sys.argv[1::2], sys.argv[2::2]):
        User.objects.create_user(name, password=password)
    for name, url in (("app", "$CAS_APP_URL"), ("brief", "$CAS_BRIEF_URL")):
        ServicePattern.objects.create(name=name, pattern="^" + url.replace(".", r"\\."), user_field="")
PYTHON
    # A user for each test that counts or ends sessions.
    PYTHONPATH=$1 cas_logged "${COUNTERSIGN_CAS:-$LAB/venv-cas}/bin/python" "$1/lab_cas.py" \
        alice wonderland jürgen pässwörd€ bob builder carol christmas dave dungeon
}

# cas_applications FOLDER PORT PORT   the configuration of Apache, and what it protects
cas_applications() {
    echo data >"$1/www/app/index.html"
    echo data >"$1/www/app/data.txt"
    echo data >"$1/www/foreign/index.html"
    cat >"$1/apache.conf" <<APACHE
ServerRoot $1
PidFile $1/run/apache.pid
DefaultRuntimeDir $1/run
Mutex file:$1/run default
ServerName localhost
User www-data
Group www-data
LogLevel warn
ErrorLog $LAB/log/cas-apache.log
LogFormat "%v:%p \"%r\" %>s %b" lab
CustomLog $LAB/log/cas-apache-access.log lab
$(for module in mpm_prefork authn_core authz_core authz_user dir headers mime ssl auth_cas; do
    echo "LoadModule ${module}_module /usr/lib/apache2/modules/mod_$module.so"
done)
TypesConfig /etc/mime.types
StartServers 4
MaxRequestWorkers 32
SSLProtocol -all +TLSv1.2 +TLSv1.3
SSLCertificateFile $LAB/ca/server.crt
SSLCertificateKeyFile $LAB/ca/server.key
CASVersion 2
CASCertificatePath $LAB/ca/chain.crt
CASLoginURL $CAS_URL/login
CASValidateURL $CAS_URL/serviceValidate
CASCacheCleanInterval 1
DirectoryIndex index.html
Listen 127.0.0.1:$2
Listen 127.0.0.1:$3
<VirtualHost 127.0.0.1:$2>
 ServerName https://sp.localhost:$2
 UseCanonicalName On
 SSLEngine on
 DocumentRoot $1/www
 CASCookiePath $1/cookies/
 <Location /app/>
  AuthType CAS
  CASScope /app/
  Require valid-user
  Header set X-User "expr=%{REMOTE_USER}"
 </Location>
 <Location /foreign/>
  AuthType CAS
  CASScope /foreign/
  Require valid-user
 </Location>
</VirtualHost>
<VirtualHost 127.0.0.1:$3>
 ServerName https://as.localhost:$3
 UseCanonicalName On
 SSLEngine on
 DocumentRoot $1/www
 CASCookiePath $1/brief/
 CASTimeout $CAS_TTL
 <Location /app/>
  AuthType CAS
  CASScope /app/
  Require valid-user
  Header set X-User "expr=%{REMOTE_USER}"
 </Location>
</VirtualHost>
APACHE
    chown www-data "$1/cookies" "$1/brief"
    cas_logged apache2 -t -f "$1/apache.conf"
}

# cas_logged COMMAND…   a command that is heard of only if it fails
cas_logged() {
    "$@" >>"$LAB/log/cas-setup.log" 2>&1 || { cat "$LAB/log/cas-setup.log" >&2; exit 1; }
}

# cas_stop   stops both, and waits for their end for at most 10 s
cas_stop() {
    local pid
    for pid in ${CAS_PID:-} ${CAS_APACHE_PID:-}; do
        kill "$pid" 2>/dev/null || continue
        for _ in $(seq 50); do
            kill -0 "$pid" 2>/dev/null || continue 2
            sleep .2
        done
        kill -9 "$pid" 2>/dev/null || true
    done
    CAS_PID= CAS_APACHE_PID=
}
