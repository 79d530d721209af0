import { defineConfig } from "vitest/config";

export default defineConfig({
  define: { ISLAND_SCRIPTS: [] },
  test: { environment: "jsdom", include: ["**/*.test.{ts,tsx}"], setupFiles: "testing.setup.ts", unstubGlobals: true },
});
