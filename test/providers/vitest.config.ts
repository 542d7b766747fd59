import { defineConfig } from "vitest/config";

export default defineConfig({
  define: { __MAJORDOMUS_VERSION__: JSON.stringify("0.0.0-test") },
  test: {
    include: ["test/providers/**/*.provider.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 1,
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  },
});
