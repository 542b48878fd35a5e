// The page of a published scene: the picture that the server drew, made explorable. It never asks for a key.

import { follow } from "./address.js";
import { announce, button, find } from "./dom.js";
import { fileFrom } from "./rendered.js";
import { Service } from "./service.js";
import { Viewer } from "./viewer.js";

const page = document.documentElement.dataset;
const address = `/v1/public/scenes/${encodeURIComponent(page.scene)}`;
const service = new Service({ onwait: (seconds) => { if (seconds) announce(`The service is busy; going on in ${seconds} s.`); } });

const source = {
  formats: JSON.parse(page.formats),
  name: () => page.scene,
  coloured: () => page.coloured === "true",
  picture: async ({ theme, view }) => (await service.json("POST", `${address}/render`, { body: wished({ format: "svg", theme, view }) })).output,
  file: async (wishes) => fileFrom(await service.json("POST", `${address}/render`, { body: wished(wishes) })),
  document: async () => (await service.json("GET", address)).scene,
};

/** Without what is not wished for. */
function wished(body) {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && value !== null));
}

const stage = find("#stage");
const viewer = new Viewer({ stage, tools: find("#tools"), details: find("#details"), source });
viewer.theme = page.theme || null;
stage.classList.add("live");
stage.tabIndex = 0;
viewer.viewport.fit();
if ((viewer.shownTheme ?? "") !== page.drawn) viewer.redraw();
if (location.hash) follow(viewer, location.hash).catch((fault) => announce(fault.message));
addEventListener("hashchange", () => follow(viewer, location.hash).catch((fault) => announce(fault.message)));
if (page.frame === "embed") find("#tools").append(button("share", "Open the page", () => open(`/s/${encodeURIComponent(page.scene)}`, "_blank", "noopener")));
