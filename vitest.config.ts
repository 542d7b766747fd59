import { defineConfig } from "vitest/config";

export default defineConfig({
  define: { __MAJORDOMUS_VERSION__: JSON.stringify("0.0.0-test") },
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    // Git and pseudo-terminals are slow on a busy machine: a limit is for hangs, never a measurement.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    globalSetup: ["test/support/global-setup.ts"],
    env: {
      CI: "false",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
    },
    maxWorkers: 2,
  },
});
