/** Whether all sizes and every point of failure are asked for (`npm run test:full`), not a sample of them. */
export const FULL: boolean = process.env["MAJORDOMUS_TEST_FULL"] === "1";
