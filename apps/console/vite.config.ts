import { defineConfig } from "vite";

/** Where the directory is that `vite` on its own port talks to. */
const DIRECTORY = process.env.BERTH_DIRECTORY_URL ?? "http://127.0.0.1:7780";

export default defineConfig({
  resolve: { conditions: ["@berth/source", "browser", "module", "import", "default"] },
  build: {
    outDir: "dist/site",
    emptyOutDir: true,
    target: "es2023",
    // A data: URL is not of this origin, which is all that the policy lets a page load.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Libraries mark what runs in browsers alone, which here is everything.
    chunkSizeWarningLimit: 700,
    rolldownOptions: { checks: { moduleLevelDirective: false } as object },
  },
  server: { proxy: { "/api": DIRECTORY } },
});
