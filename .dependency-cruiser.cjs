/** The arrows of the design, as rules. `tools/boundaries.test.ts` asserts that the cruise saw modules and catches a planted fault. */
module.exports = {
  forbidden: [
    {
      name: "no-circular",
      comment: "Messages that hold each other are types of each other.",
      severity: "error",
      from: { pathNot: "/protos/types/" },
      to: { circular: true },
    },
    {
      name: "packages-are-pure",
      comment:
        "A domain package imports nothing that does I/O; the services' kit and the command are not domain packages.",
      severity: "error",
      from: { path: "^packages/[^/]+/src", pathNot: "^packages/(service-kit|cli)/|\\.(test|testing)\\.ts$" },
      to: {
        dependencyTypes: ["core", "npm", "npm-dev", "npm-optional", "npm-peer", "npm-no-pkg", "npm-unknown"],
        // The directory client's parser of event streams is pure itself.
        pathNot: "^packages/|node_modules/eventsource-parser/",
      },
    },
    {
      name: "packages-alone",
      severity: "error",
      from: { path: "^packages/port-spec" },
      to: { path: "^packages/directory-domain" },
    },
    { name: "packages-never-apps", severity: "error", from: { path: "^packages" }, to: { path: "^apps" } },
    {
      name: "apps-apart",
      severity: "error",
      from: { path: "^apps/([^/]+)" },
      to: { path: "^apps/", pathNot: "^apps/$1" },
    },
    {
      name: "engine-is-the-ground",
      comment: "What every folder may import imports no other folder.",
      severity: "error",
      from: { path: "^apps/container/src/engine/", pathNot: "\\.(test|testing)\\.ts$" },
      to: { path: "^apps/container/src/", pathNot: "^apps/container/src/engine/" },
    },
    {
      name: "only-api-imports-api",
      comment: "The wire's shapes stay at the edge; app.ts and main.ts compose it.",
      severity: "error",
      from: { path: "^apps/container/src/[^/]+/", pathNot: "^apps/container/src/api/|\\.(test|testing)\\.ts$" },
      to: { path: "^apps/container/src/api/" },
    },
    {
      name: "policy-decides-on-facts",
      comment: "Decisions take facts; the use cases gather them.",
      severity: "error",
      from: { path: "^apps/container/src/policy/", pathNot: "\\.(test|testing)\\.ts$" },
      to: { path: "^apps/container/src/", pathNot: "^apps/container/src/(engine|policy)/" },
    },
    {
      name: "use-cases-no-io",
      comment: "Use cases own the interfaces that adapters fit.",
      severity: "error",
      from: {
        path: "^apps/container/src/(containers|images|networks|policy|ports|volumes)/",
        pathNot: "\\.(test|testing)\\.ts$",
      },
      to: { path: "^apps/container/src/(db|rootfs|runtimes)/|node_modules/hono" },
    },
    {
      name: "routes-no-adapters",
      severity: "error",
      from: { path: "^apps/[^/]+/src/(api/)?routes/", pathNot: "\\.(test|testing)\\.ts$" },
      to: { path: "^apps/[^/]+/src/(db|runtimes)/" },
    },
    {
      name: "adapters-not-each-other",
      severity: "error",
      from: { path: "^apps/container/src/runtimes/([^/]+)/" },
      to: { path: "^apps/container/src/runtimes/[^/]+/", pathNot: "^apps/container/src/runtimes/$1/" },
    },
    {
      name: "main-only-composes",
      severity: "error",
      from: { path: "^apps/[^/]+/src", pathNot: "\\.(test|testing)\\.ts$" },
      to: { path: "^apps/[^/]+/src/main\\.ts$" },
    },
    {
      name: "testing-only-in-tests",
      severity: "error",
      from: { pathNot: "\\.(test|testing)\\.ts$" },
      to: { path: "\\.testing\\.ts$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|drizzle)/" },
    tsConfig: { fileName: "tsconfig.tests.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { conditionNames: ["@berth/source", "import", "types", "default"] },
  },
};
