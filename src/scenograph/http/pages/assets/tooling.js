// The public API by way of the tool server, for pages that may not call it themselves.

import { Refusal } from "./service.js";

const TOOL = "dsp_app_request";
// What the App asks for, by the calls of the API that its parts make. Nothing else of the API can be reached.
const REQUESTS = [
  ["GET", /^\/v1\/scenes\/([^/?]+)\?computed=true$/, "read"],
  ["POST", /^\/v1\/scenes\/render$/, "draw"],
  ["POST", /^\/v1\/scenes\/normalize$/, "place"],
  ["POST", /^\/v1\/scenes\/([^/?]+)\/render$/, "compare"],
  ["POST", /^\/v1\/scenes\/([^/?]+)\/applyOps$/, "apply"],
  ["POST", /^\/v1\/scenes\/([^/?]+)\/restore$/, "restore"],
  ["GET", /^\/schemas\/scene\.schema\.json$/, "schema"],
  ["GET", /^\/v1\/icons\?q=([^&]*)&limit=\d+$/, "icons"],
];

export class Tooling {
  /** Through a `conversation` with the host. */
  constructor(conversation) { this.conversation = conversation; }

  /** The JSON of a reply; a Refusal else, as of the API itself. An AbortError when `signal` ends the wait. */
  async json(method, path, { body, signal } = {}) {
    const [request, about] = known(method, path);
    const answer = this.conversation.call(TOOL, { request, ...(about === undefined ? {} : { about }), ...(body === undefined ? {} : { body }) });
    const result = await (signal ? Promise.race([answer, ended(signal)]) : answer).catch((fault) => {
      if (fault.name === "AbortError") throw fault;
      throw new Refusal(0, { error: fault.message, code: "unreachable" });
    });
    const { status, reply } = result.structuredContent ?? {};
    if (result.isError || !reply) throw new Refusal(0, { error: result.content?.find(({ type }) => type === "text")?.text ?? "The tool server refused." });
    if (status !== 200) throw new Refusal(status, reply);
    return reply;
  }
}

function known(method, path) {
  for (const [verb, form, request] of REQUESTS) {
    const found = verb === method && form.exec(path);
    if (found) return [request, found[1] === undefined ? undefined : decodeURIComponent(found[1])];
  }
  throw new Refusal(0, { error: `${method} ${path} cannot be asked for here.` });
}

function ended(signal) {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}
