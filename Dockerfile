# Berth's images; docker-compose.yml says how to run them.
#   docker build --target directory -t berth/directory .
#   docker build --target container -t berth/container .
ARG NODE_IMAGE=node:22-bookworm-slim

# The packages of the lock file: built again only when a manifest changes.
FROM ${NODE_IMAGE} AS packages
WORKDIR /berth
ENV CI=true npm_config_update_notifier=false
RUN npm install --global --silent pnpm@12.21.0
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.* ./
COPY patches patches
COPY packages/port-spec/package.json packages/port-spec/
COPY packages/directory-domain/package.json packages/directory-domain/
COPY packages/directory-client/package.json packages/directory-client/
COPY packages/service-kit/package.json packages/service-kit/
COPY packages/cli/package.json packages/cli/
COPY apps/directory/package.json apps/directory/
COPY apps/console/package.json apps/console/
COPY apps/container/package.json apps/container/
# The services, the command, and what builds them; no tool of the tests.
RUN pnpm install --frozen-lockfile --filter=. --filter=@berth/directory... --filter=@berth/container... --filter=@berth/cli...

FROM packages AS build
COPY tsconfig.base.json tsconfig.json ./
COPY packages packages
COPY apps apps
COPY scripts/bundle.mjs scripts/slim.sh scripts/
RUN node_modules/.bin/tsc -b packages/cli apps/directory apps/container \
 && node scripts/bundle.mjs apps/directory \
 && node scripts/bundle.mjs apps/container \
 && node scripts/bundle.mjs packages/cli \
 && pnpm --filter=@berth/console run build \
 && for member in apps/directory apps/container; do \
      pnpm --filter="./$member" deploy --prod --legacy "/out/$member" \
      && sh scripts/slim.sh "/out/$member" || exit 1; \
    done \
 && mkdir -p /out/cli/dist && cp packages/cli/package.json /out/cli/ && cp -r packages/cli/dist/bundle /out/cli/dist/ \
 && sh scripts/slim.sh /out/cli

# No compiler in any other stage.
FROM debian:bookworm-slim AS native
RUN apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends gcc libc6-dev
COPY apps/container/native /native
RUN sh /native/build.sh /out

FROM ${NODE_IMAGE} AS directory
ARG VERSION=0.1.0
ARG REVISION=
LABEL org.opencontainers.image.title="Berth directory" \
      org.opencontainers.image.description="Users, groups and constraints, and the berth command" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production MALLOC_TRIM_THRESHOLD_=131072 BERTH_STATE=/var/lib/berth BERTH_DIRECTORY_LISTEN=0.0.0.0:7780
COPY --from=build /out/apps/directory /srv/directory
COPY --from=build /out/cli /srv/cli
RUN ln -s /srv/cli/dist/bundle/main.js /usr/local/bin/berth && chmod 755 /srv/cli/dist/bundle/main.js \
 && install -d -o node -g node -m 700 /var/lib/berth
USER node
VOLUME /var/lib/berth
EXPOSE 7780
HEALTHCHECK --interval=5s --timeout=5s --retries=12 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:7780/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "/srv/directory/dist/bundle/main.js"]

# It runs in the host's mount namespace, where it uses the host's containerd; see packaging/compose/container.sh.
FROM ${NODE_IMAGE} AS container
ARG VERSION=0.1.0
ARG REVISION=
LABEL org.opencontainers.image.title="Berth container service" \
      org.opencontainers.image.description="The Docker Engine API over the host's containerd, for users of a Berth directory" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=build /out/apps/container /srv/berth/apps/container
COPY --from=native /out /srv/berth/apps/container/native/build
COPY packaging/compose/container.sh /srv/berth/bin/berth-container
HEALTHCHECK --interval=5s --timeout=5s --retries=12 \
  CMD bash "${BERTH_STATE:-/var/lib/berth}/service/bin/berth-container" health
ENTRYPOINT ["bash", "/srv/berth/bin/berth-container"]
CMD ["serve"]
