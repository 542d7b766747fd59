/** The line that says what a key led to. */
export interface Message {
  tone: "good" | "warn" | "bad" | "plain";
  text: string;
}
