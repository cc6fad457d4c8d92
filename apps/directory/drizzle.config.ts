import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: ["./src/db/schema.ts", "./src/db/sign-in-schema.ts", "./src/db/fleet/schema.ts"],
  out: "./drizzle",
});
