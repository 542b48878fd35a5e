"""An OpenID provider that can be told to lie: a real server with real signatures."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key

CLIENT, SECRET = "scenograph", "the client's secret &"
Claims = dict[str, Any]


class LyingProvider:
    """`change` alters the claims of the next ID tokens, `sign` makes them; `metadata` adds to the description."""

    def __init__(self) -> None:
        self.key: RSAPrivateKey = generate_private_key(65537, 2048)
        self.other: RSAPrivateKey = generate_private_key(65537, 2048)
        self.url = ""
        self.flows: dict[str, dict[str, str]] = {}
        self.asked: list[str] = []
        self.reset()

    def reset(self) -> None:
        """Honest again."""
        self.person: Claims = {"sub": "mia", "email": "mia@example.org", "email_verified": True}
        self.userinfo: Claims = {}
        self.change: Callable[[Claims], Claims] = lambda claims: claims
        self.sign: Callable[[Claims], str] = self.signed
        self.metadata: Claims = {}
        self.is_down = False

    def signed(self, claims: Claims, key: RSAPrivateKey | None = None) -> str:
        return jwt.encode(claims, key or self.key, algorithm="RS256", headers={"kid": "one"})

    def authorize(self, address: str) -> str:
        """The person agrees at the provider; the code."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        code = secrets.token_urlsafe(8)
        self.flows[code] = asked
        return code

    def description(self) -> Claims:
        endpoints = {f"{name}_endpoint": f"{self.url}/{name}" for name in ("authorization", "token", "userinfo")}
        return {"issuer": self.url, "jwks_uri": f"{self.url}/keys", **endpoints, **self.metadata}

    def keys(self) -> Claims:
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key()))
        return {"keys": [{**public, "kid": "one", "use": "sig", "alg": "RS256"}]}

    def tokens(self, form: dict[str, str], authorization: str) -> Claims | None:
        """None for a code that is unknown, used or of another flow (RFC 7636, section 4.6), and a wrong secret."""
        own = base64.b64encode(b"scenograph:the%20client%27s%20secret%20%26").decode()
        flow = self.flows.pop(form.get("code", ""), None)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if flow is None or authorization != f"Basic {own}":
            return None
        if challenge.rstrip(b"=").decode() != flow["code_challenge"] or form["redirect_uri"] != flow["redirect_uri"]:
            return None
        now = int(time.time())
        standard = {"iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": flow["nonce"]}
        return {"access_token": "a", "token_type": "Bearer", "id_token": self.sign(self.change(standard | self.person))}


@contextmanager
def lying_provider() -> Iterator[LyingProvider]:
    """The provider on a free port."""
    provider = LyingProvider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            pages = {"/.well-known/openid-configuration": provider.description, "/keys": provider.keys}
            pages["/userinfo"] = lambda: provider.userinfo
            page = pages.get(self.path)
            self._answer(page() if page else None)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            self._answer(provider.tokens(form, self.headers.get("Authorization", "")))

        def _answer(self, body: Claims | None) -> None:
            provider.asked.append(self.path)
            content = json.dumps(body or {"error": "invalid_grant"}).encode()
            self.send_response(500 if provider.is_down else 200 if body else 400)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_parts: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        provider.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield provider
        server.shutdown()
        thread.join()
