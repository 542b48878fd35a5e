// The App's end of the line to its host: JSON-RPC 2.0 by postMessage, as MCP Apps says (2026-01-26).

const PROTOCOL = "2026-01-26";
const UNKNOWN_METHOD = -32601;
const HEARD = "ui/notifications/";

/** What a host refused. */
export class HostRefusal extends Error {}

export class Conversation extends EventTarget {
  #last = 0;
  #waiting = new Map();

  /** With `host`, the window that frames this one. Its notifications come as events: "tool-result" and so on. */
  constructor(host = parent) {
    super();
    this.host = host;
    this.context = {};
    this.capabilities = {};
    addEventListener("message", (event) => { if (event.source === host && event.data?.jsonrpc === "2.0") this.#heard(event.data); });
  }

  /** Introduce the App; resolves once the host knows that it is ready. */
  async begin(version) {
    const { hostContext = {}, hostCapabilities = {} } = await this.request("ui/initialize", {
      protocolVersion: PROTOCOL, appInfo: { name: "scenograph-viewer", title: "Scenograph", version }, appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    });
    this.context = hostContext;
    this.capabilities = hostCapabilities;
    this.notify("ui/notifications/initialized", {});
  }

  /** The result of a request; a HostRefusal else. */
  request(method, params) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  notify(method, params) { this.#send({ method, params }); }

  /** A call of a tool, as the tool server answers it. */
  call(name, args) { return this.request("tools/call", { name, arguments: args }); }

  // A sandboxed page does not know its host's origin; nothing secret is sent.
  #send(message) { this.host.postMessage({ jsonrpc: "2.0", ...message }, "*"); }

  #heard(message) {
    if (message.method === undefined) return this.#answered(message);
    if (message.id !== undefined) return this.#asked(message);
    if (!message.method.startsWith(HEARD)) return;
    const name = message.method.slice(HEARD.length);
    if (name === "host-context-changed") Object.assign(this.context, message.params);
    this.dispatchEvent(new CustomEvent(name, { detail: message.params ?? {} }));
  }

  #answered({ id, result, error }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new HostRefusal(error.message ?? "The host refused."));
    else waiting?.resolve(result ?? {});
  }

  #asked({ id, method }) {
    const known = method === "ping" || method === "ui/resource-teardown";
    this.#send(known ? { id, result: {} } : { id, error: { code: UNKNOWN_METHOD, message: `${method} is not known here.` } });
  }
}
