"""httpx with Authlib, as `Performance others` runs it: see the article "What a request costs"."""

import asyncio
import json
import sys
import time

import httpx
from authlib.integrations.httpx_client import AsyncOAuth2Client


async def small(url, in_flight, seconds):
    """Gets a small answer for some time, so many at once."""
    limits = httpx.Limits(max_connections=in_flight, max_keepalive_connections=in_flight)
    async with httpx.AsyncClient(limits=limits, timeout=60) as client:

        async def loop(end):
            requests = failures = 0
            while time.monotonic() < end:
                response = await client.get(url)
                requests += 1
                failures += response.status_code != 200
            return requests, failures

        async def run(duration):
            start = time.monotonic()
            counts = await asyncio.gather(*(loop(start + duration) for _ in range(in_flight)))
            return counts, time.monotonic() - start

        await run(seconds / 5)
        counts, elapsed = await run(seconds)
    return {"requests": sum(c[0] for c in counts), "failures": sum(c[1] for c in counts), "seconds": elapsed}


async def challenged(base, count):
    """Sends requests at once, without a token, and with one that was revoked."""
    limits = httpx.Limits(max_connections=count, max_keepalive_connections=count)
    client = AsyncOAuth2Client(
        "performance",
        "secret",
        token_endpoint=f"{base}/token",
        grant_type="client_credentials",
        limits=limits,
        timeout=60,
    )

    async def get(number):
        response = await client.get(f"{base}/resource/{number}")
        if response.status_code == 401:
            await client.fetch_token()
            response = await client.get(f"{base}/resource/{number}")
        return response.status_code != 200

    async def run():
        start = time.monotonic()
        if client.token is None:
            await client.fetch_token()
        failures = sum(await asyncio.gather(*(get(number) for number in range(count))))
        return {"milliseconds": (time.monotonic() - start) * 1000, "failures": failures}

    async with client:
        cold = await run()
        await client.request("POST", f"{base}/revoke", withhold_token=True)
        return {"cold": cold, "revoked": await run()}


def main():
    if sys.argv[1] == "small":
        result = small(sys.argv[2], int(sys.argv[3]), float(sys.argv[4]))
    else:
        result = challenged(sys.argv[2], int(sys.argv[3]))
    print(json.dumps(asyncio.run(result)))


main()
