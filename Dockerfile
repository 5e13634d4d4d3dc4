# The release for Node, and nothing else: docs/self-hosting.md.

FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# Bundling needs none of the packages' own scripts.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/build-node.ts

FROM node:24-slim
# Memory that one thread frees is taken again by the others only where they share their arenas.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8888 COFFER_DATA=/data MALLOC_ARENA_MAX=2
COPY --from=build /build/dist/node /app
RUN install --directory --owner=node --group=node --mode=0700 /data
USER node
WORKDIR /app
VOLUME /data
EXPOSE 8888
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without a command it serves, and SIGTERM ends it; with one it does what an operator asks for.
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=16", "--initial-old-space-size=64", "/app/main.js"]
