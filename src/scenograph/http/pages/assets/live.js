// Others' edits as they happen: server-sent events, read by fetch, because only fetch can send the key in a header.

import { pause, sceneUrl } from "./service.js";

const LEAST_PAUSE = 1000;
const LONGEST_PAUSE = 30000;

/** Listens until `signal` ends it; `heard[name](data)` for each event, an edit's name being `message`, and `over(reason)` when the service
    ends it for good. By `tab` others see who listens. */
export async function listen(service, scene, lastRevision, { tab = null, heard, over, signal }) {
  let wait = LEAST_PAUSE;
  while (!signal.aborted) {
    try {
      const headers = { "Last-Event-ID": String(lastRevision()) };
      const reply = await service.reply("GET", sceneUrl(scene, tab ? `/events?presence=${tab}` : "/events"), { accept: "text/event-stream", headers, signal, patient: true });
      wait = LEAST_PAUSE;
      for await (const event of eventsOf(reply.body)) {
        if (event.name !== "closed") heard[event.name]?.(event.data);
        else if (["revoked", "deleted", "grant_withdrawn"].includes(event.data.reason)) return over(event.data.reason);
      }
    } catch (fault) {
      if (signal.aborted) return;
      if ([401, 403, 404].includes(fault.status)) return over("gone");
    }
    await pause(wait, signal).catch(() => null);
    wait = Math.min(LONGEST_PAUSE, wait * 2);
  }
}

async function* eventsOf(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]));
      if (fields.data) yield { name: fields.event ?? "message", data: JSON.parse(fields.data) };
    }
  }
}
