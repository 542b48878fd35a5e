// A text in a language of its own beside the picture: edits of the picture as edits of the text.
//
// A row of LANGUAGES proposes statements and knows nothing of what a text means: the service reads each proposal, and one
// counts only where it is read as what is drawn. What no proposal says stays beside the text, and is told.

import { isContainer, membersOf, nameOf } from "./outline.js";
import { wordsMember } from "./edits.js";

const MOST_READS = 8; // of one edit
const ROUNDS = 3; // a deleted line may take others along, which the next round writes again
const BESIDE = new Set(["id", "kind", "metadata", "layout", "waypoints", "router", "locked", "zIndex", "children", "childIds", "from", "to", "attachedTo"]); // a place is nobody's statement

const SIMPLE = /^(?!end$)[\p{L}\p{N} ,.?!_-]+$/u; // words that need no quotes
const QUOTES = [34, 39, 96]; // codes of the letters
const quoted = (words) => `"${words.replaceAll('"', "#quot;").replaceAll("\n", "<br>")}"`;
const plain = (words) => words.replace(/\s*\n\s*/g, " ");
const backslashed = (words) => `"${words.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
const asKey = (id) => (/^[\w.-]+$/.test(id) ? id : backslashed(id));
const BRACKETS = { rect: "[]", roundedRect: "()", diamond: "{}", ellipse: ["((", "))"], pill: ["([", "])"], cylinder: ["[(", ")]"], hexagon: ["{{", "}}"] };
const bracketed = ({ shape }, words) => { const [open, close] = BRACKETS[shape] ?? "[]"; return `${open}${SIMPLE.test(words) ? words : quoted(words)}${close}`; };
const MESSAGES = { "sequence.message": "->>", "sequence.reply": "-->>", "sequence.async": "-)" };
const RELATIONS = { "uml.inherits": "--|>", "uml.implements": "..|>", "uml.composes": "--*", "uml.aggregates": "--o", "uml.depends": "..>", "uml.associates": "-->" };
const FEET = { one: ["||", "||"], "zero-or-one": ["|o", "o|"], "zero-or-many": ["}o", "o{"], "one-or-many": ["}|", "|{"], many: ["}o", "o{"] };
const BRACES = { opens: /\{/g, closes: /\}/g };
const named = (id) => (/^\w[\w -]*\w$|^\w$/.test(id) && !id.includes("-") ? id : quoted(id));
const styled = (id, style) => { const parts = [["fill", style.fill], ["stroke", style.stroke], ["color", style.textColor], ["stroke-dasharray", style.dash?.join(" ")]].filter(([, value]) => value); return parts.length ? `style ${id} ${parts.map(([name, value]) => `${name}:${value}`).join(",")}` : null; };

// `node(id, words, element, home)`, `line(from, to, words, element, text)`, `frame(id, words, members)` and `paint(id, style)` write statements;
// `called(id)` is how a text calls an element; `block(id)` finds where a frame begins, and `nest` how blocks open and close; where `isFlat` a statement names its frame itself. `parts` are
// the ends of statements; without them none is taken out.
const MERMAID = { format: "mermaid", name: "Mermaid", parts: /\n|;/, rewrites: true };
const LANGUAGES = [
  { ...MERMAID, when: /^\s*(flowchart|graph)\b/m, nest: { opens: /^\s*subgraph\b/gm, closes: /^\s*end\s*$/gm }, block: (id) => new RegExp(`^\\s*subgraph\\s+${escaped(id)}(?![\\w-]).*$`, "m"),
    node: (id, words, element) => `${id}${bracketed(element, words)}`, line: (from, to, words) => `${from} -->${words ? `|${quoted(words)}|` : ""} ${to}`,
    mention: (id) => id, frame: (id, words, members) => [`subgraph ${id}${bracketed({}, words)}`, ...members.map((member) => `  ${member}`), "end"].join("\n"),
    paint: styled },
  { ...MERMAID, when: /^\s*sequenceDiagram\b/m, node: (id, words) => `participant ${id} as ${plain(words)}`, line: (from, to, words, { edgeType }) => `${from}${MESSAGES[edgeType] ?? "->>"}${to}: ${plain(words) || " "}` },
  { ...MERMAID, when: /^\s*erDiagram\b/m, node: (id, words) => `${id}[${quoted(words)}]`, 
    line: (from, to, words, { from: { cardinality: one }, to: { cardinality: other }, edgeType }) => `${from} ${FEET[one]?.[0] ?? "||"}${edgeType === "er.nonIdentifying" ? ".." : "--"}${FEET[other]?.[1] ?? "o{"} ${to} : ${quoted(words)}` },
  { ...MERMAID, when: /^\s*classDiagram/m, node: (id, words) => `class ${id}[${quoted(words)}]`, 
    line: (from, to, words, { edgeType }) => `${from} ${RELATIONS[edgeType] ?? "-->"} ${to}${words ? ` : ${plain(words)}` : ""}` },
  { ...MERMAID, when: /^\s*stateDiagram/m, nest: BRACES, block: (id) => new RegExp(`\\bstate\\s[^\\n]*${escaped(id)}[^\\n{]*\\{`), node: (id, words) => `state ${quoted(words)} as ${id}`,
    line: (from, to, words) => `${from} --> ${to}${words ? ` : ${plain(words)}` : ""}` },
  { ...MERMAID, when: /^\s*C4[A-Z]\w+/m, nest: BRACES, block: (id) => new RegExp(`\\b\\w*(?:Boundary|Node\\w*)\\(\\s*${escaped(id)}\\s*[,)][^\\n{]*\\s*\\{`),
    line: (from, to, words) => `Rel(${from}, ${to}, ${quoted(words)})` },
  { ...MERMAID, when: /^\s*architecture/m, isFlat: true, node: (id, words, _element, home) => `service ${id}[${backslashed(words)}]${home ? ` in ${home}` : ""}`,
    line: (from, to, words) => `${from}:R ${words ? `-[${backslashed(words)}]-` : "--"} L:${to}`, frame: (id, words, members) => (members.length ? null : `group ${id}[${backslashed(words)}]`) },
  { ...MERMAID, when: /^\s*block(-beta)?\s*$/m, nest: { opens: /^\s*block\b/gm, closes: /^\s*end\s*$/gm }, block: (id) => new RegExp(`^\\s*block:${escaped(id)}(?![\\w-]).*$`, "m"),
    node: (id, words, element) => `${id}${bracketed(element, words).replace(/^([[({]+)([^"]*?)([\])}]+)$/, '$1"$2"$3')}`, line: (from, to, words) => `${from} ${words ? `-- ${quoted(words)} -->` : "-->"} ${to}`,
    called: (id) => id.replace(/\W/g, "_"), mention: (id) => id, frame: (id, words, members) => [`block:${id}[${quoted(words)}]`, ...members.map((member) => `  ${member}`), "end"].join("\n"), paint: styled },
  { ...MERMAID, when: /^\s*requirement/m, line: (from, to, words) => (/^«\w+»$/.test(words) ? `${named(from)} - ${words.slice(1, -1)} -> ${named(to)}` : null), paint: (id, style) => styled(named(id), style) },
  { ...MERMAID, when: /./ },
  { format: "graphviz", name: "Graphviz", parts: /\n|;/, nest: BRACES, isWrapped: true, block: (id) => new RegExp(`\\b(sub)?graph\\s+"?(cluster_)?${escaped(id.replace(/^subgraph-(cluster_)?/, ""))}"?\\s*\\{`),
    node: (id, words) => `${backslashed(id)} [label=${backslashed(words)}]`, line: (from, to, words, _element, text) => `${backslashed(from)} ${/^\s*(strict\s+)?graph\b/im.test(text) ? "--" : "->"} ${backslashed(to)}${words ? ` [label=${backslashed(words)}]` : ""}`,
    mention: backslashed, frame: (id, words, members) => [`subgraph "cluster_${id}" { label=${backslashed(words)}`, ...members.map((member) => `  ${backslashed(member)}`), "}"].join("\n"),
    paint: (id, { fill, stroke }) => (fill || stroke ? `${backslashed(id)} [style=filled${fill ? `, fillcolor="${fill}"` : ""}${stroke ? `, color="${stroke}"` : ""}]` : null) },
  { format: "sql", name: "SQL", parts: /;/, ends: ";", node: (_id, words) => `CREATE TABLE ${/^\w+$/.test(words) ? words : backslashed(words)} ()` },
  { format: "dbml", name: "DBML", parts: /(?<=\})/, node: (_id, words) => `Table ${/^\w+$/.test(words) ? words : backslashed(words)} {\n}` },
  { format: "d2", name: "D2", parts: /\n|;/, nest: BRACES, block: (id) => new RegExp(`^\\s*"?${escaped(id)}"?\\s*(:[^\\n{]*)?\\{`, "m"),
    node: (id, words) => `${asKey(id)}: ${backslashed(words)}`, line: (from, to, words) => `${asKey(from)} -> ${asKey(to)}${words ? `: ${backslashed(words)}` : ""}` },
  { format: "bpmn", name: "BPMN", isMarkup: true, rewrites: true, isWrittenAnew: true },
  { format: "drawio", name: "draw.io", isMarkup: true, rewrites: true, isWrittenAnew: true },
  { format: "excalidraw", name: "Excalidraw", rewrites: true, isWrittenAnew: true },
  { format: "structurizr", name: "Structurizr", parts: /\n/ },
  { format: "terraform", name: "Terraform" },
  { format: "compose", name: "Compose" },
  { format: "kubernetes", name: "Kubernetes" },
  { format: "openapi", name: "OpenAPI" },
  { format: "plantuml", name: "PlantUML" },
];

/** The row of a text's language. */
export function languageOf(format, text) {
  return LANGUAGES.find((row) => row.format === format && (row.when?.test(text) ?? true)) ?? { format, name: format.replace(/^./, (letter) => letter.toUpperCase()) };
}

function escaped(words) { return words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"); }

/** An element's words. */
const wordsOf = (element) => String(element[wordsMember(element)] ?? "");

// What a document says ---------------------------------------------------------------------------------------------

/** Fact → value: which elements are there, their words, what holds them, and what else is said of them. Places are not. */
function facts({ elements }) {
  const said = new Map();
  const parents = new Map(elements.filter(isContainer).flatMap((element) => membersOf(element).map((id) => [id, element.id])));
  const names = namesOf(elements);
  for (const element of elements) {
    const name = names.get(element);
    const say = (what, value) => said.set(`${what} ${name}`, { what, element, value });
    say("there", element.kind);
    say("words", wordsOf(element).trim());
    if (element.kind !== "edge") say("in", parents.get(element.id) ?? "");
    for (const [member, value] of Object.entries(element)) if (!BESIDE.has(member) && member !== wordsMember(element)) say(member, JSON.stringify(value));
    for (const end of ["from", "to"]) for (const member of ["column", "cardinality", "label"]) if (element[end]?.[member]) say(`${end} ${member}`, element[end][member]);
  }
  return said;
}

/** A line is known by its ends: its id is not said in any text. */
function namesOf(elements) {
  const counts = new Map();
  return new Map(elements.map((element) => {
    if (element.kind !== "edge") return [element, element.id];
    const ends = `${element.from?.elementId} → ${element.to?.elementId}`;
    counts.set(ends, (counts.get(ends) ?? 0) + 1);
    return [element, `${ends} ${counts.get(ends)}`];
  }));
}

/** What a text says otherwise than the picture: {fact, what, element, before, after}, each of what is there in both alone. */
export function differences(read, document) {
  const [said, drawn] = [facts(read), facts(document)];
  const rows = [];
  for (const fact of new Set([...said.keys(), ...drawn.keys()])) {
    const [before, after] = [said.get(fact), drawn.get(fact)];
    const { what, element } = after ?? before;
    const name = fact.slice(what.length + 1);
    const isIn = (all) => all.has(`there ${name}`);
    if (!after && what.endsWith(" cardinality")) continue; // a language that must give one does not contradict
    if (before?.value === after?.value || (what !== "there" && !(isIn(said) && isIn(drawn)))) continue;
    rows.push({ fact, what, element, before: before?.value, after: after?.value });
  }
  return rows;
}

/** What was read, under the ids of the document: lines by their ends, elements that have another id by kind and words. */
export function aligned(read, document) {
  const ids = new Map();
  const known = new Set(document.elements.map(({ id }) => id));
  const own = new Set(read.elements.map(({ id }) => id));
  const free = document.elements.filter(({ id, kind }) => kind !== "edge" && !own.has(id));
  for (const element of read.elements) {
    if (element.kind === "edge" || known.has(element.id)) continue;
    const at = free.findIndex((other) => other.kind === element.kind && wordsOf(other).trim() === wordsOf(element).trim());
    if (at >= 0) ids.set(element.id, free.splice(at, 1)[0].id);
  }
  const now = (id) => ids.get(id) ?? id;
  const end = (one) => ({ ...one, elementId: now(one.elementId) });
  const moved = read.elements.map((element) => ({
    ...element, id: now(element.id),
    ...(element.kind === "edge" ? { from: end(element.from), to: end(element.to) } : {}),
    ...(element.children ? { children: element.children.map(now) } : {}),
    ...(element.attachedTo ? { attachedTo: end(element.attachedTo) } : {}),
  }));
  const lines = new Map([...namesOf(document.elements)].filter(([{ kind }]) => kind === "edge").map(([element, name]) => [name, element.id]));
  const names = namesOf(moved);
  const taken = new Set(lines.values());
  const elements = moved.map((element) => {
    if (element.kind !== "edge") return element;
    const id = lines.get(names.get(element)) ?? (taken.has(element.id) ? `${element.id}-text` : element.id);
    return { ...element, id };
  });
  return { ...read, elements };
}

// Proposals --------------------------------------------------------------------------------------------------------

/** The words by which a text calls an element. */
const calledIn = (row, { id, metadata }) => nameIn(row, metadata?.source?.id ?? id);
const nameIn = (row, id) => row.called?.(id) ?? id;

/** A text with a statement more: at its end, or at the end of the block of `holder`. */
function withStatement(row, text, statement, holder = null) {
  if (!statement || text === null) return null;
  const lines = statement.split("\n");
  const begun = holder !== null && row.block ? row.block(holder).exec(text) : null;
  if (holder !== null && !begun) return null;
  const from = begun ? begun.index + begun[0].length : row.isWrapped ? text.indexOf("{") + 1 : null;
  const at = from === null ? text.trimEnd().length : closing(row.nest, text, from);
  if (at === null) return null;
  const indent = "  ".repeat(begun ? 2 : 1);
  const before = text.slice(0, at).trimEnd();
  const isLoose = /\n$|^$/.test(before) ? "" : row.ends && !before.endsWith(row.ends) ? `${row.ends}\n` : "\n";
  const rest = text.slice(at).trim() ? `\n${text.slice(at).replace(/^\n/, "")}` : "\n";
  return `${before}${isLoose}${lines.map((line) => (row.ends ? line : indent + line)).join("\n")}${row.ends ?? ""}${rest}`;
}

/** Where the block that is open at a place closes. */
function closing({ opens, closes }, text, from) {
  const at = (pattern, start) => { pattern.lastIndex = start; return pattern.exec(text); };
  for (let depth = 1, place = from; ;) {
    const [open, close] = [at(opens, place), at(closes, place)];
    if (!close) return null;
    if (open && open.index < close.index) [depth, place] = [depth + 1, open.index + open[0].length];
    else if (--depth === 0) return close.index;
    else place = close.index + close[0].length;
  }
}

const isWord = (letter) => letter !== undefined && /[\p{L}\p{N}_]/u.test(letter);

/** Where a text has these words by themselves. */
function places(text, words) {
  const found = [];
  for (let at = text.indexOf(words); words && at >= 0; at = text.indexOf(words, at + 1)) {
    const [before, after] = [text[at - 1], text[at + words.length]];
    if (!(isWord(before) && isWord(words[0])) && !(isWord(after) && isWord(words.at(-1)))) found.push(at);
  }
  return found;
}

const lineAt = (text, at) => text.slice(text.lastIndexOf("\n", at - 1) + 1, (text.indexOf("\n", at) + 1 || text.length + 1) - 1);
const inMarkup = (words) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** The former and the other words, without the lines and the kind in brackets that both have. */
function pieces(before, after) {
  const lines = [before, after].map((words) => words.split("\n"));
  const others = lines[0].flatMap((line, at) => (line === lines[1][at] ? [] : [at]));
  if (lines[0].length === 1 || lines[0].length !== lines[1].length || others.length !== 1) return [before, after];
  const [old, now] = lines.map((all) => all[others[0]]);
  const kind = /^\[[^:\]]+: /.exec(old)?.[0];
  return kind && now.startsWith(kind) && old.endsWith("]") && now.endsWith("]") ? [old, now].map((line) => line.slice(kind.length, -1)) : [old, now];
}

/** Texts in which other words stand at one of the places of the former ones; beside the element's id first. */
function reworded(row, text, { element, before: formerly, after: whole }) {
  const [before, after] = pieces(formerly, whole);
  const old = row.isMarkup ? inMarkup(before) : before;
  const names = element.kind === "edge" ? [element.from, element.to].map(({ elementId }) => nameIn(row, elementId)) : [calledIn(row, element)];
  const rank = (at) => names.filter((name) => name !== before && lineAt(text, at).includes(name)).length;
  const found = places(text, old).sort((one, other) => rank(other) - rank(one) || one - other);
  const put = (at, words) => `${text.slice(0, at)}${words}${text.slice(at + old.length)}`;
  const here = found.slice(0, 3).flatMap((at) => {
    const isQuoted = QUOTES.includes(text.charCodeAt(at - 1));
    const said = row.isMarkup ? [inMarkup(after)] : isQuoted ? [quoted(after).slice(1, -1), backslashed(after).slice(1, -1)] : SIMPLE.test(after) ? [after, quoted(after)] : [quoted(after), after];
    return said.map((words) => put(at, words));
  });
  const again = element.kind === "node" && row.node ? [withStatement(row, text, row.node(calledIn(row, element), whole, element))] : [];
  const everywhere = found.length > 1 ? [[...found].sort((one, other) => other - one).reduce((whole, at) => `${whole.slice(0, at)}${after}${whole.slice(at + old.length)}`, text)] : [];
  return before === calledIn(row, element) ? [...again, ...everywhere, ...here] : [...here, ...again];
}

/** Texts without the statements that name an element; of a line, without those that name both its ends. */
function unsaid(row, text, element) {
  if (!row.parts) return [null];
  const names = element.kind === "edge" ? [element.from, element.to].map(({ elementId }) => nameIn(row, elementId)) : [calledIn(row, element)];
  const ends = new RegExp(`(${row.parts.source})`, "g");
  const parts = text.split(ends).filter((part) => part !== undefined);
  const isNamed = (part) => names.every((name) => places(part, name).length > 0);
  const rest = [];
  for (let at = 0; at < parts.length; at += 1) {
    if (!isNamed(parts[at])) rest.push(parts[at]);
    else if (/^[;\n]$/.test(parts[at + 1] ?? "")) at += 1;
  }
  if (element.kind === "frame" && row.block) return [unframed(row, text, element)];
  return [rest.join("")];
}

/** A text without the head and the end of a block. */
function unframed(row, text, element) {
  const begun = row.block(calledIn(row, element)).exec(text) ?? row.block(element.id).exec(text);
  const end = begun && closing(row.nest, text, begun.index + begun[0].length);
  if (!begun || end === null) return null;
  const [word] = new RegExp(row.nest.closes.source, "m").exec(text.slice(end)) ?? [""];
  return `${text.slice(0, begun.index)}${text.slice(begun.index + begun[0].length, end).replace(/^\n/, "")}${text.slice(end + word.length).replace(/^\n/, "")}`;
}

/** A line may follow only once its ends are said. */
function stated(row, text, element, { elements }) {
  const words = wordsOf(element).trim();
  const [all, holder] = [new Map(elements.map((one) => [one.id, one])), elements.find((one) => isContainer(one) && membersOf(one).includes(element.id))];
  const called = (id) => (all.has(id) ? calledIn(row, all.get(id)) : nameIn(row, id));
  const write = { node: () => row.node?.(called(element.id), words, element, holder && called(holder.id)), edge: () => row.line?.(called(element.from.elementId), called(element.to.elementId), words, element, text),
    frame: () => row.frame?.(called(element.id), words, membersOf(element).map(called)) }[element.kind];
  return [withStatement(row, text, write?.() ?? null, holder && !row.isFlat ? called(holder.id) : null)];
}

/** Another holder: the bare mention goes, and comes into the block of the new one. */
function rehoused(row, text, { element, after }, document) {
  if (!row.block) return [];
  const id = calledIn(row, element);
  const mention = row.mention?.(id);
  const bare = text.split("\n").filter((line) => line.trim() !== mention).join("\n");
  const without = unsaid(row, text, element)[0];
  const statement = row.node?.(id, wordsOf(element), element) ?? null;
  const holder = document.elements.find((one) => one.id === after);
  if (!holder) return [bare, withStatement(row, without, statement)];
  const begun = row.block(calledIn(row, holder)).exec(text);
  const end = begun && closing(row.nest, text, begun.index + begun[0].length);
  if (end && text.slice(begun.index, end).split("\n").some((line) => line.trim() === mention)) return [text];
  return [mention ? withStatement(row, bare, mention, calledIn(row, holder)) : null, withStatement(row, without, statement, calledIn(row, holder))];
}

function proposals(row, text, difference, document) {
  const { what, element, before, after } = difference;
  const anew = what === "words" && element.kind === "edge" ? stated(row, unsaid(row, text, element)[0], element, document) : [];
  const texts = what === "there" ? (after === undefined ? unsaid(row, text, element) : before === undefined ? stated(row, text, element, document) : [])
    : what === "words" && before && after ? reworded(row, text, difference)
      : what === "words" && element.kind === "edge" ? []
      : what === "words" && element.kind === "node" && row.node ? [withStatement(row, text, row.node(calledIn(row, element), after, element))]
        : what === "in" ? rehoused(row, text, difference, document)
          : what === "style" && after ? [withStatement(row, text, row.paint?.(calledIn(row, element), JSON.parse(after)) ?? null)] : [];
  return [...texts, ...anew].filter((one) => one !== null && one !== text);
}

const ORDER = { node: 0, text: 0, image: 0, frame: 1, edge: 2 };

/** The differences, in an order in which each can be said after those before. */
function ordered(rows) {
  const rank = ({ what, element, after }) => (what !== "there" ? 5 : after === undefined ? -1 : ORDER[element.kind] ?? 3);
  return [...rows].sort((one, other) => rank(one) - rank(other));
}

/** The text that says a document, as far as its language can: {text, read, left}. `reads(text)` is the document that a text
    is read as, null for none; `written()` a text of the whole, null for none. */
export async function followed({ row, text, read, document, told = [], reads, written }) {
  const isNew = ({ fact, after }) => !told.some((known) => known.fact === fact && known.after === after);
  const seen = new Map([[text, read]]);
  const asked = async (one) => {
    if (!seen.has(one)) {
      if (seen.size > MOST_READS) return null;
      const found = await reads(one);
      seen.set(one, found && aligned(found, document));
    }
    return seen.get(one);
  };
  const judged = async (one) => { const found = await asked(one); return found && { text: one, read: found, left: differences(found, document) }; };
  const isBetter = (next, best) => { const facts = new Set(best.left.map(({ fact }) => fact)); return next.left.length < best.left.length && next.left.every(({ fact }) => facts.has(fact)); };
  let best = { text, read, left: differences(read, document) };
  if (!document.elements.length) { // many readers refuse a text that says nothing
    const rest = best.left.reduce((whole, { what, element }) => (what === "there" ? unsaid(row, whole, element)[0] ?? whole : whole), text);
    return rest === text ? best : { text: rest, read: { ...read, elements: [] }, left: [] };
  }
  const begun = best.left.length;
  // All at once first: most edits are one, and what one takes along the next round brings back.
  let trial = best;
  for (let round = 0; round < ROUNDS && trial?.left.length; round += 1) {
    const next = ordered(trial.left.filter(isNew)).reduce((whole, difference) => proposals(row, whole, difference, document)[0] ?? whole, trial.text);
    if (next === trial.text) break;
    trial = await judged(next);
    if (trial && isBetter(trial, best)) best = trial;
  }
  for (const difference of ordered(best.left.filter(isNew))) {
    for (const next of proposals(row, best.text, difference, document)) {
      const found = await judged(next);
      if (!found || !isBetter(found, best)) continue;
      best = found;
      break;
    }
  }
  if (row.isWrittenAnew && best.left.length === begun && best.left.some(isNew)) {
    const whole = await written();
    const found = whole && (await reads(whole));
    if (found) best = { text: whole, read: aligned(found, document), left: differences(aligned(found, document), document) };
  }
  return best;
}

const SAID = { there: (element, { after }) => (after === undefined ? `${nameOf(element)} is still in it` : `${nameOf(element)}`), in: (element) => `the frame of ${nameOf(element)}`, words: (element) => `the name ${nameOf(element)}`, style: (element) => `the colours of ${nameOf(element)}` };

/** What a text does not say of a picture, in words: {words, id}. */
export function untold(left) {
  const rows = left.map((row) => ({ words: SAID[row.what]?.(row.element, row) ?? `the ${row.what.replace(/([A-Z])/g, " $1").toLowerCase()} of ${nameOf(row.element)}`, id: row.element.id }));
  return [...new Map(rows.map((row) => [row.words, row])).values()];
}
