# syntax=docker/dockerfile:1

# The build stage has uv, a C compiler and the sources; the image that runs has none of them.
FROM python:3.11.14-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
RUN pip install --no-cache-dir "uv>=0.13,<0.14"
WORKDIR /app
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_PYTHON_DOWNLOADS=never
COPY pyproject.toml uv.lock README.md LICENSE ./
RUN uv sync --locked --no-dev --extra postgres --extra redis --no-install-project
COPY hatch_build.py ./
COPY src ./src
RUN uv sync --locked --no-dev --extra postgres --extra redis --no-editable

FROM python:3.11.14-slim-bookworm
LABEL org.opencontainers.image.title="Scenograph" \
      org.opencontainers.image.version="0.2.0" \
      org.opencontainers.image.description="A diagram scene service: scenes as JSON with revisions, drawn to SVG and PNG." \
      org.opencontainers.image.source="https://github.com/scenograph/scenograph" \
      org.opencontainers.image.documentation="https://github.com/scenograph/scenograph/blob/main/docs/running.md" \
      org.opencontainers.image.licenses="MIT AND ISC AND Apache-2.0 AND BSD-3-Clause AND CC0-1.0 AND CC-BY-3.0 AND CC-BY-4.0 AND CC-BY-ND-2.0 AND CC-BY-SA-2.0 AND CC-BY-SA-2.5 AND CC-BY-SA-3.0 AND CC-BY-SA-4.0 AND OFL-1.1 AND Unlicense"
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/scenograph scenograph
COPY --from=build --chown=root:root /app/.venv /app/.venv
# Nothing but the database folder (with SQLite) and /tmp is ever written: the root file system may be read-only.
ENV PATH=/app/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATABASE_URL=sqlite:////var/lib/scenograph/scenes.db \
    LOG_FORMAT=json
USER 10001:10001
WORKDIR /var/lib/scenograph
VOLUME /var/lib/scenograph
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/health', timeout=2)"]
ENTRYPOINT ["scenograph"]
CMD ["serve"]
