// loopback stand-in for a Messages endpoint: text reply, or one Bash tool call if the prompt says TOOL
import http from "node:http";
import fs from "node:fs";
const reqlog = process.env.STUB_REQLOG || (process.env.STUB_DIR || "/tmp") + "/req.log";
let n = 0;
const sse = (res, ev, data) => res.write(`event: ${ev}\ndata: ${JSON.stringify(data)}\n\n`);
http
  .createServer((req, res) => {
    let b = "";
    req.on("data", (d) => (b += d));
    req.on("end", () => {
      let j = {};
      try {
        j = JSON.parse(b || "{}");
      } catch {}
      fs.appendFileSync(
        reqlog,
        JSON.stringify({
          m: req.method,
          u: req.url,
          system: JSON.stringify(j.system || "").slice(0, 200),
          model: j.model,
          messages: j.messages,
        }) + "\n",
      );
      if (req.url.includes("count_tokens")) {
        res.setHeader("content-type", "application/json");
        return res.end(JSON.stringify({ input_tokens: 1234 }));
      }
      if (!req.url.startsWith("/v1/messages")) {
        res.statusCode = 404;
        res.setHeader("content-type", "application/json");
        return res.end('{"type":"error","error":{"type":"not_found_error","message":"nope"}}');
      }
      if (/API:fail/.test(JSON.stringify(j.messages || ""))) {
        res.statusCode = 400;
        res.setHeader("content-type", "application/json");
        return res.end(
          JSON.stringify({ type: "error", error: { type: "invalid_request_error", message: "lab says no" } }),
        );
      }
      const last = j.messages?.[j.messages.length - 1];
      const lastStr = JSON.stringify(last || "");
      const all = JSON.stringify(j.messages || "");
      const msgs = j.messages || [];
      let li = -1;
      msgs.forEach((m, i) => {
        if (m.role === "user" && /TOOL:|SLOW/.test(JSON.stringify(m))) li = i;
      });
      const tailStr = JSON.stringify(msgs.slice(Math.max(li, 0)));
      const hasResult = JSON.stringify(msgs.slice(li + 1)).includes("tool_result");
      const pr = li >= 0 ? JSON.stringify(msgs[li]) : "";
      const later = li >= 0 && msgs.slice(li + 1).some((m) => m.role === "assistant");
      const wantTool =
        li >= 0 &&
        !hasResult &&
        !later &&
        /TOOL:(bash|agent|write|cd|fail|ro|mcp)/.test(pr) &&
        (j.tools || []).length;
      const id = "msg_lab" + ++n;
      const usage = {
        input_tokens: /HUGE/.test(JSON.stringify(msgs.filter((m) => m.role === "user").slice(-1)))
          ? 980000
          : 20,
        cache_creation_input_tokens: 300,
        cache_read_input_tokens: 4000,
        output_tokens: 1,
      };
      const model = j.model || "claude-lab";
      let block,
        stop = "end_turn",
        text = /<summary>|summary of the conversation|detailed summary/i.test(JSON.stringify(msgs.slice(-2)))
          ? "<summary>Lab summary: nothing of note.</summary>"
          : "Lab reply " + n + ".";
      if (wantTool) {
        stop = "tool_use";
        const nm = /TOOL:mcp/.test(pr)
          ? "mcp__majordomus__majordomus_lifecycle_episodes"
          : /TOOL:agent/.test(pr)
            ? "Agent"
            : /TOOL:write/.test(pr)
              ? "Write"
              : "Bash";
        block = { type: "tool_use", id: "toolu_lab" + n, name: nm, input: {} };
        var args = nm.startsWith("mcp__")
          ? {}
          : nm === "Agent"
            ? {
                description: "look",
                prompt: "Say hello",
                subagent_type: "general-purpose",
                run_in_background: false,
              }
            : nm === "Write"
              ? {
                  file_path: process.env.STUB_WFILE || (process.env.STUB_DIR || "/tmp") + "/w.txt",
                  content: "hi\n",
                }
              : /TOOL:cd/.test(pr)
                ? { command: "cd sub && pwd", description: "Go to sub" }
                : /TOOL:fail/.test(pr)
                  ? { command: "echo out; echo bad >&2; exit 3", description: "Fail on purpose" }
                  : { command: "echo lab-ok", description: "Echo a marker" };
      }
      if (!j.stream) {
        res.setHeader("content-type", "application/json");
        return res.end(
          JSON.stringify({
            id,
            type: "message",
            role: "assistant",
            model,
            content: wantTool ? [{ ...block, input: args }] : [{ type: "text", text }],
            stop_reason: stop,
            stop_sequence: null,
            usage: { ...usage, output_tokens: 12 },
          }),
        );
      }
      res.setHeader("content-type", "text/event-stream");
      sse(res, "message_start", {
        type: "message_start",
        message: {
          id,
          type: "message",
          role: "assistant",
          model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage,
        },
      });
      if (wantTool) {
        sse(res, "content_block_start", { type: "content_block_start", index: 0, content_block: block });
        sse(res, "content_block_delta", {
          type: "content_block_delta",
          index: 0,
          delta: { type: "input_json_delta", partial_json: JSON.stringify(args) },
        });
      } else {
        sse(res, "content_block_start", {
          type: "content_block_start",
          index: 0,
          content_block: { type: "text", text: "" },
        });
        sse(res, "content_block_delta", {
          type: "content_block_delta",
          index: 0,
          delta: { type: "text_delta", text },
        });
      }
      const delay = /SLOW/.test(pr) && !later ? 6000 : 0;
      setTimeout(() => {
        sse(res, "content_block_stop", { type: "content_block_stop", index: 0 });
        sse(res, "message_delta", {
          type: "message_delta",
          delta: { stop_reason: stop, stop_sequence: null },
          usage: { output_tokens: 12 },
        });
        sse(res, "message_stop", { type: "message_stop" });
        res.end();
      }, delay);
    });
  })
  .listen(Number(process.env.STUB_PORT || 8099), "127.0.0.1", () => console.error("mock up"));
