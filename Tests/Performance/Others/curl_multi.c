/* libcurl's multi interface, as `Performance others` runs it: see the article "What a request costs". */

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* One of the requests at once: its handle, what was read last, and its token. */
struct request {
    CURL *easy;
    char url[256];
    char token[256];
    char body[1024];
    size_t length;
    /* Whether the handle is with the token endpoint now. */
    int is_for_token;
    /* Whether the request was sent with a new token. */
    int is_resent;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static size_t keep(char *bytes, size_t size, size_t count, void *context) {
    struct request *request = context;
    size_t length = size * count;
    size_t room = sizeof request->body - 1 - request->length;
    memcpy(request->body + request->length, bytes, length < room ? length : room);
    request->length += length < room ? length : room;
    return length;
}

/* Prepares the request for its resource, with the token if there is one. */
static void ask(struct request *request) {
    request->is_for_token = 0;
    request->length = 0;
    curl_easy_reset(request->easy);
    curl_easy_setopt(request->easy, CURLOPT_URL, request->url);
    curl_easy_setopt(request->easy, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(request->easy, CURLOPT_WRITEDATA, request);
    curl_easy_setopt(request->easy, CURLOPT_PRIVATE, request);
    curl_easy_setopt(request->easy, CURLOPT_TIMEOUT, 60L);
    if (request->token[0]) {
        curl_easy_setopt(request->easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
        curl_easy_setopt(request->easy, CURLOPT_XOAUTH2_BEARER, request->token);
    }
}

/* Prepares a request for a token. */
static void ask_for_token(struct request *request, const char *base) {
    char url[256];
    snprintf(url, sizeof url, "%s/token", base);
    ask(request);
    request->is_for_token = 1;
    curl_easy_setopt(request->easy, CURLOPT_URL, url);
    curl_easy_setopt(request->easy, CURLOPT_XOAUTH2_BEARER, NULL);
    curl_easy_setopt(request->easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
    curl_easy_setopt(request->easy, CURLOPT_USERNAME, "performance");
    curl_easy_setopt(request->easy, CURLOPT_PASSWORD, "secret");
    curl_easy_setopt(request->easy, CURLOPT_COPYPOSTFIELDS, "grant_type=client_credentials");
}

/* Takes the token out of the response: the server's JSON has no escapes. */
static int take_token(struct request *request) {
    request->body[request->length] = 0;
    char *start = strstr(request->body, "\"access_token\":\"");
    if (!start) return 0;
    start += strlen("\"access_token\":\"");
    size_t length = strcspn(start, "\"");
    if (length >= sizeof request->token) return 0;
    memcpy(request->token, start, length);
    request->token[length] = 0;
    return 1;
}

/* The next transfer that has ended; NULL if none is left. */
static struct request *next_done(CURLM *multi, int *status) {
    /* What has ended already comes first, so that the transfers are not gone through for each of them. */
    int running = 1, left = 0, has_performed = 0;
    for (;;) {
        CURLMsg *message = curl_multi_info_read(multi, &left);
        if (message && message->msg == CURLMSG_DONE) {
            struct request *request = NULL;
            long code = 0;
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&request);
            if (message->data.result == CURLE_OK) curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &code);
            *status = (int)code;
            curl_multi_remove_handle(multi, message->easy_handle);
            return request;
        }
        if (!running) return NULL;
        if (has_performed) curl_multi_poll(multi, NULL, 0, 1000, NULL);
        curl_multi_perform(multi, &running);
        has_performed = 1;
    }
}

/* Gets a small answer for some time, so many at once. */
static int small(CURLM *multi, struct request *requests, int in_flight, double seconds, int *failures) {
    double end = now() + seconds;
    int count = 0, status = 0;
    struct request *request;
    for (int i = 0; i < in_flight; i++) {
        ask(&requests[i]);
        curl_multi_add_handle(multi, requests[i].easy);
    }
    while ((request = next_done(multi, &status))) {
        count++;
        *failures += status != 200;
        if (now() >= end) continue;
        request->length = 0;
        curl_multi_add_handle(multi, request->easy);
    }
    return count;
}

/* Sends all at once; each that is challenged gets a token and is sent again. */
static double challenged(CURLM *multi, struct request *requests, int count, const char *base, int *failures) {
    double start = now();
    int status = 0;
    struct request *request;
    for (int i = 0; i < count; i++) {
        requests[i].is_resent = 0;
        ask(&requests[i]);
        curl_multi_add_handle(multi, requests[i].easy);
    }
    while ((request = next_done(multi, &status))) {
        if (request->is_for_token) {
            if (status != 200 || !take_token(request)) {
                (*failures)++;
                continue;
            }
            request->is_resent = 1;
            ask(request);
        } else if (status == 401 && !request->is_resent) {
            ask_for_token(request, base);
        } else {
            *failures += status != 200;
            continue;
        }
        curl_multi_add_handle(multi, request->easy);
    }
    return (now() - start) * 1000;
}

int main(int count_of_arguments, char **arguments) {
    if (count_of_arguments < 4) return 64;
    const char *url = arguments[2];
    int count = atoi(arguments[3]), is_small = strcmp(arguments[1], "small") == 0;
    curl_global_init(CURL_GLOBAL_DEFAULT);
    CURLM *multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)count);
    struct request *requests = calloc((size_t)count, sizeof *requests);
    for (int i = 0; i < count; i++) {
        requests[i].easy = curl_easy_init();
        if (is_small) snprintf(requests[i].url, sizeof requests[i].url, "%s", url);
        else snprintf(requests[i].url, sizeof requests[i].url, "%s/resource/%d", url, i);
    }
    int failures = 0;
    if (is_small) {
        if (count_of_arguments < 5) return 64;
        double seconds = atof(arguments[4]);
        small(multi, requests, count, seconds / 5, &failures);
        failures = 0;
        double start = now();
        int done = small(multi, requests, count, seconds, &failures);
        printf("{\"requests\": %d, \"failures\": %d, \"seconds\": %f}\n", done, failures, now() - start);
    } else {
        double cold = challenged(multi, requests, count, url, &failures);
        int cold_failures = failures;
        struct request revocation = {.easy = curl_easy_init()};
        snprintf(revocation.url, sizeof revocation.url, "%s/revoke", url);
        ask(&revocation);
        curl_easy_setopt(revocation.easy, CURLOPT_COPYPOSTFIELDS, "");
        curl_easy_perform(revocation.easy);
        curl_easy_cleanup(revocation.easy);
        failures = 0;
        double revoked = challenged(multi, requests, count, url, &failures);
        printf("{\"cold\": {\"milliseconds\": %f, \"failures\": %d}, ", cold, cold_failures);
        printf("\"revoked\": {\"milliseconds\": %f, \"failures\": %d}}\n", revoked, failures);
    }
    for (int i = 0; i < count; i++) curl_easy_cleanup(requests[i].easy);
    free(requests);
    curl_multi_cleanup(multi);
    curl_global_cleanup();
    return 0;
}
